"""The flat re-ranking of what the walk reached (facts 7.4), and what a superseded insight loses (7.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mneme.recall.evidence import Evidence
from mneme.recall.walk import Reached


class Weights(NamedTuple):
    """What each signal counts in the score; together 1."""

    keyword: float
    entity: float
    similarity: float
    graph: float


WITH_EMBEDDINGS = Weights(0.30, 0.15, 0.35, 0.20)
WITHOUT_EMBEDDINGS = Weights(0.45, 0.25, 0.0, 0.30)

SUPERSEDED_FACTOR = 0.25
"""What the score of an insight is multiplied by when another one supersedes it."""


def weights(found: Evidence) -> Weights:
    """Return the weights for what is known: the question has a vector and some insight a usable one, or not."""
    return WITHOUT_EMBEDDINGS if found.similarity is None else WITH_EMBEDDINGS


def graph_signal(reached: Mapping[str, Reached]) -> dict[str, float]:
    """Return the walk's scores stretched to 0 to 1 over everything that was reached; 0 when all are equal."""
    raw = [one.score for one in reached.values()]
    least = min(raw, default=0.0)
    span = max(raw, default=0.0) - least
    return {key: (one.score - least) / span if span else 0.0 for key, one in reached.items()}


def signals(key: str, found: Evidence, graph: float) -> dict[str, float]:
    """Return the four signals of an insight, 0 to 1 each."""
    return {
        "keyword": found.keyword.get(key, 0.0),
        "entity": found.entity.get(key, 0.0),
        "similarity": max(0.0, (found.similarity or {}).get(key, 0.0)),
        "graph": graph,
    }


def score(parts: Mapping[str, float], weights: Weights, *, superseded: bool) -> float:
    """Return the weighted sum of the four signals, lowered for an insight that is superseded."""
    total = (
        weights.keyword * parts["keyword"]
        + weights.entity * parts["entity"]
        + weights.similarity * parts["similarity"]
        + weights.graph * parts["graph"]
    )
    return total * SUPERSEDED_FACTOR if superseded else total
