"""In which order the items of a merged file stand.

What no side moved keeps the order of the base. What a side added or moved stands where that side has it; what both
added at one place is put together by comparing first items, so that each side's order is kept and it makes no
difference which side is which, or which of three branches is merged first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from itertools import pairwise
from typing import Any

Rank = Callable[[int], Any]
"""What an item is ordered by among additions; None for one that stays with the item after it (a comment)."""


def merge_order(base: Sequence[int], one: Sequence[int], two: Sequence[int], gone: Set[int], rank: Rank) -> list[int]:
    """Return the keys of the merged file. ``gone``: the keys that a side took away for good."""
    in_one, in_two = set(one), set(two)
    both = [key for key in base if key in in_one and key in in_two]
    place = {key: at for at, key in enumerate(both)}
    moved_one, moved_two = _moved(one, place), _moved(two, place)
    fixed = [key for key in both if key not in moved_one and key not in moved_two]
    runs_one = _runs(one, fixed, gone | (moved_two - moved_one))
    runs_two = _runs(two, fixed, gone | (moved_one - moved_two))
    _place_once(runs_one, runs_two)
    order: list[int] = []
    for at, (mine, other) in enumerate(zip(runs_one, runs_two, strict=True)):
        order += _woven(mine, other, rank)
        if at < len(fixed):
            order.append(fixed[at])
    return order


def _moved(side: Sequence[int], place: dict[int, int]) -> set[int]:
    """Return the keys that stand out of order in ``side``: as few as possible."""
    places = [place[key] for key in side if key in place]
    if all(left < right for left, right in pairwise(places)):
        return set()
    kept = _longest_increasing(places)
    return {key for key in side if key in place and place[key] not in kept}


def _longest_increasing(values: Sequence[int]) -> set[int]:
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, value in enumerate(values):
        length = bisect_left(tails, value)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(value)
            ends.append(at)
        else:
            tails[length] = value
            ends[length] = at
    kept: set[int] = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        kept.add(values[at])
        at = before[at]
    return kept


def _runs(side: Sequence[int], fixed: Sequence[int], skip: Set[int]) -> list[list[int]]:
    """Return what stands in ``side`` before the first of ``fixed``, between each two, and after the last."""
    limits = set(fixed)
    runs: list[list[int]] = [[]]
    for key in side:
        if key in limits:
            runs.append([])
        elif key not in skip:
            runs[-1].append(key)
    return runs


def _place_once(ones: list[list[int]], twos: list[list[int]]) -> None:
    """Take what both sides put at different places away from the later one."""
    where = {key: at for at, run in enumerate(ones) for key in run}
    for at, run in enumerate(twos):
        for key in [key for key in run if where.get(key, at) != at]:
            if where[key] < at:
                run.remove(key)
            else:
                ones[where[key]].remove(key)


def _woven(one: list[int], two: list[int], rank: Rank) -> list[int]:
    """Put two runs together; what both hold comes once."""
    if not one or not two or one == two:
        return one or two
    shared = set(one) & set(two)
    if shared:

        def ranks(run: list[int]) -> list[Any]:
            return [value for key in run if key in shared and (value := rank(key)) is not None]

        one, two = sorted((one, two), key=ranks)
        place = {key: at for at, key in enumerate(key for key in one if key in shared)}
        crossing = _moved(two, place)
        two = [key for key in two if key not in crossing]
        shared -= crossing
    order: list[int] = []
    for (part, limit), (other, _) in zip(_parts(one, shared), _parts(two, shared), strict=True):
        order += _by_heads(_units(part, rank), _units(other, rank))
        if limit is not None:
            order.append(limit)
    return order


def _parts(run: list[int], limits: Set[int]) -> list[tuple[list[int], int | None]]:
    """Split ``run`` at ``limits``: each part with the limit that ends it."""
    parts: list[tuple[list[int], int | None]] = []
    part: list[int] = []
    for key in run:
        if key in limits:
            parts.append((part, key))
            part = []
        else:
            part.append(key)
    return [*parts, (part, None)]


def _units(run: Sequence[int], rank: Rank) -> list[tuple[Any, list[int]]]:
    """Put comments together with what follows them; comments at the end come last."""
    units: list[tuple[Any, list[int]]] = []
    part: list[int] = []
    for key in run:
        part.append(key)
        value = rank(key)
        if value is not None:
            units.append(((0, value), part))
            part = []
    return [*units, ((1, part), part)] if part else units


def _by_heads(one: list[tuple[Any, list[int]]], two: list[tuple[Any, list[int]]]) -> list[int]:
    order: list[int] = []
    left = right = 0
    while left < len(one) and right < len(two):
        if one[left][0] < two[right][0]:
            order += one[left][1]
            left += 1
        else:
            order += two[right][1]
            right += 1
    return order + [key for _, part in (*one[left:], *two[right:]) for key in part]
