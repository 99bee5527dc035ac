"""``mneme forget``: the cell is retired, its insight deleted (engine's facts, 1.5, 2.10, 8.5, 8.12)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mneme.graph.model import Insight
from mneme.graph.store import open_store
from tests.conftest import TODAY, Result, Runner, cell


@pytest.fixture(autouse=True)
def _two_cells(tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(f"{cell('DEC-0001')}\n{cell('DEC-0002', gist='Cache files are pruned')}")


def ask(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / ".mnemon/data/default/mnemon.db")) as connection:
        return connection.execute(query).fetchall()


def test_the_text_keeps_the_cell(tmp_path: Path, mneme: Runner) -> None:
    mneme("compile")
    assert ask(tmp_path, "SELECT count(*) FROM edges") != [(0,)]
    before = (tmp_path / "project.mneme").read_text()
    assert mneme("forget", "DEC-0001") == Result(0, "DEC-0001 retired: project.mneme:1\n", "")
    assert (tmp_path / "project.mneme").read_text() == before.replace("state live", "state retired", 1)
    assert ask(tmp_path, "SELECT id, deleted_at FROM insights ORDER BY id") == [
        ("DEC-0001", "2026-11-20T00:00:00Z"), ("DEC-0002", None),
    ]  # fmt: skip
    assert ask(tmp_path, "SELECT count(*) FROM edges") == [(0,)]
    assert ask(tmp_path, "SELECT operation, insight_id, detail FROM oplog") == [("forget", "DEC-0001", "")]
    assert mneme("compile", "--check").code == 0
    assert "DEC-0001" not in mneme("recall", "SQLite").out
    assert "DEC-0001" in mneme("recall", "SQLite", "--all").out


def test_receipt(mneme: Runner) -> None:
    """8.5: id, status, message; then where the cell is."""
    receipt = json.loads(mneme("forget", "DEC-0002", "--format", "json").out)
    assert receipt == {
        "id": "DEC-0002", "status": "deleted", "message": "DEC-0002: retired in project.mneme:6; the text keeps it",
        "path": "project.mneme", "line": 6, "state": "retired", "notes": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["DEC-0003"], "insight DEC-0003 not found or already deleted"),
        (["DEC-0009"], "insight DEC-0009 not found or already deleted"),
        (["DEC-1"], "did you mean DEC-0001?"),
        (["DEC-0004"], "DEC-0004 is superseded: nothing follows that state"),
        (["DEC-0001", "--readonly"], "forget is unavailable with --readonly"),
        (["DEC-0001", "--store", "nowhere"], "there is no store nowhere"),
    ],
)
def test_what_is_refused(arguments: list[str], says: str, tmp_path: Path, mneme: Runner) -> None:
    """1.5, 8.12, 8.13."""
    path = tmp_path / "project.mneme"
    more = (cell("DEC-0003", gist="Gone", state="retired"), cell("DEC-0004", gist="Old", state="superseded"))
    path.write_text("\n".join([path.read_text(), *more]))
    before = path.read_text()
    done = mneme("forget", *arguments)
    assert done.code == 2
    assert says in done.err
    assert path.read_text() == before


def test_a_second_time(mneme: Runner) -> None:
    """1.5: a second delete fails."""
    assert mneme("forget", "DEC-0001").code == 0
    assert mneme("forget", "DEC-0001").code == 2


def test_proposed_and_stale_cells(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "project.mneme").write_text(f"{cell('DEC-0001', state='stale')}\n{cell('DEC-0002', state='proposed')}")
    assert mneme("forget", "DEC-0001").code == mneme("forget", "DEC-0002").code == 0
    assert (tmp_path / "project.mneme").read_text().count("state retired") == 2


def test_a_personal_cell(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "me.local.mneme").write_text(cell("PREF-a1", gist="Mine"))
    assert mneme("forget", "PREF-a1").code == 0
    assert "state retired" in (tmp_path / "me.local.mneme").read_text()
    with closing(sqlite3.connect(tmp_path / ".mnemon/data/personal/mnemon.db")) as connection:
        assert connection.execute("SELECT id FROM insights WHERE deleted_at IS NOT NULL").fetchall() == [("PREF-a1",)]


def test_a_row_that_no_cell_made(tmp_path: Path, mneme: Runner) -> None:
    """1.5: it is deleted where it is, and stays so, whatever is compiled."""
    mneme("compile")
    with open_store(tmp_path / ".mnemon/data/default/mnemon.db") as store, store.transaction():
        store.put_insights([Insight("u-1", "Theirs", created_at="2026-11-01T00:00:00Z")])
    before = (tmp_path / "project.mneme").read_text()
    assert mneme("forget", "u-1").out == "u-1 deleted in the store: no cell says it\n"
    assert mneme("compile", "--rebuild").code == 0
    (gone,) = ask(tmp_path, "SELECT deleted_at FROM insights WHERE id = 'u-1'")
    assert gone[0].startswith(TODAY)
    assert (tmp_path / "project.mneme").read_text() == before
    assert "already deleted" in mneme("forget", "u-1").err
