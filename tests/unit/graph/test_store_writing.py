"""Writing a store: whose edges are whose, what an insight keeps, and look-ups that are never behind."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mneme.graph.model import Edge, Insight
from mneme.graph.store import CellRow, Store, Words, memory_copy, memory_store, open_store, read
from mneme.graph.store.writer import days_since
from mneme.graph.view import Scope

NOW = "2026-11-25T12:00:00Z"
MIDNIGHT = "2026-11-25T00:00:00Z"


def insight(id_: str, content: str = "nothing", **more: object) -> Insight:
    return Insight(id_, content, created_at=MIDNIGHT)._replace(**more)  # type: ignore[arg-type]


@pytest.fixture
def store() -> Iterator[Store]:
    with memory_store() as one:
        with one.transaction():
            one.put_insights(insight(id_) for id_ in "abcd")
        yield one


LINK = {"created_by": "claude"}


@pytest.mark.parametrize(
    ("metadata", "kept"),
    [
        ({}, {"created_by": "mneme"}),
        ({"created_by": "mneme"}, {"created_by": "mneme"}),
        ({"sub_type": "causes"}, {"sub_type": "causes", "created_by": "mneme"}),
        ({"created_by": "auto", "cosine": "0.9"}, {"created_by": "auto", "by": "mneme", "cosine": "0.9"}),
    ],
)
def test_our_mark(store: Store, metadata: dict[str, str], kept: dict[str, str]) -> None:
    with store.transaction():
        store.put_edges([Edge("a", "b", "semantic", 0.5, metadata)])
    (found,) = store.own_edges(["a"])
    assert found.metadata == kept


@pytest.mark.parametrize(
    "metadata", ['{"created_by":"claude"}', '{"by":"someone"}', "{}", "", "no JSON", "[1]", '"mneme"', None]
)
def test_a_row_of_another_program_stays(store: Store, metadata: str | None) -> None:
    theirs = ("a", "b", "semantic", 0.9, metadata, NOW)
    store._connection.execute("INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?)", theirs)
    with store.transaction():
        store.put_edges([Edge("a", "b", "semantic", 0.5), Edge("b", "a", "semantic", 0.5)])
        store.delete_edges([("a", "b", "semantic")])
        store.replace_all_edges([Edge("a", "b", "semantic", 0.4), Edge("a", "c", "semantic", 0.5)])
        store.delete_edges_at(["a", "b"])
    assert store._connection.execute("SELECT * FROM edges").fetchall() == [theirs]
    assert [edge[:4] for edge in store.edges()] == [theirs[:4]]
    with store.transaction():
        store.delete_edges([("a", "b", "semantic")], foreign=True)
    assert list(store.edges()) == []


def test_a_row_of_another_program_is_written_over_when_asked(store: Store) -> None:
    with store.transaction():
        store.put_edges([Edge("a", "b", "causal", 0.9, LINK)], ours=False)
        store.put_edges([Edge("a", "b", "causal", 0.4, LINK)], ours=False)
    (found,) = store.edges()
    assert (found.weight, found.metadata) == (0.4, LINK)
    assert store.own_edges(["a"]) == []


def test_edges_go_by_their_ends_and_type(store: Store) -> None:
    edges = [Edge("a", "b", "causal", 1.0), Edge("b", "c", "temporal", 1.0), Edge("c", "d", "causal", 1.0)]
    with store.transaction():
        store.put_edges(edges)
        store.delete_edges_at(["b"], types=["temporal"])
    assert [edge[:3] for edge in store.edges()] == [("a", "b", "causal"), ("c", "d", "causal")]
    with store.transaction():
        store.delete_edges_at(["b"])
    assert [edge[:3] for edge in store.edges(["causal"])] == [("c", "d", "causal")]
    assert list(store.edges(["temporal"])) == []


@pytest.mark.parametrize("foreign", [False, True])
def test_many_edges_are_the_same_as_few(store: Store, foreign: bool) -> None:
    """From some number on, indexes are made afterwards: nobody can tell, from outside or inside of the transaction."""
    with store.transaction():
        store.put_insights(insight(f"n{number:03}") for number in range(80))
    edges = [Edge(f"n{one:03}", f"n{other:03}", "semantic", 0.5) for one in range(80) for other in range(79)]
    indexes = "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name"
    before = store._connection.execute(indexes).fetchall()
    with store.transaction():
        if foreign:
            store.put_edges(
                [Edge("a", "n001", "semantic", 0.9, LINK), Edge("n001", "n002", "semantic", 0.9, LINK)], ours=False
            )
        store.replace_all_edges(edges)
        store.delete_edges_at(["n003"])
        store.soft_delete(["n004"], NOW)
        store.remove(["n005"])
    assert store._connection.execute(indexes).fetchall() == before
    gone = {"n003", "n004", "n005"}
    kept = {edge[:3] for edge in edges if not gone & {edge.source, edge.target}}
    assert {edge[:3] for edge in store.edges()} == kept | ({("a", "n001", "semantic")} if foreign else set())
    assert store.edges_at(["n001"], ["semantic"])[-1].source == "n079"
    assert {edge.weight for edge in store.edges_at(["n001"]) if edge.target == "n002"} == {0.9 if foreign else 0.5}


def test_what_an_insight_keeps_when_it_is_written_again(store: Store) -> None:
    with store.transaction():
        store.put_insights([insight("x", "one", tags=("t",))], stored_at="2026-01-01T00:00:00Z")
        store.put_vectors({"x": b"\0\0\0\0"})
        store.add_access(["x"], 3, NOW)
    with store.transaction():
        store.put_insights([insight("x", "one", tags=("u",), last_accessed_at=MIDNIGHT)])
    found = store.insights(["x"])["x"]
    assert (found.access_count, found.last_accessed_at, found.tags) == (3, NOW, ("u",))
    assert store.stored_at(["x"]) == {"x": "2026-01-01T00:00:00Z"}
    assert store.view().vectors() == {"x": b"\0\0\0\0"}
    with store.transaction():
        store.put_insights([insight("x", "two", deleted_at=NOW)])
    assert store.insights(["x"])["x"].deleted_at == NOW
    assert store.view(Scope(every_state=True)).vectors() == {}, "a vector of another content"
    with store.transaction():
        store.put_insights([insight("x", "two")])
    assert store.insights(["x"])["x"].deleted_at == ""


def test_look_ups_follow_what_is_written(store: Store) -> None:
    with store.transaction():
        store.put_insights([insight("a", "alpha", tags=("tag",), entities=("Beta", "BETA", "Straße"))])
    view = store.view()
    assert view.holders(["alpha", "tag", "beta"]) == {"alpha": {"a"}, "tag": {"a"}, "beta": {"a"}}
    assert view.with_entities(["beta", "strasse"]) == {"beta": {"a"}, "strasse": {"a"}}
    assert store.entities_of("a") == {"beta", "strasse"}
    with store.transaction():
        store.put_insights([insight("a", "gamma")])
    assert store.view().holders(["alpha", "tag", "beta", "gamma"])["gamma"] == {"a"}
    assert store.view().holders(["alpha"])["alpha"] == set()
    assert store.holders_of_entity("beta") == []
    with store.transaction():
        store.remove(["a"])
    assert store.view().holders(["gamma"])["gamma"] == set()
    assert store._connection.execute("SELECT count(*) FROM mneme_words").fetchone() == (3,)
    assert store._connection.execute("SELECT count(*) FROM mneme_docs").fetchone() == (3,)


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    before = list(store._connection.iterdump())

    def fail() -> None:
        with store.transaction():
            store.put_insights([insight("new", "alpha")])
            store.put_edges([Edge("a", "new", "causal", 1.0)])
            store.put_words([Words("new", body="alpha")])
            store.replace_all_edges([])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(store._connection.iterdump()) == before
    with store.transaction():
        store.put_insights([insight("new", "beta")])
    assert store.view().holders(["beta"])["beta"] == {"new"}, "words of the failed one do not count as put"


def test_a_transaction_inside_of_one_is_refused(store: Store) -> None:
    with (
        store.transaction(),
        pytest.raises(sqlite3.OperationalError, match="within a transaction"),
        store.transaction(),
    ):
        pass  # pragma: no cover


def test_files_cells_and_meta(store: Store) -> None:
    rows = [CellRow("a", "x.mneme", 1, "da", "live", imp=3), CellRow("b", "x.mneme", 0, "db", "stale", text="@ b")]
    with store.transaction():
        store.put_cells(rows)
        store.replace_files({"x.mneme": "1", "y.mneme": "2"})
        store.replace_files({"x.mneme": "3"})
        store.put_files({"z.mneme": "4"})
        store.set_meta("mapping", "m")
        store.set_meta("mapping", "n")
    assert store.cells() == [rows[1], rows[0]]
    assert store.cells(["a", "none"]) == [rows[0]]
    assert store.cells(path="x.mneme") == [rows[1], rows[0]]
    assert store.cells(path="y.mneme") == []
    assert store.files() == {"x.mneme": "3", "z.mneme": "4"}
    assert (store.meta("mapping"), store.meta("schema"), store.meta("none")) == ("n", "1", "")
    assert store.foreign() == ["c", "d"]
    with store.transaction():
        store.place([("a", "y.mneme", 5)])
        store.remove_files(["x.mneme"])
        store.remove_cells(["b"])
    assert store.cells() == [rows[0]._replace(path="y.mneme", place=5)]
    assert store.files() == {"z.mneme": "4"}
    assert store.foreign() == ["b", "c", "d"]


def test_totals(store: Store) -> None:
    with store.transaction():
        store.put_insights([insight("e", category="fact", entities=("Go", "Rust")), insight("f", entities=("Go",))])
        store.soft_delete(["d"], NOW)
    assert store.totals() == {"insights": 5, "deleted": 1, "edges": 0, "operations": 0}
    assert store.categories() == {"fact": 1, "general": 4}
    assert store.top_entities() == [("Go", 2), ("Rust", 1)]
    assert list(store.insights(deleted=False)) == ["a", "b", "c", "e", "f"]


def test_effective_importance_is_stored(store: Store) -> None:
    """The table of 9.1: importance 3, seen 30 days ago, with two rows of edges."""
    then = "2026-10-26T00:00:00Z"
    with store.transaction():
        store.put_insights([insight("a", created_at=then), insight("b", created_at=then, last_accessed_at=MIDNIGHT)])
        store.put_edges([Edge("a", "b", "causal", 1.0), Edge("b", "a", "causal", 1.0)])
        now = datetime.datetime(2026, 11, 25, tzinfo=datetime.UTC)
        assert store.refresh_importance(["a"], now) == {"a": pytest.approx(0.3)}
        found = store.refresh_importance(None, now)
    assert found == pytest.approx({"a": 0.3, "b": 0.6, "c": 0.5, "d": 0.5})
    assert {one.id: one.effective_importance for one in store.insights().values()} == found


@pytest.mark.parametrize(
    ("moment", "days"),
    [
        ("2026-11-24T12:00:00Z", 1.0), ("2026-11-26T00:00:00+00:00", -0.5), ("2026-11-25", 0.5), ("", 0.0),
        ("soon", 0.0), ("2026-11-25T00:00:00Z", 0.0), ("2026-11-22T00:00:00Z", 3.0), ("2026-11-26T00:00:00Z", -1.0),
    ],
)  # fmt: skip
def test_days_since(moment: str, days: float) -> None:
    assert days_since(moment, datetime.datetime(2026, 11, 25, 12, tzinfo=datetime.UTC)) == days


# Another program writes the same file


def by_another(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mnemon.db"
    with open_store(path) as store, store.transaction():
        store.put_cell(
            insight("CELL", "alpha"), CellRow("CELL", "x.mneme", 0, "d", "live"), Words("CELL", body="alpha")
        )
        store.put_cell(insight("REST", "rest"), CellRow("REST", "x.mneme", 1, "d", "live"), Words("REST", body="rest"))
    return path


INSERT = (
    "INSERT OR REPLACE INTO insights (id, content, created_at, updated_at, entities) VALUES ('{}', '{}', '', '', '{}')"
)
OTHERS = {
    "inserts": (INSERT.format("NEW", "gamma", '["Delta"]'),),
    "replaces": (INSERT.format("CELL", "gamma", '["Delta"]'),),
    "replaces twice": (INSERT.format("CELL", "beta", "[]"), INSERT.format("CELL", "gamma", '["Delta"]')),
    "updates": ("UPDATE insights SET content = 'gamma', entities = '[\"Delta\"]' WHERE id = 'CELL'",),
    "deletes and inserts": ("DELETE FROM insights WHERE id = 'CELL'", INSERT.format("CELL", "gamma", '["Delta"]')),
}


@pytest.mark.parametrize("how", OTHERS)
def test_what_another_program_writes_is_found_at_once(file: Path, how: str) -> None:
    by_another(file, *OTHERS[how])
    id_ = "NEW" if how == "inserts" else "CELL"
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    ask = lambda reader: (reader.view().holders(["gamma"]), reader.view().with_entities(["delta"]))  # noqa: E731
    answer = ({"gamma": {id_}}, {"delta": {id_}})
    assert read(file, ask) == answer
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == before
    with memory_copy(file) as copy:
        assert ask(copy) == answer
    with open_store(file) as store:
        assert ask(store) == answer
        assert store.touched() == ([] if how == "inserts" else ["CELL"])
    assert read(file, ask) == answer
    with open_store(file) as store, store.transaction():
        store.put_cell(
            insight("CELL", "alpha"), CellRow("CELL", "x.mneme", 0, "d", "live"), Words("CELL", body="alpha")
        )
    with open_store(file) as store:
        assert store.touched() == []


def test_what_another_program_deletes_is_not_found(file: Path) -> None:
    by_another(file, "DELETE FROM insights WHERE id = 'CELL'")
    assert read(file, lambda reader: reader.view().holders(["alpha", "rest"])) == {"alpha": set(), "rest": {"REST"}}
    with open_store(file) as store:
        assert store.touched() == ["CELL"]


def test_a_soft_delete_by_another_program_is_noticed(file: Path) -> None:
    by_another(file, f"UPDATE insights SET deleted_at = '{NOW}' WHERE id = 'CELL'")
    with open_store(file) as store:
        assert store.touched() == ["CELL"]


def test_what_does_not_matter_to_look_ups_is_no_change(file: Path) -> None:
    by_another(file, "UPDATE insights SET access_count = 9, last_accessed_at = '2027', effective_importance = 1.0")
    assert read(file, lambda reader: reader._connection.execute("SELECT * FROM mneme_changed").fetchall()) == []
    with open_store(file) as store:
        assert store.touched() == []


def test_a_copy_in_memory_is_written_alone(file: Path) -> None:
    before = file.read_bytes()
    with memory_copy(file) as copy:
        with copy.transaction():
            copy.remove(["CELL"])
        assert copy.view().count() == 1
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_vacuum_by_another_program_moves_no_words(file: Path) -> None:
    """Row numbers of insights are not for keeping: VACUUM gives them anew."""
    with open_store(file) as store, store.transaction():
        store.remove(["CELL"])
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("VACUUM")
    assert read(file, lambda reader: reader.view().holders(["rest"])) == {"rest": {"REST"}}
