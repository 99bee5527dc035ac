"""Search by words, by text, and by edges (engine's facts, 5.2, 7.10, 8.2, 8.3)."""

from __future__ import annotations

import pytest

from mneme.errors import UsageError
from mneme.graph.model import Edge
from mneme.recall.search import basic, related, search
from tests.graphs import MemoryView, insight, pair

SEARCHES = {
    "5.2 share of the query": ("alpha beta", [("A", 1.0), ("B", 0.5), ("C", 0.5)]),
    "5.2 importance breaks a tie, then time": ("beta", [("A", 1.0), ("C", 1.0), ("D", 1.0)]),
    "5.2 zero is dropped": ("omega", []),
    "5.2 an empty query": ("", []),
    "5.2 stop words alone": ("the is a an", []),
    "8.3 not rounded": ("alpha beta omega", [("A", 2 / 3), ("B", 1 / 3), ("C", 1 / 3)]),
    "11.3 never syntax": ('alpha AND NOT "beta*" OR (', [("A", 2 / 2), ("B", 1 / 2), ("C", 1 / 2)]),
}


@pytest.mark.parametrize("check", SEARCHES)
def test_search(check: str) -> None:
    query, found = SEARCHES[check]
    view = MemoryView(
        [
            insight("A", "alpha beta", importance=5),
            insight("B", "alpha", 2, importance=4),
            insight("C", "beta", 3),
            insight("D", "none", 2, tags=("beta",)),
        ]
    )
    assert [(one.insight.id, one.score) for one in search(view, query, limit=3)] == found


BASICS = {
    "7.10 as it stands": ("ip 10", ["B"]),
    "7.10 case does not count": ("TIMEOUT", ["A", "C"]),
    "7.10 important first, then newer": ("t", ["B", "A", "C"]),
    "11.3 per cent is no wildcard": ("100%", ["C"]),
    "11.3 underscore is no wildcard": ("a_b", ["A"]),
    "7.10 nothing": ("t_o", []),
}


@pytest.mark.parametrize("check", BASICS)
def test_basic(check: str) -> None:
    query, found = BASICS[check]
    view = MemoryView(
        [
            insight("A", "timeout of a_b", 2),
            insight("B", "the ip 10.0.0.1", importance=5),
            insight("C", "Timeout 100% of axb", 1),
        ]
    )
    assert [one.id for one in basic(view, query)] == found


ROWS = [
    Edge("A", "B", "causal", 0.4),
    Edge("C", "A", "causal", 0.9),
    *pair("B", "D", "entity"),
    Edge("D", "E", "temporal", 1.0),
    Edge("A", "A", "semantic", 1.0),
]

RELATED = {
    "8.2 two levels, either direction": ({}, [("C", 1, "causal"), ("B", 1, "causal"), ("D", 2, "entity")]),
    "8.2 one level": ({"depth": 1}, [("C", 1, "causal"), ("B", 1, "causal")]),
    "8.2 three levels": (
        {"depth": 3},
        [("C", 1, "causal"), ("B", 1, "causal"), ("D", 2, "entity"), ("E", 3, "temporal")],
    ),
    "8.2 one type": ({"edge_type": "causal", "depth": 9}, [("C", 1, "causal"), ("B", 1, "causal")]),
    "8.2 a type that is not there": ({"edge_type": "supersedes"}, []),
}


@pytest.mark.parametrize("check", RELATED)
def test_related(check: str) -> None:
    asked, reached = RELATED[check]
    view = MemoryView([insight(key, key) for key in "ABCDE"], ROWS)
    assert [(one.insight.id, one.depth, one.edge.type) for one in related(view, "A", **asked)] == reached  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"start": "X"}, "no insight X"),
        ({"edge_type": "next"}, "no edge type 'next'"),
        ({"depth": 0}, "depth is 0"),
    ],
)
def test_8_13_what_cannot_be_related(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        related(MemoryView([insight("A", "x")]), **{"start": "A", **wrong})  # type: ignore[arg-type]
    assert caught.value.hint


def test_a_limit_of_nothing_is_refused() -> None:
    for work in (search, basic):
        with pytest.raises(UsageError, match="limit is 0"):
            work(MemoryView([]), "x", limit=0)
