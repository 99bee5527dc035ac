"""SQLite keeps any value in any column: a store in which another program left odd ones is read all the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests import peer_store
from tests.conftest import Runner

TEXTS = (
    "content",
    "category",
    "tags",
    "entities",
    "source",
    "created_at",
    "updated_at",
    "last_accessed_at",
    "stored_at",
)
NUMBERS = ("importance", "access_count", "effective_importance")

COMMANDS = (
    ["status"], ["log"], ["receipt", "--format", "json"], ["viz"], ["viz", "--format", "html"], ["brief"],
    ["gc", "--format", "json"], ["from-store"], ["recall", "SQLite cache"],
    ["recall", "SQLite cache", "--ranker", "magma", "--format", "json"], ["search", "cache"],
    ["related", peer_store.A], ["gc", "--keep", peer_store.B], ["gc", "--prune"], ["log", "--format", "json"],
)  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [b"\xff\x00", 3, 2.5, "", "x\0y\x1b", "[1, null, {}]", '{"a": []}', -5, 10**18, float("inf"), "\u202e", None],
)
def test_every_command_reads_it(
    mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: object
) -> None:  # fmt: skip
    db = tmp_path / "peer.db"
    peer_store.write(db, new=True)
    monkeypatch.setenv("MNEMON_MAX_INSIGHTS", "1")
    with closing(sqlite3.connect(db)) as database, database:
        for columns, row in ((TEXTS, peer_store.B), (NUMBERS, peer_store.D), ((*TEXTS, *NUMBERS), peer_store.E)):
            for column in columns:
                if value is not None or column not in ("content", "created_at", "updated_at"):
                    database.execute(f"UPDATE insights SET {column} = ? WHERE id = ?", (value, row))
        if value is not None:
            database.execute("UPDATE edges SET created_at = ? WHERE source_id = ?", (value, peer_store.A))
            database.execute(
                "INSERT INTO oplog (operation, insight_id, detail, created_at) VALUES (?, ?, ?, ?)", (value,) * 4
            )
        database.execute("UPDATE edges SET weight = ?, metadata = ? WHERE edge_type = 'entity'", (value, value))
    for command in COMMANDS:
        result = mneme(*command, "--db", "peer.db")
        assert result.code == 0, (command, result.err)
    with closing(sqlite3.connect(db)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("value", [b"\xff\x00", 3, "x\0y\x1b", float("inf")])
def test_what_comes_out_is_sound(mneme: Runner, tmp_path: Path, value: object) -> None:
    db = tmp_path / "peer.db"
    peer_store.write(db, new=True)
    with closing(sqlite3.connect(db)) as database, database:
        for column in (*TEXTS, *NUMBERS):
            database.execute(f"UPDATE insights SET {column} = ?", (value,))
    assert mneme("from-store", "peer.db", "--out", "out.mneme").code == 0
    report = mneme("lint", "--format", "concise")
    assert report.code == 0, report.out
    assert "6 cells in 1 file" in report.out
