"""kill -9 at steps of ``mneme sync`` and ``mneme runtime``: nothing is lost or doubled; the next goes on."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.conftest import Runner, cell
from tests.faults.test_writers_killed import run_and_die

HOT = Path(".mnemon/runtime")


def fresh(mneme: Runner, folder: Path) -> Path:
    """A folder where a host added an entry, dropped another one, and a person wrote a line."""
    folder.mkdir(parents=True)
    (folder / "project.mneme").write_text(f"{cell('DEC-0001')}\n{cell('PREF-0001', gist='Short sentences')}")
    assert mneme("sync", cwd=folder).code == 0
    path = folder / HOT / "memories.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    stamp = "2026-11-25T20:00:00.000Z"
    fields = {"content": "Likes tea", "created_at": stamp, "updated_at": stamp, "target": "user"}
    data["entries"] = [one for one in data["entries"] if "DEC" not in one["content"]]
    data["entries"].append({**fields, "importance": "normal"})
    path.write_text(json.dumps(data), encoding="utf-8")
    with (folder / HOT / "MEMORY.md").open("a", encoding="utf-8") as stream:
        stream.write("\nWritten by hand\n")
    return folder


def held(folder: Path) -> dict[str, bytes]:
    names = [folder / "project.mneme", *(folder / HOT / name for name in ("memories.json", "USER.md", "MEMORY.md"))]
    return {path.name: path.read_bytes() for path in names}


def settle(mneme: Runner, folder: Path) -> None:
    lock = folder / HOT / ".memories.lock"
    if lock.exists():
        os.utime(lock, (1, 1))  # as if half a minute had passed
    done = mneme("sync", cwd=folder)
    assert done.code == 0, done.err


def test_sync(mneme: Runner, tmp_path: Path) -> None:
    wanted = fresh(mneme, tmp_path / "wanted")
    settle(mneme, wanted)
    text = held(wanted)["project.mneme"].decode()
    assert [text.count(one) for one in ("gist  Likes tea\n", "gist  Written by hand\n", "hot no")] == [1, 1, 1]
    at = 1
    while run_and_die(["sync"], folder := fresh(mneme, tmp_path / f"at{at}"), at):
        everywhere = b"".join(held(folder).values()).decode()
        assert "Likes tea" in everywhere
        assert "Written by hand" in everywhere
        settle(mneme, folder)
        assert held(folder) == held(wanted), at
        at += 11
    assert at > 20


def test_add(mneme: Runner, tmp_path: Path) -> None:
    at = 1
    arguments = ["runtime", "add", "Hates noise", "--target", "user"]
    while run_and_die(arguments, folder := fresh(mneme, tmp_path / f"at{at}"), at):
        settle(mneme, folder)
        assert mneme(*arguments, cwd=folder).code == 0
        text = held(folder)["project.mneme"].decode()
        gists = [f"gist  {gist}\n" for gist in ("Hates noise", "Likes tea", "Written by hand")]
        assert [text.count(gist) for gist in gists] == [1, 1, 1], at
        assert held(folder)["USER.md"].decode().count("Hates noise") == 1
        at += 19
    assert at > 20
