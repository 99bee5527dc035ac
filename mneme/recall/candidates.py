"""What a new insight may be linked with, for whoever wrote it to judge (facts 3.9)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from mneme.graph.edges.causal import first_cue, sub_type
from mneme.graph.model import Insight
from mneme.graph.tokens import containment, tokens
from mneme.graph.view import View
from mneme.recall.order import best, ordered
from mneme.recall.search import Near, related

MIN_CONTAINMENT = 0.10
SEMANTIC = 5
HOPS, NODES = 2, 10

_LOOKED_AT = 200
"""So many of those that share most words are compared: a word that everybody has would mean all of them."""


class Alike(NamedTuple):
    """An insight with the words that it and the new one share, as a part of the shorter of the two, 0 to 1."""

    insight: Insight
    similarity: float


class Causal(NamedTuple):
    """An insight at most two edges away, and what the two texts say of causes: the first cue, the kind of cause."""

    insight: Insight
    hop: int
    via: str
    signal: str
    suggested: str


def semantic_candidates(view: View, new: Insight) -> list[Alike]:
    """Return the insights whose words are most like those of ``new``, which is in ``view``."""
    own = tokens(new.content)
    counts: Counter[str] = Counter()
    for holders in view.holders(sorted(own)).values():
        counts.update(set(holders))
    counts.pop(new.id, None)
    scores: dict[str, float] = {}
    insights: list[Insight] = []
    for one in best(view, counts, _LOOKED_AT):
        similarity = containment(own, tokens(one.content))
        if similarity >= MIN_CONTAINMENT and not one.deleted_at:
            scores[one.id] = similarity
            insights.append(one)
    return [Alike(one, scores[one.id]) for one in ordered(insights, scores)[:SEMANTIC]]


def causal_candidates(view: View, new: Insight) -> list[Causal]:
    """Return what is near ``new``, nearest first, with what speaks for a causal relation."""
    near = related(view, new.id, depth=1)
    if len(near) < NODES:
        near = related(view, new.id, depth=HOPS)
    return [_causal(new, one) for one in near[:NODES]]


def _causal(new: Insight, near: Near) -> Causal:
    other = near.insight.content
    signal = first_cue(other) or first_cue(new.content)
    return Causal(near.insight, near.depth, near.edge.type, signal, sub_type(new.content, other))
