"""The flat re-ranking of what the walk reached (facts 7.4), and what a superseded insight loses (7.5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from mneme.recall.evidence import Evidence


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

_FEWEST = 50
"""How many insights are asked about at once, at least."""


def weights(found: Evidence) -> Weights:
    """Return the weights for what is known: the question has a vector and some insight a usable one, or not."""
    return WITHOUT_EMBEDDINGS if found.similarity is None else WITH_EMBEDDINGS


def graph_signal(walked: Mapping[str, float]) -> dict[str, float]:
    """Return the walk's scores stretched to 0 to 1 over everything that was reached; 0 when all are equal."""
    least = min(walked.values(), default=0.0)
    span = max(walked.values(), default=0.0) - least
    return {key: (score - least) / span if span else 0.0 for key, score in walked.items()}


def signals(key: str, found: Evidence, graph: float) -> dict[str, float]:
    """Return the four signals of an insight, 0 to 1 each."""
    return {
        "keyword": found.keyword.get(key, 0.0),
        "entity": found.entity.get(key, 0.0),
        "similarity": max(0.0, (found.similarity or {}).get(key, 0.0)),
        "graph": graph,
    }


def scores(graph: Mapping[str, float], found: Evidence, weights: Weights) -> dict[str, float]:
    """Return the weighted sums of the signals of all that is in ``graph``."""
    keyword, entity, similarity = found.keyword.get, found.entity.get, (found.similarity or {}).get
    return {
        key: weights.keyword * keyword(key, 0.0)
        + weights.entity * entity(key, 0.0)
        + weights.similarity * max(0.0, similarity(key, 0.0))
        + weights.graph * value
        for key, value in graph.items()
    }


def lowered(
    scores: Mapping[str, float], limit: int, superseded: Callable[[Collection[str]], set[str]]
) -> tuple[dict[str, float], set[str]]:
    """Return the scores of all that can be among the first ``limit``, lowered where superseded; and which those are.

    A score can only sink, so what stands below enough others is not asked about.
    """
    first = sorted(scores, key=scores.__getitem__, reverse=True)
    final: dict[str, float] = {}
    old: set[str] = set()
    size = max(limit, _FEWEST)
    while len(final) < len(first):
        batch = first[len(final) : len(final) + size]
        gone = superseded(batch)
        old |= gone
        for key in batch:
            final[key] = scores[key] * SUPERSEDED_FACTOR if key in gone else scores[key]
        rest = first[len(final)] if len(final) < len(first) else None
        if rest is None or sum(score > scores[rest] for score in final.values()) >= limit:
            break
        size *= 4
    return final, old
