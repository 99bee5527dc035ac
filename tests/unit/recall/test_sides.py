"""What contradicts each other stands together, the side that holds first."""

from __future__ import annotations

from functools import partial

import pytest

from mneme.graph.model import Edge
from mneme.recall import pipeline
from mneme.recall.result import CellFacts
from tests.graphs import MemoryView, insight

recall = partial(pipeline.recall, ranker="magma")

INSIGHTS = [
    insight("OLD", "port of the build server is 22", 1),
    insight("ONE", "port of the build server is 2222", 2),
    insight("TWO", "builds listen on 2022", 3),
    insight("XXX", "port in the cellar", 4),
    insight("YYY", "port in the attic", 5),
]
FORK = [Edge("ONE", "OLD", "supersedes", 1.0), Edge("TWO", "OLD", "supersedes", 1.0)]
QUERY = "port of the build server 2222"


def order(rows: list[Edge], facts: dict[str, CellFacts] | None = None, **asked: object) -> list[str]:
    return [hit.id for hit in recall(MemoryView(INSIGHTS, rows), QUERY, facts=facts, **asked).hits]  # type: ignore[arg-type]


def test_without_a_fork_the_sides_are_far_apart() -> None:
    assert order(FORK[:1]).index("TWO") > 2


CASES: dict[str, tuple[list[Edge], dict[str, CellFacts], list[str]]] = {
    "a fork without facts: the better score first": (FORK, {}, ["ONE", "TWO"]),
    "confidence wins": (FORK, {"ONE": CellFacts(conf="med"), "TWO": CellFacts(conf="high")}, ["TWO", "ONE"]),
    "then seen later": (
        FORK, {"ONE": CellFacts(seen="2026-11-01"), "TWO": CellFacts(seen="2026-11-02")}, ["TWO", "ONE"]
    ),
    "confidence before date": (
        FORK,
        {"ONE": CellFacts(conf="high", seen="2026-11-01"), "TWO": CellFacts(conf="low", seen="2026-11-02")},
        ["ONE", "TWO"],
    ),
    "no confidence is med": (FORK, {"ONE": CellFacts(conf="low"), "TWO": CellFacts()}, ["TWO", "ONE"]),
    "an unknown confidence is less than low": (
        FORK, {"ONE": CellFacts(conf="sure"), "TWO": CellFacts(conf="low")}, ["TWO", "ONE"]
    ),
    "a marked conflict": (
        [], {"ONE": CellFacts(rivals=("TWO",)), "TWO": CellFacts(rivals=("ONE",), conf="high")}, ["TWO", "ONE"]
    ),
    "marked on one side alone": ([], {"ONE": CellFacts(rivals=("TWO",))}, ["ONE", "TWO"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_both_sides_stand_together_the_winner_first(name: str) -> None:
    rows, facts, first = CASES[name]
    assert order(rows, facts)[:2] == first
    assert sorted(order(rows, facts)) == ["OLD", "ONE", "TWO", "XXX", "YYY"]


SETTLED: dict[str, tuple[list[Edge], dict[str, CellFacts]]] = {
    "one side is superseded": ([*FORK, Edge("ONE", "TWO", "supersedes", 1.0)], {}),
    "one side is stale": (FORK, {"TWO": CellFacts(state="stale")}),
    "one side is proposed": (FORK, {"TWO": CellFacts(state="proposed")}),
}


@pytest.mark.parametrize("name", SETTLED)
def test_what_is_settled_is_no_fork(name: str) -> None:
    rows, facts = SETTLED[name]
    answer = recall(MemoryView(INSIGHTS, rows), QUERY, facts=facts)
    assert all(hit.rivals == () for hit in answer.hits)


def test_each_side_names_the_other() -> None:
    rivals = {hit.id: hit.rivals for hit in recall(MemoryView(INSIGHTS, FORK), QUERY).hits}
    assert rivals == {"ONE": ("TWO",), "TWO": ("ONE",), "OLD": (), "XXX": (), "YYY": ()}


@pytest.mark.parametrize(("limit", "found"), [(1, ["ONE"]), (2, ["ONE", "TWO"]), (3, ["ONE", "TWO", "YYY"])])
def test_the_limit_holds_and_does_not_part_the_sides(limit: int, found: list[str]) -> None:
    assert order(FORK, limit=limit) == found


def test_sides_at_the_cut_displace_the_weaker_hit_before_them() -> None:
    facts = {"YYY": CellFacts(rivals=("TWO",)), "TWO": CellFacts(rivals=("YYY",))}
    assert order([], limit=3) == ["ONE", "OLD", "YYY"]
    assert order([], facts, limit=3) == ["ONE", "YYY", "TWO"]


def test_a_side_that_no_walk_reaches_is_brought_along() -> None:
    many = [insight(f"N{n:02}", "noise", 100 + n) for n in range(30)]
    facts = {"ONE": CellFacts(rivals=("TWO",)), "TWO": CellFacts(rivals=("ONE",), conf="high")}
    answer = recall(MemoryView([*INSIGHTS, *many]), "port of the build server 2222", facts=facts, limit=3)
    assert [hit.id for hit in answer.hits][:2] == ["TWO", "ONE"]
    assert answer.hits[0].path == ()


def test_three_sides() -> None:
    third = [*INSIGHTS, insight("TRI", "another word", 0)]
    rows = [*FORK, Edge("TRI", "OLD", "supersedes", 1.0)]
    facts = {"TRI": CellFacts(conf="high"), "TWO": CellFacts(conf="low")}
    assert [hit.id for hit in recall(MemoryView(third, rows), QUERY, facts=facts).hits][:3] == ["TRI", "ONE", "TWO"]


def test_causes_first_does_not_part_the_sides() -> None:
    rows = [*FORK, Edge("XXX", "TWO", "causal", 1.0)]
    found = order(rows, intent="WHY")
    assert found.index("TWO") == found.index("ONE") + 1
