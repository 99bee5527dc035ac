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
    every link, and both ends lose their places by it. What is superseded never comes before its successor, as a cause
    neither. What is in a longer cycle, or behind one, comes last, in the order it had.
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
    """Return for each place the places that come after it: those of effects, and of what the insight supersedes."""
    neighbours.fetch(place)
    rows: dict[str, set[tuple[int, int]]] = {"causal": set(), "supersedes": set()}
    for key in place:
        for edge in neighbours.of(key):
            if edge.type in rows and edge.source in place and edge.target in place:
                rows[edge.type].add((place[edge.source], place[edge.target]))
    newer = {(new, old) for new, old in rows["supersedes"] if (old, new) not in rows["supersedes"]}
    causal = {row for row in rows["causal"] if row[::-1] not in rows["causal"] | newer}
    effects: defaultdict[int, set[int]] = defaultdict(set)
    for first, then in newer | causal:
        effects[first].add(then)
    return effects
