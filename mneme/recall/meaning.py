"""What is near a question by vectors of an embedding model, on a scale that can be added to scores of words.

A cosine means little by itself: some questions are near everything. So what counts is how far a cell stands out among
all cells of the store, in standard deviations, and of that what is more than chance brings. Needs numpy, and is
imported only when a question has a vector.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from mneme.recall.weights import CANDIDATES

FAR = 4.0
"""So many standard deviations above the mean count as one."""

CHANCE = 1.0
"""Standard deviations above the mean that mean nothing: a sixth of all cells have them."""

BEYOND, SLOPE = 0.3, 0.5
"""Standard deviations beyond the best of mere chance at which there is an answer as likely as not, and how soon that
changes."""

FEWEST = 3
"""With fewer vectors nothing stands out."""


class Vectors:
    """The vectors of a store, by ID: those that can be compared with a question."""

    def __init__(self, stored: Mapping[str, bytes], size: int) -> None:
        """``size``: bytes of the question's vector. Vectors of another size, or without length, take no part."""
        kept = sorted(key for key, blob in stored.items() if len(blob) == size)
        numbers: Any = np.frombuffer(b"".join([stored[key] for key in kept]), dtype="<f4")
        numbers = numbers.reshape(len(kept), size // 4)
        lengths = np.sqrt(np.einsum("ij,ij->i", numbers, numbers, dtype=np.float64))
        with np.errstate(over="ignore", invalid="ignore"):
            usable = np.isfinite(lengths) & (lengths > 0)
        if not usable.all():
            kept = [key for key, fine in zip(kept, usable, strict=True) if fine]
            numbers, lengths = numbers[usable], lengths[usable]
        self.ids = kept
        self._place = {key: place for place, key in enumerate(kept)}
        self._numbers = numbers
        self._lengths = lengths

    def place(self, key: str) -> int | None:
        """Return where the insight ``key`` stands in ``ids``; None when it has no vector."""
        return self._place.get(key)

    def cosines(self, vector: bytes) -> Any:
        """Return the cosine of ``vector`` to each of ``ids``."""
        asked = np.frombuffer(vector, dtype="<f4").astype(np.float64)
        length = float(np.sqrt(asked @ asked))
        if not np.isfinite(length) or not length:
            return np.zeros(len(self.ids))
        return (self._numbers @ (asked / length).astype(np.float32)) / self._lengths


class Meaning:
    """How near the insights of a store are to one question."""

    def __init__(self, vectors: Vectors, question: bytes) -> None:
        self._vectors = vectors
        self._cosines = vectors.cosines(question)
        self._standing = _standing_out(self._cosines)
        self._outstanding = np.clip((self._standing - CHANCE) / FAR, 0.0, None)

    @property
    def chance(self) -> float:
        """How likely it is, 0 to 1, that something here answers the question: how far the nearest stands out.

        Held against what the best of so many cells would reach by chance, so that neither model nor store matter much.
        """
        count = len(self._outstanding)
        if count < FEWEST:
            return 0.0
        best = float(self._standing.max())
        return 1 / (1 + math.exp((math.sqrt(2 * math.log(count)) + BEYOND - best) / SLOPE))

    def candidates(self, limit: int = CANDIDATES) -> list[str]:
        """Return the IDs that stand out most."""
        scores = np.round(self._outstanding, 6)
        order = np.lexsort((np.arange(len(scores)), -scores))[:limit]
        return [self._vectors.ids[place] for place in order if scores[place] > 0]

    def share(self, key: str) -> float:
        """Return how far the insight ``key`` stands out, from 0, about 1 when nothing is nearer; 0 without vector."""
        place = self._vectors.place(key)
        return 0.0 if place is None else round(float(self._outstanding[place]), 6)

    def cosine(self, key: str) -> float:
        """Return the cosine of the insight ``key``, at least 0; 0 without vector."""
        place = self._vectors.place(key)
        return 0.0 if place is None else max(0.0, round(float(self._cosines[place]), 6))


def _standing_out(cosines: Any) -> Any:
    """Return by how many standard deviations each is above the mean."""
    if len(cosines) < FEWEST:
        return np.zeros(len(cosines))
    spread = float(cosines.std())
    return (cosines - cosines.mean()) / spread if spread > 1e-6 else np.zeros(len(cosines))
