"""Links between cells as the default ranker walks them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mneme.graph.fulltext import Tie
from mneme.recall.weights import Weights

REPLACED, REPLACES = "superseded-by", "supersedes"


class Bond(NamedTuple):
    """A link seen from one of its ends: ``other`` is the far end, ``forward`` whether the link is written here."""

    other: str
    relation: str
    forward: bool


class Bonds:
    """Links by cell; supersession apart from the rest, whichever of its two halves is written."""

    def __init__(self) -> None:
        self._links: dict[str, set[Bond]] = {}
        self._newer: dict[str, set[str]] = {}
        self._older: dict[str, set[str]] = {}

    def add(self, ties: Iterable[Tie]) -> None:
        """Take in ``ties``; the same one twice is one. A cell's link to itself says nothing."""
        for source, relation, target in ties:
            if source == target:
                continue
            if relation in (REPLACED, REPLACES):
                old, new = (source, target) if relation == REPLACED else (target, source)
                self._newer.setdefault(old, set()).add(new)
                self._older.setdefault(new, set()).add(old)
            else:
                self._links.setdefault(source, set()).add(Bond(target, relation, forward=True))
                self._links.setdefault(target, set()).add(Bond(source, relation, forward=False))

    def take(self, other: Bonds) -> None:
        """Take in what ``other`` knows."""
        for mine, theirs in ((self._links, other._links), (self._newer, other._newer), (self._older, other._older)):
            for key, found in theirs.items():
                mine.setdefault(key, set()).update(found)  # type: ignore[arg-type]

    def of(self, key: str) -> list[Bond]:
        """Return the links of ``key`` other than supersession, ordered."""
        return sorted(self._links.get(key, ()))

    def replaced(self) -> set[str]:
        """Return everything that something supersedes."""
        return set(self._newer)

    def newer(self, key: str) -> list[str]:
        """Return what supersedes ``key``, one step, ordered."""
        return sorted(self._newer.get(key, ()))

    def older(self, key: str) -> list[str]:
        """Return what ``key`` supersedes, one step, ordered."""
        return sorted(self._older.get(key, ()))

    def predecessors(self, key: str, known: Mapping[str, object]) -> list[str]:
        """Return everything that ``key`` supersedes, by any number of steps, as far as it is in ``known``; ordered."""
        found: set[str] = set()
        ahead = [key]
        while ahead:
            for old in self.older(ahead.pop()):
                if old not in found and old != key and old in known:
                    found.add(old)
                    ahead.append(old)
        return sorted(found)


def spread(bond: Bond, weights: Weights) -> float:
    """Return the share of a cell's score that goes along ``bond``."""
    return (weights.forward if bond.forward else weights.backward).get(bond.relation, 0.0)
