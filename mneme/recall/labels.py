"""What a reader is told beside the score: a word for its height, and a hint when little was found (facts 7.8, 7.9)."""

from __future__ import annotations

from math import floor

MEDIUM_FROM = 0.25
HIGH_FROM = 0.60

SPARSE = "sparse_results"


def rounded(score: float) -> float:
    """Return ``score`` with 3 decimals, a half away from zero."""
    size = floor(abs(score) * 1000 + 0.5) / 1000
    return size if score >= 0 else -size


def confidence(score: float) -> str:
    """Return ``low``, ``medium`` or ``high`` for a score, after rounding."""
    value = rounded(score)
    return "high" if value >= HIGH_FROM else "medium" if value >= MEDIUM_FROM else "low"


def hint(count: int, limit: int) -> str:
    """Return the hint for ``count`` results of ``limit`` wanted: that few insights are in scope, or nothing."""
    return SPARSE if not count or count < limit // 2 else ""
