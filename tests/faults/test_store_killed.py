"""kill -9 at every statement of a writer: the store is what it was or what it was to be, and whole."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mneme.graph.model import Edge, Insight
from mneme.graph.store import CellRow, Operation, Words, connect, open_store, read
from mneme.graph.store.dump import dump
from tests import peer_store

NOW = "2026-11-25T12:00:00Z"


def run_and_die(work: Callable[[], None], at: int) -> bool:
    """Do ``work`` in a child that is killed before statement number ``at``; return whether it came so far."""
    child = os.fork()
    if child == 0:  # pragma: no cover - measured nowhere: it dies
        code = 99
        try:
            count = itertools.count(1)
            real = connect.opened

            def watched(path: Path, **options: str | int) -> sqlite3.Connection:
                connection = real(path, **options)
                connection.set_trace_callback(
                    lambda _: os.kill(os.getpid(), signal.SIGKILL) if next(count) == at else None
                )
                return connection

            connect.opened = watched
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def insight(id_: str, content: str = "nothing", **more: object) -> Insight:
    return Insight(id_, content, created_at="2026-01-01T00:00:00Z")._replace(**more)  # type: ignore[arg-type]


def cell(path: Path, id_: str, content: str) -> None:
    """Write one cell, as remember does."""
    with open_store(path) as store, store.transaction():
        store.put_cell(insight(id_, content), CellRow(id_, "x.mneme", 0, "d", "live"), Words(id_, body=content))
        store.put_edges([Edge("OLD", id_, "temporal", 1.0), Edge(id_, "OLD", "temporal", 1.0)] if id_ != "OLD" else [])
        store.log([Operation("remember", id_, content, NOW)])


def everything(path: Path) -> None:
    """Write all there is anew, as a rebuild does, with indexes made afterwards."""
    with open_store(path) as store, store.transaction():
        store.remove(["GONE"])
        store.put_insights(insight(f"N{number}", entities=("Go",)) for number in range(3))
        store.replace_all_edges(Edge("N0", "N1", kind, 0.5) for kind in ("causal", "semantic"))
        store.soft_delete(["N2"], NOW)
        store.replace_files({"x.mneme": "1"})
        store.set_meta("mapping", "m")


def before_both(path: Path) -> None:
    cell(path, "OLD", "alpha")
    cell(path, "GONE", "beta")


def state(path: Path) -> str:
    return read(path, lambda reader: dump(reader.rows)) if path.exists() else ""


CASES = {
    "a cell": (before_both, lambda path: cell(path, "NEW", "gamma"), 1),
    "everything": (before_both, everything, 1),
    "a new store": (lambda path: None, lambda path: open_store(path).close(), 2),
    "a peer's old store": (
        lambda path: peer_store.write(path, new=False, user_version=0, bits=64, narrative=True),
        lambda path: open_store(path, now="2026-01-01T00:00:00Z").close(), 5,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_at_every_statement(tmp_path: Path, case: str) -> None:
    prepare, work, step = CASES[case]
    start = tmp_path / "start"
    start.mkdir()
    prepare(start / "mnemon.db")
    done = tmp_path / "done"
    shutil.copytree(start, done)
    work(done / "mnemon.db")
    before, after = state(start / "mnemon.db"), state(done / "mnemon.db")
    seen = set()
    for at in itertools.count(1, step):
        folder = tmp_path / str(at)
        shutil.copytree(start, folder)
        path = folder / "mnemon.db"
        if not run_and_die(lambda path=path: work(path), at):  # type: ignore[misc]
            assert at > 20
            break
        left = {file.name: file.read_bytes() for file in folder.iterdir()}
        found = state(path)
        assert found in (before, after), f"statement {at}: half of it"
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == left, f"statement {at}: reading wrote"
        seen.add(found)
        work(path)
        assert [file.name for file in folder.iterdir()] == ["mnemon.db"], f"statement {at}: something left over"
        assert state(path) == after, f"statement {at}: the next one did not finish it"
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        shutil.rmtree(folder)
    # At the end something is left to do: moving what is written into the file.
    assert seen == {before, after}
