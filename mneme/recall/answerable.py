"""How likely it is that the store holds an answer at all."""

from __future__ import annotations

import math

from mneme.recall.ranking import Ranking

THRESHOLD = 0.2
"""Below this, recall says that nothing here is about that."""


def answerable(ranking: Ranking) -> float:
    """Return the chance, 0 to 1, that something in ``ranking`` answers the question."""
    if not ranking.ranked:
        return 0.0
    return 1 / (1 + math.exp(-(ranking.strongest / 10 - 1)))
