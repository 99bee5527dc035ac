"""The order of results, without accidents (facts 7.6 and, for equal keyword scores, 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mneme.graph.model import Insight
from mneme.graph.view import View


def ordered(insights: Iterable[Insight], scores: Mapping[str, float]) -> list[Insight]:
    """Return ``insights`` by score, then importance, then the newer one, all descending; then by ID."""
    by_id = sorted(insights, key=lambda insight: insight.id)
    by_time = sorted(by_id, key=lambda insight: insight.created_at, reverse=True)
    return sorted(by_time, key=lambda insight: (-scores[insight.id], -insight.importance))


def best(view: View, scores: Mapping[str, float], limit: int) -> list[Insight]:
    """Return the first ``limit`` of the scored insights in order, reading those alone that can be among them."""
    if limit <= 0:
        return []
    descending = sorted(scores.values(), reverse=True)
    least = descending[limit - 1] if len(descending) > limit else float("-inf")
    insights = view.get([key for key, score in scores.items() if score >= least])
    return ordered(insights.values(), scores)[:limit]
