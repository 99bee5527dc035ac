"""What recall sees of a store: scopes, words in every script, and no look-up that reads everything."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mneme.graph.model import Edge, Insight
from mneme.graph.store import CellRow, Store, StoreView, Words, memory_store, open_store, read
from mneme.graph.store.reader import Reader
from mneme.graph.tokens import tokens
from mneme.graph.view import Scope, View

NOW = "2026-11-25T12:00:00Z"


def insight(id_: str, content: str = "nothing", **more: object) -> Insight:
    return Insight(id_, content, created_at=str(more.pop("created", "2026-01-01T00:00:00Z")))._replace(**more)  # type: ignore[arg-type]


@pytest.fixture
def store() -> Iterator[Store]:
    with memory_store() as one:
        with one.transaction():
            one.put_insights(
                [
                    insight(
                        "DEC-0001", "SQLite is the cache", category="decision", entities=("SQLite",), tags=("store",)
                    ),
                    insight(
                        "FACT-0001",
                        "the cache is slow",
                        category="fact",
                        source="agent",
                        created="2026-01-03T00:00:00Z",
                    ),
                    insight("FACT-0002", "the cache is old", category="fact", deleted_at=NOW, entities=("sqlite",)),
                    insight(
                        "FACT-0003",
                        "the cache may go",
                        category="fact",
                        entities=("SQLITE",),
                        created="2026-01-02T00:00:00Z",
                    ),
                    insight("TODO-0001", "clear it", category="context", created="2026-01-03T00:00:00Z"),
                ]
            )
            one.put_cells(
                [CellRow("DEC-0001", "a.mneme", 0, "d", "live"), CellRow("FACT-0003", "a.mneme", 1, "d", "proposed")]
            )
            one.put_edges(
                [
                    Edge("DEC-0001", "FACT-0001", "causal", 0.5),
                    Edge("FACT-0003", "DEC-0001", "supersedes", 1.0),
                    Edge("FACT-0001", "TODO-0001", "supersedes", 1.0),
                    Edge("DEC-0001", "DEC-0001", "semantic", 0.5),
                ]
            )
            one.put_vectors(dict.fromkeys(("DEC-0001", "FACT-0002", "FACT-0003"), b"\0\0\0\0"))
        yield one


ALL = Scope(every_state=True)
CASES: list[tuple[Scope, Callable[[StoreView], object], object]] = [
    (Scope(), StoreView.count, 3),
    (ALL, StoreView.count, 5),
    (Scope(category="fact"), StoreView.count, 1),
    (Scope(category="fact", every_state=True), StoreView.count, 3),
    (Scope(source="agent"), StoreView.count, 1),
    (Scope(category="decision", source="agent"), StoreView.count, 0),
    (Scope(), lambda view: [one.id for one in view.newest(9)], ["FACT-0001", "TODO-0001", "DEC-0001"]),
    (Scope(), lambda view: [one.id for one in view.newest(1)], ["FACT-0001"]),
    (Scope(), lambda view: view.newest(0), []),
    (ALL, lambda view: [one.id for one in view.newest(3)], ["FACT-0001", "TODO-0001", "FACT-0003"]),
    (Scope(category="context"), lambda view: [one.id for one in view.newest(3)], ["TODO-0001"]),
    (Scope(source="user"), lambda view: [one.id for one in view.newest(3)], ["TODO-0001", "DEC-0001"]),
    (Scope(), lambda view: set(view.get(["DEC-0001", "FACT-0002", "FACT-0003", "none"])), {"DEC-0001"}),
    (ALL, lambda view: len(view.get(["DEC-0001", "FACT-0002", "FACT-0003", "none"])), 3),
    (Scope(category="fact"), lambda view: set(view.get(["DEC-0001", "FACT-0001"])), {"FACT-0001"}),
    (Scope(), lambda view: view.holders(["cache", "none"]), {"cache": {"DEC-0001", "FACT-0001"}, "none": set()}),
    (ALL, lambda view: len(view.holders(["cache"])["cache"]), 4),
    (Scope(category="fact"), lambda view: view.holders(["cache"]), {"cache": {"FACT-0001"}}),
    (Scope(), lambda view: view.holders(["store", "sqlite"]), {"store": {"DEC-0001"}, "sqlite": {"DEC-0001"}}),
    (Scope(), lambda view: view.with_entities(["sqlite", "go"]), {"sqlite": {"DEC-0001"}, "go": set()}),
    (ALL, lambda view: view.with_entities(["sqlite"]), {"sqlite": {"DEC-0001", "FACT-0002", "FACT-0003"}}),
    (Scope(category="fact"), lambda view: view.with_entities(["sqlite"]), {"sqlite": set()}),
    (Scope(), lambda view: view.superseded(["DEC-0001", "TODO-0001", "FACT-0001"]), {"TODO-0001"}),
    (ALL, lambda view: view.superseded(["DEC-0001", "TODO-0001"]), {"DEC-0001", "TODO-0001"}),
    (Scope(category="context"), lambda view: view.superseded(["TODO-0001"]), {"TODO-0001"}),
    (Scope(), lambda view: set(view.vectors()), {"DEC-0001"}),
    (ALL, lambda view: set(view.vectors()), {"DEC-0001", "FACT-0002", "FACT-0003"}),
    (ALL, lambda view: set(view.vectors(["FACT-0002", "TODO-0001"])), {"FACT-0002"}),
    (Scope(category="fact"), lambda view: set(view.vectors()), set()),
    (
        Scope(),
        lambda view: {
            key: sorted(one[:3] for one in value) for key, value in view.edges_of(["DEC-0001", "x"]).items()
        },
        {"DEC-0001": [("DEC-0001", "DEC-0001", "semantic"), ("DEC-0001", "FACT-0001", "causal")]},
    ),
    (ALL, lambda view: len(view.edges_of(["DEC-0001"])["DEC-0001"]), 3),
    (
        Scope(category="decision"), lambda view: [one[:3] for one in view.edges_of(["DEC-0001"])["DEC-0001"]],
        [("DEC-0001", "DEC-0001", "semantic")],
    ),
    (Scope(), lambda view: {key: len(value) for key, value in view.edges_of(["FACT-0001", "TODO-0001"]).items()},
     {"FACT-0001": 2, "TODO-0001": 1}),
    (Scope(), lambda view: view.edges_of(["FACT-0002"]), {}),
]  # fmt: skip


@pytest.mark.parametrize(("scope", "ask", "answer"), CASES)
def test_a_view(store: Store, scope: Scope, ask: Callable[[StoreView], object], answer: object) -> None:
    assert ask(store.view(scope)) == answer


def test_a_store_view_is_a_view(store: Store) -> None:
    view: View = store.view()
    assert view.count() == 3


SCRIPTS = {
    "marks": "हिन्दी में किताब",
    "decomposed": "cafe\u0301 re\u0301sume\u0301",
    "kana": "カタカナ と ひらがな",
    "hangul": "한국어 문장",
    "Thai": "ภาษาไทย",
    "Han": "知识图谱",
    "Arabic": "قاعدة البيانات",
    "Cyrillic": "База данных",
    "Greek": "ΟΔΟΣ οδός",
    "Turkish": "İstanbul ıssız",
    "German": "Straße STRASSE",
    "identifiers": "snake_case camelCase kebab-case v1.2.3 C++ a/b/c.py",
    "quotes": 'say "no" AND (yes OR NOT maybe) * ^ NEAR',
    "four bytes": "𝒳 😀 𠀀𠀁",
    "a null byte": "before\0after",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_token_of_ours_is_one_of_the_index(script: str) -> None:
    """Every token finds its insight, and nothing that is less or more than one does."""
    text = SCRIPTS[script]
    others = {name: other for name, other in SCRIPTS.items() if name != script}
    with memory_store() as store:
        with store.transaction():
            store.put_insights([insight("it", text), *(insight(name, other) for name, other in others.items())])
        wanted = tokens(text)
        assert wanted
        for token, holders in store.view().holders(wanted).items():
            assert holders == {"it"} | {name for name, other in others.items() if token in tokens(other)}
        pieces = {token[:-1] for token in wanted} | {f"{token}x" for token in wanted} | {""}
        found = store.view().holders(pieces)
        for piece in pieces:
            assert found[piece] == {name for name, other in SCRIPTS.items() if piece in tokens(other)}


def test_extra_words_are_not_held(store: Store) -> None:
    with store.transaction():
        store.put_words([Words("DEC-0001", gist="the gist", extra="synonym")])
    assert store.view().holders(["synonym", "gist"]) == {"synonym": set(), "gist": {"DEC-0001"}}


ALLOWED = ("json_each", "mneme_newest", "mneme_deleted", "mneme_embedded", "mneme_cells_proposed", "w VIRTUAL TABLE")


@pytest.mark.parametrize("scope", [Scope(), ALL, Scope("fact"), Scope("", "agent"), Scope("fact", "agent")])
def test_no_look_up_reads_a_whole_table(tmp_path: Path, scope: Scope) -> None:
    path = tmp_path / "s.db"
    with open_store(path) as store, store.transaction():
        store.put_insights(insight(f"X-{number}", category="fact", source="agent") for number in range(200))
        store.put_edges(Edge(f"X-{number}", f"X-{number + 1}", "supersedes", 1.0) for number in range(199))

    def plans(reader: Reader) -> list[tuple[str, str]]:
        connection: sqlite3.Connection = reader._connection
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        view = reader.view(scope)
        ids = ["X-1", "X-2", "X-3"]
        for ask in (
            view.get, view.holders, view.with_entities, view.edges_of, view.superseded, view.vectors,
        ):  # fmt: skip
            ask(ids)
        view.newest(3)
        connection.set_trace_callback(None)
        asked = [statement for statement in statements if "'main'." not in statement]  # not FTS5's own
        assert len(asked) > 7
        return [
            (statement, step)
            for statement in asked
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}")
        ]

    for statement, step in read(path, plans):
        scan = step.startswith("SCAN") and not any(name in step for name in ALLOWED)
        assert not scan, f"{step}: {statement}"
        assert not step.startswith("USE TEMP B-TREE FOR ORDER BY"), statement
