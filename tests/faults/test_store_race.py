"""Many processes at one store: nothing is lost, nobody sees a lock, and one file is left."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mneme.graph.store import read
from tests import peer_store

ROUNDS = 12

WRITER = """
import sys
from pathlib import Path
from mneme.graph.model import Edge, Insight
from mneme.graph.store import CellRow, Operation, Words, open_store
path, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
sys.stdin.read()
for number in range(rounds):
    id_ = f"{name}-{number:04}"
    with open_store(path) as store, store.transaction():
        store.put_cell(
            Insight(id_, "common word", created_at="2026-01-01T00:00:00Z"),
            CellRow(id_, f"{name}.mneme", number, "d", "live"), Words(id_, body="common word"),
        )
        store.put_edges([Edge(id_, f"{name}-{max(0, number - 1):04}", "temporal", 1.0)])
        store.log([Operation("remember", id_, "", "2026-01-01T00:00:00Z")])
"""

READER = """
import sys, time
from pathlib import Path
from mneme.graph.store import NoSuchStore, memory_copy, read
path, rounds = Path(sys.argv[1]), int(sys.argv[3])
sys.stdin.read()

def work(reader):
    view = reader.view()
    held = view.holders(["common"])["common"]
    assert len(held) == len(reader.cells()) == reader.totals()["operations"] - int(sys.argv[4])
    assert set(view.get(held)) == held
    return len(held)

least = 0
for number in range(rounds):
    try:
        count = read(path, work)
    except NoSuchStore:
        count = 0
    assert count >= least, "an older state than the last one"
    least = count
"""


@pytest.mark.parametrize("made", ["new", "of a peer"])
def test_nothing_is_lost(tmp_path: Path, made: str) -> None:
    path = tmp_path / "store" / "mnemon.db"
    before = 0
    if made == "of a peer":
        peer_store.write(path, new=False, user_version=0, bits=64)
        before = 7
    root = Path(__file__).parents[2]

    def start(code: str, name: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code, path, name, str(ROUNDS), str(before)], cwd=root, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    names = [f"W{number}" for number in range(6)]
    processes = [start(WRITER, name) for name in names] + [start(READER, "r") for _ in range(2)]
    for process in processes:
        assert process.stdin
        process.stdin.close()
        process.stdin = None
    said = [process.communicate(timeout=120)[0] for process in processes]
    assert said == [""] * len(said)
    assert [process.returncode for process in processes] == [0] * len(processes)
    expected = {f"{name}-{number:04}" for name in names for number in range(ROUNDS)}
    assert read(path, lambda reader: {row.id for row in reader.cells()}) == expected
    assert read(path, lambda reader: reader.view().holders(["common"])["common"]) == expected
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM oplog").fetchone() == (len(expected) + before,)
