"""The store against the engine's facts, number by number. Each check names the section that it comes from."""

from __future__ import annotations

import re
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mneme.graph.model import Edge, Insight
from mneme.graph.store import Operation, Store, memory_store, open_store, read
from mneme.graph.view import Scope
from tests import peer_store as peer

NOW = "2026-11-25T12:00:00Z"

COLUMNS = [
    # section, table, name, type, not null, default, place in the primary key
    ("2.1", "insights", "id", "TEXT", 0, None, 1),
    ("2.1", "insights", "content", "TEXT", 1, None, 0),
    ("2.1", "insights", "category", "TEXT", 0, "'general'", 0),
    ("2.1", "insights", "importance", "INTEGER", 0, "3", 0),
    ("2.1", "insights", "tags", "TEXT", 0, "'[]'", 0),
    ("2.1", "insights", "entities", "TEXT", 0, "'[]'", 0),
    ("2.1", "insights", "source", "TEXT", 0, "'user'", 0),
    ("2.1", "insights", "access_count", "INTEGER", 0, "0", 0),
    ("2.1", "insights", "created_at", "TEXT", 1, None, 0),
    ("2.1", "insights", "updated_at", "TEXT", 1, None, 0),
    ("2.1", "insights", "deleted_at", "TEXT", 0, None, 0),
    ("2.1", "insights", "last_accessed_at", "TEXT", 0, None, 0),
    ("2.1", "insights", "embedding", "BLOB", 0, None, 0),
    ("2.1", "insights", "effective_importance", "REAL", 0, "0.5", 0),
    ("2.1", "insights", "stored_at", "TEXT", 0, None, 0),
    ("2.2", "edges", "source_id", "TEXT", 1, None, 1),
    ("2.2", "edges", "target_id", "TEXT", 1, None, 2),
    ("2.2", "edges", "edge_type", "TEXT", 1, None, 3),
    ("2.2", "edges", "weight", "REAL", 0, "1.0", 0),
    ("2.2", "edges", "metadata", "TEXT", 0, "'{}'", 0),
    ("2.2", "edges", "created_at", "TEXT", 1, None, 0),
    ("2.3", "oplog", "id", "INTEGER", 0, None, 1),
    ("2.3", "oplog", "operation", "TEXT", 1, None, 0),
    ("2.3", "oplog", "insight_id", "TEXT", 0, None, 0),
    ("2.3", "oplog", "detail", "TEXT", 0, "''", 0),
    ("2.3", "oplog", "created_at", "TEXT", 1, None, 0),
]

INDEXES = [
    ("2.4", "insights", "idx_insights_category", ["category"]),
    ("2.4", "insights", "idx_insights_importance", ["importance"]),
    ("2.4", "insights", "idx_insights_created", ["created_at"]),
    ("2.4", "insights", "idx_insights_deleted", ["deleted_at"]),
    ("2.4", "insights", "idx_insights_source", ["source"]),
    ("2.4", "insights", "idx_insights_effective_imp", ["effective_importance"]),
    ("2.4", "insights", "idx_prune_candidates", ["deleted_at", "importance", "access_count", "effective_importance"]),
    ("2.4", "edges", "idx_edges_source", ["source_id"]),
    ("2.4", "edges", "idx_edges_target", ["target_id"]),
    ("2.4", "edges", "idx_edges_type", ["edge_type"]),
    ("2.4", "edges", "idx_edges_source_type", ["source_id", "edge_type"]),
    ("2.4", "edges", "idx_edges_target_type", ["target_id", "edge_type"]),
    ("2.4", "oplog", "idx_oplog_created", ["created_at"]),
    ("2.4", "insights", "idx_insights_stored", ["stored_at"]),
    (
        "2.4", "insights", "idx_prune_age_candidates",
        ["deleted_at", "importance", "access_count", "stored_at", "effective_importance"],
    ),
]  # fmt: skip

PRAGMAS = [("2.5", "journal_mode", "wal"), ("2.5", "user_version", 1)]

TYPES = [
    ("1.2", "temporal", True),
    ("1.2", "semantic", True),
    ("1.2", "causal", True),
    ("1.2", "entity", True),
    ("1.2", "supersedes", True),
    ("2.6 (4)", "narrative", False),
    ("1.2", "", False),
    ("1.2", "Causal", False),
]


def make(kind: str, path: Path) -> Path:
    """A store of our own, and what the original left, migrated."""
    if kind != "ours":
        peer.write(
            path, new=kind == "new", user_version=0 if kind == "oldest" else 1, oldest=kind == "oldest",
            narrative=kind == "old",
        )  # fmt: skip
    open_store(path, now=NOW).close()
    return path


@pytest.fixture(scope="module", params=["ours", "new", "old", "oldest"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = make(request.param, tmp_path_factory.mktemp("facts") / "mnemon.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        yield connection


@pytest.mark.parametrize("fact", COLUMNS, ids=lambda fact: f"{fact[0]} {fact[1]}.{fact[2]}")
def test_columns(database: sqlite3.Connection, fact: tuple[str, str, str, str, int, str | None, int]) -> None:
    _, table, name, *rest = fact
    (found,) = (row for row in database.execute(f"PRAGMA table_info({table})") if row[1] == name)
    assert list(found[2:]) == rest


@pytest.mark.parametrize("fact", INDEXES, ids=lambda fact: f"{fact[0]} {fact[2]}")
def test_indexes(database: sqlite3.Connection, fact: tuple[str, str, str, list[str]]) -> None:
    _, table, name, columns = fact
    assert name in {row[1] for row in database.execute(f"PRAGMA index_list({table})")}
    assert [row[2] for row in database.execute(f"PRAGMA index_info({name})")] == columns


@pytest.mark.parametrize("fact", PRAGMAS, ids=lambda fact: f"{fact[0]} {fact[1]}")
def test_pragmas(database: sqlite3.Connection, fact: tuple[str, str, object]) -> None:
    assert database.execute(f"PRAGMA {fact[1]}").fetchone() == (fact[2],)


@pytest.mark.parametrize("fact", TYPES, ids=lambda fact: f"{fact[0]} {fact[1]!r}")
def test_types_of_edges(database: sqlite3.Connection, fact: tuple[str, str, bool]) -> None:
    _, kind, allowed = fact
    database.execute("BEGIN")
    try:
        for id_ in ("x", "y"):
            database.execute(
                "INSERT INTO insights (id, content, created_at, updated_at) VALUES (?, 'c', '', '')", (id_,)
            )
        if allowed:
            database.execute("INSERT INTO edges VALUES ('x', 'y', ?, 1.0, '{}', '')", (kind,))
        else:
            with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
                database.execute("INSERT INTO edges VALUES ('x', 'y', ?, 1.0, '{}', '')", (kind,))
    finally:
        database.execute("ROLLBACK")


def test_foreign_keys_2_2(database: sqlite3.Connection) -> None:
    found = {(row[2], row[3], row[4], row[6]) for row in database.execute("PRAGMA foreign_key_list(edges)")}
    assert found == {("insights", "source_id", "id", "CASCADE"), ("insights", "target_id", "id", "CASCADE")}


def test_autoincrement_2_3(database: sqlite3.Connection) -> None:
    (sql,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'oplog'").fetchone()
    assert "AUTOINCREMENT" in sql


@pytest.mark.parametrize("given", [None, ""])
def test_trigger_2_4(database: sqlite3.Connection, given: str | None) -> None:
    """An older program does not know the column."""
    database.execute("BEGIN")
    database.execute(
        "INSERT INTO insights (id, content, created_at, updated_at, stored_at) VALUES ('t', 'c', '2020', '2020', ?)",
        (given,),
    )
    (stored,) = database.execute("SELECT stored_at FROM insights WHERE id = 't'").fetchone()
    database.execute("ROLLBACK")
    assert len(stored) == len(NOW)
    assert stored > "2026"
    assert stored[-1] == "Z"


def test_the_trigger_leaves_what_is_given_2_4(database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    database.execute(
        "INSERT INTO insights (id, content, created_at, updated_at, stored_at) VALUES ('t', 'c', '', '', '2020')"
    )
    (stored,) = database.execute("SELECT stored_at FROM insights WHERE id = 't'").fetchone()
    database.execute("ROLLBACK")
    assert stored == "2020"


def test_nothing_but_the_engines_schema_and_names_of_ours(database: sqlite3.Connection, tmp_path: Path) -> None:
    peer.write(tmp_path / "theirs.db", new=True)
    query = "SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'mneme~_%' ESCAPE '~'"
    query += " AND tbl_name NOT LIKE 'mneme~_%' ESCAPE '~' ORDER BY 1, 2"
    with closing(sqlite3.connect(tmp_path / "theirs.db")) as theirs:
        expected = theirs.execute(query).fetchall()
    assert database.execute(query).fetchall() == expected


def test_triggers_of_ours_write_one_plain_table(database: sqlite3.Connection) -> None:
    """The original's SQLite may have no full-text search, and runs them all the same."""
    ours = database.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'mneme~_%' ESCAPE '~'")
    written = re.findall(r"(?:INTO|UPDATE|DELETE FROM|FROM)\s+(\w+)", " ".join(sql for (sql,) in ours), re.IGNORECASE)
    assert set(written) - {"of", "OF"} == {"mneme_changed"}


def test_integrity(database: sqlite3.Connection) -> None:
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []


# 2.6: migrations


def migrated(tmp_path: Path, **how: object) -> sqlite3.Connection:
    path = tmp_path / "peer.db"
    peer.write(path, **how)  # type: ignore[arg-type]
    open_store(path, now=NOW).close()
    return sqlite3.connect(path)


def test_float64_vectors_become_float32_2_6_3(tmp_path: Path) -> None:
    with closing(migrated(tmp_path, new=False, user_version=0, bits=64)) as found:
        vectors = dict(found.execute("SELECT id, embedding FROM insights WHERE embedding IS NOT NULL"))
    assert vectors == {id_: peer.vector(numbers) for id_, numbers in peer.VECTORS.items()}


@pytest.mark.parametrize(
    ("blob", "becomes"),
    [
        (struct.pack("<2d", 0.5, -1e6), struct.pack("<2f", 0.5, -1e6)),
        (struct.pack("<2d", 0.5, 1e6 + 1), None),
        (struct.pack("<d", float("nan")), None),
        (struct.pack("<d", float("inf")), None),
        (struct.pack("<3f", 1.0, 2.0, 3.0), None),
    ],
    ids=["at the limit", "beyond it", "no number", "infinite", "not of 8 bytes each"],
)
def test_which_vectors_are_rewritten_2_6_3(tmp_path: Path, blob: bytes, becomes: bytes | None) -> None:
    path = tmp_path / "peer.db"
    peer.write(path, new=False, user_version=0, bits=64)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE insights SET embedding = ? WHERE id = ?", (blob, peer.E))
        database.commit()
    with open_store(path, now=NOW) as store:
        remarks = store.remarks
    with closing(sqlite3.connect(path)) as database:
        (found,) = database.execute("SELECT embedding FROM insights WHERE id = ?", (peer.E,)).fetchone()
    assert found == (blob if becomes is None else becomes)
    assert [peer.E in remark for remark in remarks] == ([True] if becomes is None else [])


def test_float32_vectors_stay_where_the_version_says_so_2_6_3(tmp_path: Path) -> None:
    with closing(migrated(tmp_path, new=False)) as found:
        vectors = dict(found.execute("SELECT id, embedding FROM insights WHERE embedding IS NOT NULL"))
    assert vectors == {id_: peer.vector(numbers) for id_, numbers in peer.VECTORS.items()}


@pytest.mark.parametrize("new", [False, True])
def test_edges_of_a_retired_type_go_and_the_others_stay_2_6_4(tmp_path: Path, new: bool) -> None:
    with closing(migrated(tmp_path, new=new, narrative=True)) as found:
        edges = found.execute("SELECT source_id, target_id, edge_type, weight, metadata FROM edges ORDER BY rowid")
        assert edges.fetchall() == [*peer.EDGES, *([peer.SUPERSEDES] if new else [])]


def test_orphans_are_kept_by_the_rebuild_and_never_recalled_2_6_4(tmp_path: Path) -> None:
    path = tmp_path / "peer.db"
    peer.write(path, new=False, narrative=True)
    orphan = (peer.A, "nobody", "semantic", 0.5, "{}", "2026-01-01T00:00:00Z")
    with closing(sqlite3.connect(path)) as database:
        database.execute("INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?)", orphan)
        database.commit()
    before = read(path, lambda reader: reader.view().edges_of([peer.A]))
    with open_store(path, now=NOW) as store:
        assert orphan[:3] in {edge[:3] for edge in store.edges()}
        assert store.view().edges_of([peer.A]) == before
    assert "nobody" not in {edge.target for edge in before[peer.A]}


def test_rows_of_a_retired_category_are_deleted_softly_2_6_6(tmp_path: Path) -> None:
    with closing(migrated(tmp_path, new=False, narrative=True)) as found:
        row = found.execute("SELECT deleted_at, updated_at FROM insights WHERE id = ?", (peer.NARRATIVE,)).fetchone()
    assert row == (NOW, NOW)


def test_stored_at_is_filled_from_created_at_2_6_7(tmp_path: Path) -> None:
    with closing(migrated(tmp_path, new=False)) as found:
        assert found.execute("SELECT count(*) FROM insights WHERE stored_at != created_at").fetchone() == (0,)


@pytest.mark.parametrize("kind", ["new", "old", "oldest"])
def test_everything_else_of_a_peers_store_stays(tmp_path: Path, kind: str) -> None:
    query = "SELECT id, content, category, importance, tags, entities, source, access_count, created_at, updated_at,"
    query += " deleted_at FROM insights ORDER BY rowid"
    path = make(kind, tmp_path / "peer.db")
    with closing(sqlite3.connect(path)) as found:
        rows = found.execute(query).fetchall()[: len(peer.ROWS)]
        log = found.execute("SELECT id, operation FROM oplog").fetchall()
    assert rows == [(*row[:9], row[8], row[9]) for row in peer.ROWS]
    assert log == [*((place, "remember") for place in range(1, 7)), (7, "forget")]


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    path = make("old", tmp_path / "peer.db")
    with closing(sqlite3.connect(path)) as found:
        before = list(found.iterdump())
    open_store(path, now="2030-01-01T00:00:00Z").close()
    with closing(sqlite3.connect(path)) as found:
        assert list(found.iterdump()) == before


# 1 and 2.3: behaviour


@pytest.fixture
def store() -> Iterator[Store]:
    with memory_store() as one:
        with one.transaction():
            one.put_insights(Insight(id_, f"content of {id_}", created_at="2026-01-01T00:00:00Z") for id_ in "abc")
        yield one


def test_an_edge_is_written_over_1_2(store: Store) -> None:
    with store.transaction():
        store.put_edges([Edge("a", "b", "causal", 0.25, {"sub_type": "causes"}, "2026-01-01T00:00:00Z")])
        store.put_edges([Edge("a", "b", "causal", 0.5, {"sub_type": "enables"}, "2026-01-02T00:00:00Z")])
    (found,) = store.edges()
    assert found == Edge(
        "a", "b", "causal", 0.5, {"sub_type": "enables", "created_by": "mneme"}, "2026-01-02T00:00:00Z"
    )


def test_both_directions_and_every_type_are_rows_of_their_own_1_3(store: Store) -> None:
    with store.transaction():
        store.put_edges([Edge("a", "b", "causal", 0.5), Edge("b", "a", "causal", 0.5), Edge("a", "b", "semantic", 0.5)])
    assert store.totals()["edges"] == 3
    assert store.edge_counts(["a", "b", "c"]) == {"a": 3, "b": 3}


def test_soft_delete_1_5(store: Store) -> None:
    with store.transaction():
        store.put_vectors({"a": b"\0\0\0\0"})
        store.put_edges([Edge("a", "b", "causal", 0.5), Edge("c", "a", "entity", 1.0), Edge("b", "c", "entity", 1.0)])
        store.put_edges([Edge("a", "c", "semantic", 0.5, {"created_by": "claude"})], ours=False)
        store.log([Operation("remember", "a", "content of a", NOW)])
    with store.transaction():
        assert store.soft_delete(["a"], NOW) == ["a"]
    found = store.insights(["a"])["a"]
    assert (found.deleted_at, found.updated_at, found.content) == (NOW, NOW, "content of a")
    assert [edge[:3] for edge in store.edges()] == [("b", "c", "entity")]
    assert store.view(Scope(every_state=True)).vectors() == {"a": b"\0\0\0\0"}
    assert store.operations(5)[0].insight_id == "a"


@pytest.mark.parametrize("ids", [["a"], ["nobody"]], ids=["a second time", "an unknown ID"])
def test_what_is_not_active_cannot_be_deleted_1_5(store: Store, ids: list[str]) -> None:
    with store.transaction():
        store.soft_delete(["a"], NOW)
    with store.transaction():
        assert store.soft_delete(ids, "2030-01-01T00:00:00Z") == []
    assert store.insights(["a"])["a"].deleted_at == NOW


def test_the_oplog_keeps_5000_2_3(store: Store) -> None:
    with store.transaction():
        store.log(Operation("recall", "", f"q={number}", NOW) for number in range(5003))
    assert store.totals()["operations"] == 5000
    assert [row.detail for row in store.operations(1)] == ["q=5002"]
    assert store.operations(6000)[-1].detail == "q=3"
    with store.transaction():
        store.log([Operation("recall", "", "q=5003", NOW)])
    assert store.operations(6000)[-1].detail == "q=4"


@pytest.mark.parametrize(
    ("blob", "usable"), [(b"", False), (b"\0" * 5, False), (b"\0" * 4, True), (b"\0" * 3072, True)]
)
def test_which_vectors_are_usable_2_9(store: Store, blob: bytes, usable: bool) -> None:
    with store.transaction():
        store.put_vectors({"a": blob})
    assert store.view().vectors() == ({"a": blob} if usable else {})
    assert store.view().vectors(["a", "b"]) == ({"a": blob} if usable else {})


def test_defaults_of_an_insight_1_1() -> None:
    assert Insight("x", "c")[2:8] == ("general", 3, (), (), "user", 0)
