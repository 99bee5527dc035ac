"""Insights that name the same thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from mneme.graph.edges.arrival import Arrival
from mneme.graph.entities import fold
from mneme.graph.model import Edge

MAX_PER_ENTITY = 5
"""So many insights at most share one entity with a new one."""

MAX_ROWS = 50
"""So many rows at most: 25 neighbours."""


def entity_edges(new: Arrival, holders: Callable[[str], Iterable[Arrival]]) -> list[Edge]:
    """Return both rows between ``new`` and each insight that names one of its entities.

    ``holders(entity)``: the active insights that have ``entity``, which is folded
    (:func:`mneme.graph.entities.fold`), newest first. Two insights that share several entities have one pair of rows:
    it names the last of them and counts once.
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    for name in new.insight.entities:
        folded = fold(name)
        if folded in seen:
            continue
        seen.add(folded)
        others = (other for other in holders(folded) if other.id != new.id)
        for other in islice(others, MAX_PER_ENTITY):
            if other.id in found or 2 * len(found) < MAX_ROWS:
                found[other.id] = name
    made = new.insight.created_at
    return [
        Edge(*ends, "entity", 1.0, {"entity": name}, made)
        for other_id, name in found.items()
        for ends in ((new.id, other_id), (other_id, new.id))
    ]
