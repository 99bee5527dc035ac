"""A host and commands write hot memory at the same moment, under the lock that hosts know."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

from mneme.config import Config
from mneme.memory.hot_pen import Hand
from mneme.memory.recalling import Moment
from mneme.memory.runtime import Runtime
from mneme.text.create_lock import created
from mneme.workspace import Workspace

EACH = 8


def test_nothing_of_either_is_lost(tmp_path: Path) -> None:
    hand = Hand(Moment(date(2026, 11, 25), datetime(2026, 11, 25, 12, tzinfo=UTC)))

    def runtime() -> Runtime:
        return Runtime(Workspace(tmp_path, Config()), tmp_path / ".mnemon", dict(os.environ), hand, patience=60)

    runtime().sync()
    folder = tmp_path / ".mnemon" / "runtime"

    def host(number: int) -> None:
        with created(folder / ".memories.lock", patience=60):
            path = folder / "memories.json"
            data = json.loads(path.read_text(encoding="utf-8"))
            stamp = f"2026-11-25T12:00:00.{number:03d}Z"
            fields = {"content": f"Host says {number}", "created_at": stamp, "updated_at": stamp}
            data["entries"].append({**fields, "target": "memory", "importance": "normal"})
            temporary = path.with_suffix(".new")
            temporary.write_text(json.dumps(data), encoding="utf-8")
            temporary.replace(path)

    def command(number: int) -> None:
        runtime().add("memory", f"Command says {number}")

    def sync(_: int) -> None:
        runtime().sync()

    with ThreadPoolExecutor(6) as pool:
        done = [pool.submit(step, number) for number in range(EACH) for step in (host, command, sync)]
        for one in done:
            one.result()
    runtime().sync()
    lines = (tmp_path / "project.mneme").read_text(encoding="utf-8").splitlines()
    gists = [line[6:] for line in lines if line.startswith("gist")]
    assert sorted(gists) == sorted(f"{who} says {number}" for who in ("Host", "Command") for number in range(EACH))
    text = (folder / "MEMORY.md").read_text(encoding="utf-8")
    assert all(text.count(f"] {gist}\n") == 1 for gist in gists)
