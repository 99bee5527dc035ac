"""What a receipt proposes to link (engine's facts, 3.9, without embeddings)."""

from __future__ import annotations

import pytest

from mneme.graph.model import Edge
from mneme.recall.candidates import causal_candidates, semantic_candidates
from tests.graphs import MemoryView, insight, pair

OLD = [insight("A", "alpha"), insight("C", "gamma delta")]
NEW = insight("NEW", "alpha beta gamma because delta", 50)


def test_semantic_candidates_are_what_the_default_ranker_finds() -> None:
    """3.9 and 5.4: a share of the shorter text from 0.10 on, at most five; in the order of the ranker."""
    long = " ".join(f"w{number}" for number in range(30))
    view = MemoryView(
        [
            NEW,
            insight("A", "alpha"),
            insight("B", "beta other"),
            insight("C", "gamma delta", 2, importance=5),
            insight("D", "unheard of"),
            insight("E", f"alpha {long}"),
            insight("F", "only tagged", tags=("alpha",)),
        ]
    )
    found = [(one.insight.id, one.similarity) for one in semantic_candidates(view, NEW)]
    assert found == [("C", 1.0), ("B", 0.5), ("A", 1.0), ("E", 0.2)]
    many = [insight(f"M{number}", "alpha beta", number) for number in range(9)]
    found = [(one.insight.id, one.similarity) for one in semantic_candidates(MemoryView([NEW, *many]), NEW)]
    assert found == [(f"M{number}", 1.0) for number in range(5)]
    gone = [Edge("A", "C", "supersedes", 1.0)]
    found = [(one.insight.id, one.similarity) for one in semantic_candidates(MemoryView([NEW, *OLD], gone), NEW)]
    assert found == [("A", 1.0)]


CAUSAL = {
    "3.9 both hops, whatever the type": (
        [*pair("NEW", "A", "temporal"), Edge("A", "B", "causal", 0.4), Edge("B", "C", "entity", 1.0)],
        [("A", 1, "temporal", "because", "causes"), ("B", 2, "causal", "so that", "enables")],
    ),
    "3.9 the neighbour's cue before one's own": (
        [Edge("B", "NEW", "causal", 0.4)], [("B", 1, "causal", "so that", "enables")],
    ),
    "3.9 what speaks against": ([Edge("C", "NEW", "entity", 1.0)], [("C", 1, "entity", "because", "prevents")]),
    "3.9 nothing near": ([], []),
}  # fmt: skip


@pytest.mark.parametrize("check", CAUSAL)
def test_causal_candidates(check: str) -> None:
    edges, wanted = CAUSAL[check]
    view = MemoryView(
        [NEW, insight("A", "plain"), insight("B", "locked so that nobody writes"), insight("C", "blocked by a")], edges
    )
    found = [(one.insight.id, one.hop, one.via, one.signal, one.suggested) for one in causal_candidates(view, NEW)]
    assert found == wanted


def test_at_most_ten_nodes() -> None:
    """3.9: the near ones first."""
    others = [insight(f"A{number:02d}", "x") for number in range(14)]
    edges = [row for one in others for row in pair("NEW", one.id, "entity")] + pair("A00", "B", "temporal")
    found = causal_candidates(MemoryView([NEW, *others, insight("B", "y")], edges), NEW)
    assert [one.insight.id for one in found] == [f"A{number:02d}" for number in range(10)]
    assert {one.hop for one in found} == {1}
