"""Causes before their effects, for a question that asks why (facts 7.7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from mneme.recall.neighbours import Neighbours
from mneme.recall.result import Hit


def causes_first(hits: Sequence[Hit], neighbours: Neighbours) -> list[Hit]:
    """Put every cause before its effect; of those that are free to come, the better score comes first.

    A pair of rows that points both ways says nothing about order and is left out: the engine writes such a pair for
    every link, and both ends lose their places by it. What is in a longer cycle, or behind one, comes last, in the
    order it had.
    """
    place = {hit.id: number for number, hit in enumerate(hits)}
    effects = _effects(place, neighbours)
    waiting = [0] * len(hits)
    for numbers in effects.values():
        for number in numbers:
            waiting[number] += 1
    ready = [(-hit.score, number) for number, hit in enumerate(hits) if not waiting[number]]
    heapify(ready)
    order: list[int] = []
    while ready:
        _, number = heappop(ready)
        order.append(number)
        for effect in effects[number]:
            waiting[effect] -= 1
            if not waiting[effect]:
                heappush(ready, (-hits[effect].score, effect))
    order += [number for number in range(len(hits)) if waiting[number]]
    return [hits[number] for number in order]


def _effects(place: dict[str, int], neighbours: Neighbours) -> defaultdict[int, set[int]]:
    """Return for the place of each cause the places of its effects, one-way rows between ``place`` alone."""
    neighbours.fetch(place)
    rows = {
        (place[edge.source], place[edge.target])
        for key in place
        for edge in neighbours.of(key)
        if edge.type == "causal" and edge.source in place and edge.target in place
    }
    effects: defaultdict[int, set[int]] = defaultdict(set)
    for cause, effect in rows:
        if (effect, cause) not in rows:
            effects[cause].add(effect)
    return effects
