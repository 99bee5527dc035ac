"""Where a walk begins: the best of four signals, fused by rank (facts 7.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mneme.graph.view import View
from mneme.recall.evidence import Evidence
from mneme.recall.order import best

PER_SIGNAL = 20
"""How many insights each signal may name."""

RANK_OFFSET = 60
"""The constant of reciprocal rank fusion: the first of a list weighs 1/61."""

LEAST_COSINE = 0.1
"""A vector anchor is more similar than this."""


class Anchor(NamedTuple):
    """A start of the walk; the best one has the score 1. ``via`` names its only signal, or is ``hybrid``."""

    score: float
    via: str


def anchors(view: View, found: Evidence) -> dict[str, Anchor]:
    """Return the anchors by ID, in order of ID. A graph that is not empty has some: recency always names insights."""
    similar = {key: value for key, value in (found.similarity or {}).items() if value > LEAST_COSINE}
    return fuse(
        {
            "keyword": [hit.id for hit in best(view, found.keyword, PER_SIGNAL)],
            "vector": sorted(similar, key=lambda key: (-similar[key], key))[:PER_SIGNAL],
            "time": [insight.id for insight in view.newest(PER_SIGNAL)],
            "entity": [hit.id for hit in best(view, found.entity, PER_SIGNAL)],
        }
    )


def fuse(rankings: Mapping[str, Sequence[str]]) -> dict[str, Anchor]:
    """Fuse lists of IDs, best first: the sum of 1/(60 + place), places from 1, divided by the largest sum."""
    scores: dict[str, float] = {}
    via: dict[str, str] = {}
    for signal, ranking in rankings.items():
        for place, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (RANK_OFFSET + place)
            via[key] = "hybrid" if key in via else signal
    most = max(scores.values(), default=1.0)
    return {key: Anchor(scores[key] / most, via[key]) for key in sorted(scores)}
