"""What an insight is worth today, and what is never pruned."""

from __future__ import annotations

from math import log

BASE = {1: 0.15, 2: 0.3, 3: 0.5, 4: 0.8, 5: 1.0}
"""What an insight of each importance is worth when new, never asked for and without edges."""

HALF_LIFE_DAYS = 30
"""After so many days without access, half of it is left."""

EDGE_SHARE, MAX_EDGES = 0.1, 5
"""What a row of an edge adds, as a share; and how many of them count."""

IMMUNE_IMPORTANCE, IMMUNE_ACCESSES = 4, 3
"""From either of these on, nothing prunes an insight by itself."""


def effective_importance(importance: int, access_count: int, days: float, edge_rows: int) -> float:
    """Return what an insight is worth: above 0, up to 1.5 for a new one, more with many accesses.

    Args:
        importance: 1 to 5; what is outside counts as the nearest of them.
        access_count: how often it was asked for.
        days: since it was last asked for, else since it was made; a time to come counts as now.
        edge_rows: rows that it is the source of plus rows that it is the target of; a mutual pair is two.
    """
    base = BASE[min(max(importance, 1), 5)]
    asked = max(1.0, log(1 + max(access_count, 0)))
    fresh: float = 0.5 ** (max(days, 0.0) / HALF_LIFE_DAYS)
    return base * asked * fresh * (1 + EDGE_SHARE * min(max(edge_rows, 0), MAX_EDGES))


def immune(importance: int, access_count: int) -> bool:
    """Whether an insight is never pruned automatically and never proposed for it."""
    return importance >= IMMUNE_IMPORTANCE or access_count >= IMMUNE_ACCESSES
