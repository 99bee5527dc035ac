"""One store, two programs: what the original does to a store that we compiled, and what we do with its own.

The statements are those that the engine's facts name (1.2, 1.5, 2.3, 2.5, 2.6, 2.9, 3.4, 8.1, 8.6).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import peer_store
from tests.conftest import Runner, cell

NEW = "12345678-0000-4000-8000-123456789012"
NOW = "2026-11-25T10:00:00Z"
MEMORY = (
    cell("DEC-0001", more="> because JSON files lost writes\n")
    + "\n"
    + cell("FACT-0002", gist="Slow queries come from JSON files", cue="slow queries", more="link  causes DEC-0001\n")
    + "\n"
    + cell("DEC-0003", gist="No cache at all", cue="none", state="retired", topic="storage/none")
)


@contextmanager
def original(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store as the original does: write-ahead log, foreign keys, its migrations first."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("CREATE TABLE IF NOT EXISTS insights (id TEXT PRIMARY KEY)")
        database.execute("CREATE INDEX IF NOT EXISTS idx_insights_category ON insights (category)")
        for column in ("last_accessed_at TEXT", "embedding BLOB", "effective_importance REAL DEFAULT 0.5",
                       "stored_at TEXT"):  # fmt: skip
            with pytest.raises(sqlite3.OperationalError, match="duplicate column"):
                database.execute(f"ALTER TABLE insights ADD COLUMN {column}")
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
        database.execute("BEGIN")
        # 2.6: both probes with ids that are not there; the foreign key may complain, the CHECK must not
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            database.execute("INSERT INTO edges VALUES ('p', 'q', 'narrative', 1, '{}', '')")
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            database.execute("INSERT INTO edges VALUES ('p', 'q', 'supersedes', 1, '{}', '')")
        database.execute("ROLLBACK")
        yield database


def remember(database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    database.execute(
        "INSERT INTO insights (id, content, category, importance, tags, entities, source, access_count, created_at,"
        " updated_at) VALUES (?, 'Queries are slow on Mondays', 'fact', 3, '[]', '[\"SQLite\"]', 'user', 0, ?, ?)",
        (NEW, NOW, NOW),
    )
    database.execute("UPDATE insights SET embedding = ? WHERE id = ?", (peer_store.vector((0.5, 0.25)), NEW))
    for source, target in ((NEW, "FACT-0002"), ("FACT-0002", NEW)):
        database.execute(
            "INSERT OR REPLACE INTO edges VALUES (?, ?, 'entity', 1.0, '{\"entity\":\"SQLite\"}', ?)",
            (source, target, NOW),
        )
    database.execute("UPDATE insights SET effective_importance = 0.6 WHERE id = ?", (NEW,))
    database.execute(
        "INSERT INTO oplog (operation, insight_id, detail, created_at) VALUES ('remember', ?, 'x', ?)", (NEW, NOW)
    )
    database.execute("DELETE FROM oplog WHERE id <= (SELECT max(id) - 5000 FROM oplog)")
    database.execute("COMMIT")


def link(database: sqlite3.Connection) -> None:
    remember(database)
    for source, target in ((NEW, "DEC-0001"), ("DEC-0001", NEW)):
        database.execute(
            "INSERT INTO edges VALUES (?, ?, 'causal', 0.7, '{\"created_by\":\"claude\"}', ?)"
            " ON CONFLICT (source_id, target_id, edge_type) DO UPDATE SET weight = excluded.weight",
            (source, target, NOW),
        )  # fmt: skip


def forget(database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    database.execute("UPDATE insights SET deleted_at = ?, updated_at = ? WHERE id = 'FACT-0002'", (NOW, NOW))
    database.execute("DELETE FROM edges WHERE source_id = 'FACT-0002' OR target_id = 'FACT-0002'")
    database.execute("COMMIT")


def count_accesses(database: sqlite3.Connection) -> None:
    database.execute(
        "UPDATE insights SET access_count = access_count + 3, last_accessed_at = ? WHERE id = 'DEC-0001'", (NOW,)
    )


def refresh(database: sqlite3.Connection) -> None:
    database.execute("UPDATE insights SET effective_importance = 0.123")


def embed(database: sqlite3.Connection) -> None:
    database.execute(
        "UPDATE insights SET embedding = ?, updated_at = ? WHERE id = 'DEC-0001'", (peer_store.vector((1.0, 0.0)), NOW)
    )


def entities(database: sqlite3.Connection) -> None:
    database.execute("UPDATE insights SET entities = '[\"Other\"]', updated_at = ? WHERE id = 'DEC-0001'", (NOW,))


WRITES: tuple[Callable[[sqlite3.Connection], None], ...] = (
    remember, link, forget, count_accesses, refresh, embed, entities,
)  # fmt: skip


@pytest.fixture
def db(mneme: Runner, tmp_path: Path) -> Path:
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    assert mneme("compile", "--db", "graph.db", "project.mneme").code == 0
    return tmp_path / "graph.db"


def sound(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        database.execute("INSERT INTO mneme_words (mneme_words) VALUES ('integrity-check')")


def hits(mneme: Runner, *words: str) -> list[str]:
    result = mneme("search", *words, "--db", "graph.db", "--format", "json")
    assert result.code == 0, result.err
    return [one["id"] for one in json.loads(result.out)]


@pytest.mark.parametrize("write", WRITES)
def test_2_6_the_original_opens_and_writes_our_store(mneme: Runner, db: Path, write: Callable[[Any], None]) -> None:
    with original(db) as database:
        own = {
            name: database.execute(f"SELECT * FROM {name}").fetchall()
            for name in ("mneme_meta", "mneme_files", "mneme_cells", "mneme_docs")
        }
        write(database)
        for name, before in own.items():
            assert database.execute(f"SELECT * FROM {name}").fetchall() == before, "our tables survive"
    sound(db)
    assert "FACT-0002" in hits(mneme, "slow queries")
    assert mneme("compile", "--db", "graph.db").code == 0
    sound(db)
    assert "up to date" in mneme("compile", "--db", "graph.db").err
    assert sorted(path.name for path in db.parent.iterdir()) == ["graph.db", "project.mneme"]


def test_what_it_remembered_is_recalled_at_once_and_stays(mneme: Runner, db: Path) -> None:
    with original(db) as database:
        link(database)
    for step in ([], ["compile", "--db", "graph.db"], ["compile", "--db", "graph.db", "--rebuild"]):
        assert not step or mneme(*step).code == 0
        assert NEW in hits(mneme, "Mondays")
        near = json.loads(mneme("related", NEW, "--db", "graph.db", "--depth", "1", "--format", "json").out)
        assert {one["id"] for one in near} == {"FACT-0002", "DEC-0001"}
        answer = json.loads(mneme("recall", "why slow on Mondays", "--db", "graph.db", "--format", "json").out)
        assert NEW in [one["id"] for one in answer["results"]]
    with closing(sqlite3.connect(db)) as database:
        found = database.execute("SELECT embedding, stored_at <> '' FROM insights WHERE id = ?", (NEW,)).fetchone()
    assert found == (peer_store.vector((0.5, 0.25)), 1), "2.4: the trigger dates the row"


def test_what_it_forgot_of_our_text_comes_back(mneme: Runner, db: Path) -> None:
    with original(db) as database:
        forget(database)
    assert "FACT-0002" in hits(mneme, "slow queries"), "the text says it"
    result = mneme("compile", "--db", "graph.db")
    assert "another program changed FACT-0002" in result.err
    with closing(sqlite3.connect(db)) as database:
        query = "SELECT count(*) FROM edges WHERE source_id = 'FACT-0002' AND edge_type = 'causal'"
        assert database.execute(query).fetchone()[0] >= 1


def test_what_it_committed_and_did_not_checkpoint_is_read(mneme: Runner, db: Path) -> None:
    with original(db) as database:
        database.execute("PRAGMA wal_autocheckpoint = 0")
        remember(database)
        assert db.with_name("graph.db-wal").stat().st_size
        assert NEW in hits(mneme, "Mondays")
        assert json.loads(mneme("status", "--db", "graph.db", "--format", "json").out)["insights_of_others"] == 1


class TestItsOwnStore:
    """Read and asked without a byte being written, whatever its generation."""

    @pytest.fixture(params=["old", "new"])
    def peer(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        path = tmp_path / "my #1 100%?.db"
        peer_store.write(path, new=request.param == "new")
        return path

    @pytest.mark.parametrize(
        ("command", "first"),
        [
            (["recall", "cache DuckDB", "--ranker", "magma"], peer_store.D),
            (["recall", "cache DuckDB"], peer_store.D),
            (["search", "slow queries"], peer_store.B),
            (["related", peer_store.B, "--depth", "1"], peer_store.A),
            (["recall", "知识图谱", "--ranker", "magma"], peer_store.C),
        ],
    )
    def test_asked(self, mneme: Runner, peer: Path, command: list[str], first: str) -> None:
        before = peer.read_bytes()
        result = mneme(*command, "--db", peer, "--format", "json")
        assert result.code == 0, result.err
        found = json.loads(result.out)
        results = found["results"] if isinstance(found, dict) else found
        assert first in [one["id"] for one in results][:2]
        assert peer_store.GONE not in [one["id"] for one in results]
        assert peer.read_bytes() == before
        assert [path.name for path in peer.parent.iterdir()] == [peer.name]

    def test_kept_whole_by_our_writes(self, mneme: Runner, peer: Path) -> None:
        query = (
            "SELECT id, content, category, importance, tags, entities, source, created_at, deleted_at, embedding"
            " FROM insights ORDER BY id"
        )
        with closing(sqlite3.connect(peer)) as database:
            before = database.execute(query).fetchall()
            edges = database.execute("SELECT * FROM edges ORDER BY 1, 2, 3").fetchall()
        assert mneme("gc", "--keep", peer_store.B, "--db", peer).code == 0
        with original(peer) as database:
            assert database.execute(query).fetchall() == before
            assert database.execute("SELECT * FROM edges ORDER BY 1, 2, 3").fetchall() == edges
        sound(peer)

    def test_it_is_not_compiled(self, mneme: Runner, peer: Path) -> None:
        before = peer.read_bytes()
        result = mneme("compile", "--db", peer)
        assert result.code == 2
        assert "no text" in result.err
        assert peer.read_bytes() == before


def test_2_6_a_store_of_before_there_were_several_is_moved(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    peer_store.write(tmp_path / "base" / "mnemon.db", new=False)
    assert "is behind" in mneme("compile", "--data-dir", "base", "--check").err
    assert (tmp_path / "base" / "mnemon.db").exists()
    result = mneme("compile", "--data-dir", "base")
    assert result.code == 0
    assert "was moved" in result.err
    assert not (tmp_path / "base" / "mnemon.db").exists()
    sound(tmp_path / "base" / "data" / "default" / "mnemon.db")
    data = json.loads(mneme("status", "--data-dir", "base", "--format", "json").out)
    assert (data["insights_of_others"], data["total_insights"]) == (6, 7)
