"""The order in which cells arrive, and which arrivals a change touches.

Cells arrive by ``since``, path, place in the file. The engine draws edges from a new insight to a window of earlier
ones, so a change touches only the arrivals in whose windows something came, went or moved. :func:`affected` finds them
without looking at the others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise

WINDOW = 10
"""Earlier arrivals that a new one is held against, of the same source, and of any."""

HOLDERS = 5
"""Earlier arrivals with the same entity."""


def moved(old: Sequence[str], new: Sequence[str]) -> set[str]:
    """Return the fewest members of both sequences without which those that stay stand in the same order in both."""
    rank = {name: index for index, name in enumerate(old)}
    common = [name for name in new if name in rank]
    ranks = [rank[name] for name in common]
    if all(left < right for left, right in pairwise(ranks)):
        return set()
    kept = _longest_increasing(ranks)
    return {name for name, number in zip(common, ranks, strict=True) if number not in kept}


def _longest_increasing(numbers: Sequence[int]) -> set[int]:
    """Return the members of one longest increasing subsequence of different numbers (patience sorting)."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(tails, number)
        before[number] = tails[at - 1] if at else None
        tails[at : at + 1] = [number]
    kept: set[int] = set()
    current = tails[-1] if tails else None
    while current is not None:
        kept.add(current)
        current = before[current]
    return kept


def affected(
    changed: Collection[str],
    old: Sequence[str],
    new: Sequence[str],
    source: Callable[[str], str],
    old_source: Callable[[str], str],
    entities: Mapping[str, Collection[str]],
    holders: Callable[[str], Iterable[str]],
) -> set[str]:
    """Return the members of ``new`` whose edges to earlier ones may differ from what they were.

    ``changed`` is what came, went, moved, or says something else; the others stand in the same order in ``old`` and
    ``new``, the arrivals before and after. ``source`` and ``old_source`` say whom a member of new or old is from,
    ``entities`` what a changed member has or had, ``holders`` which members have an entity.
    """
    unchanged = [name for name in new if name not in changed]
    rank = {name: index for index, name in enumerate(unchanged)}
    by_source: dict[str, list[int]] = {}
    for index, name in enumerate(unchanged):
        by_source.setdefault(source(name), []).append(index)
    found = {name for name in new if name in changed}

    def touch(name: str, place: int, its_source: str) -> None:
        found.update(unchanged[place : place + WINDOW])
        same = by_source.get(its_source, [])
        at = bisect_left(same, place)
        found.update(unchanged[index] for index in same[at : at + WINDOW])
        for entity in entities.get(name, ()):
            later = sorted(index for index in ranks_of(entity) if index >= place)
            found.update(unchanged[index] for index in later[:HOLDERS])

    known: dict[str, list[int]] = {}

    def ranks_of(entity: str) -> list[int]:
        if entity not in known:
            known[entity] = [rank[name] for name in holders(entity) if name in rank]
        return known[entity]

    for sequence, source_of in ((old, old_source), (new, source)):
        place = 0
        for name in sequence:
            if name in changed:
                touch(name, place, source_of(name))
            else:
                place += 1
    return found
