"""What a new insight may be linked with, for whoever wrote it to judge (facts 3.9)."""

from __future__ import annotations

from typing import NamedTuple

from mneme.graph.edges.causal import first_cue, sub_type
from mneme.graph.model import Insight
from mneme.graph.tokens import containment, tokens
from mneme.graph.view import View
from mneme.recall.ranking import rank
from mneme.recall.search import Near, related

MIN_CONTAINMENT = 0.10
SEMANTIC = 5
HOPS, NODES = 2, 10

_LOOKED_AT = 50
"""So many of the best are looked at: what links bring may share no word."""


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
    """Return what the default ranker finds when it is asked for what ``new``, which is in ``view``, says.

    At most :data:`SEMANTIC`, best first, and only what shares words: the engine's bound (facts 3.9) still holds.
    """
    ranking = rank(view.lexicon(), new.content)
    ids = [one.id for one in ranking.ranked if one.id != new.id and not one.superseded][:_LOOKED_AT]
    insights = view.get(ids)
    own = tokens(new.content)
    found: list[Alike] = []
    for key in ids:
        one = insights.get(key)
        if one is None or one.deleted_at:
            continue
        similarity = containment(own, tokens(one.content))
        if similarity >= MIN_CONTAINMENT:
            found.append(Alike(one, similarity))
        if len(found) == SEMANTIC:
            break
    return found


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
