"""``mneme compile --watch``: a real process that follows the files until it is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from mneme.graph.store import read

CELL = "@ {}  a/b\ngist  {}\nstate live   conf high   since 2026-11-05   seen 2026-11-22\ncue   x\n\n"


def test_it_follows_the_files(tmp_path: Path) -> None:
    (tmp_path / "mneme.toml").touch()
    notes = tmp_path / "notes.mneme"
    notes.write_text(CELL.format("FACT-0001", "One"), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "mneme", "compile", "--watch", "--db", "s.db"], cwd=tmp_path, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stderr is not None
    lines = iter(process.stderr.readline, "")
    try:
        next(line for line in lines if "1 added" in line)
        notes.write_text(CELL.format("FACT-0001", "One") + "<<<<<<< HEAD\n", encoding="utf-8")
        next(line for line in lines if "conflict" in line)
        with notes.open("w", encoding="utf-8") as file:
            file.write(CELL.format("FACT-0001", "One") + CELL.format("FACT-0002", "Two"))
        next(line for line in lines if "1 added" in line)
    finally:
        process.send_signal(signal.SIGINT)
        process.stderr.read()
        code = process.wait(timeout=60)
        process.stderr.close()
    assert code == 130
    assert read(tmp_path / "s.db", lambda reader: sorted(reader.insights())) == ["FACT-0001", "FACT-0002"]
