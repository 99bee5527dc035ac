"""What came before and after: a backbone along each source, and what is near in time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from mneme.graph.edges.arrival import Arrival
from mneme.graph.model import Edge

MAX_NEIGHBOURS = 10
"""So many insights at most are looked at, whatever their source."""

WINDOW_HOURS = 24
"""Earlier ones than this are not near; exactly this is."""


def backbone(new: Arrival, previous: Arrival | None) -> list[Edge]:
    """Return both rows between ``new`` and the newest insight of its source; none without that."""
    if previous is None or previous.id == new.id:
        return []
    made = new.insight.created_at
    return [
        Edge(previous.id, new.id, "temporal", 1.0, {"sub_type": "backbone", "direction": "precedes"}, made),
        Edge(new.id, previous.id, "temporal", 1.0, {"sub_type": "backbone", "direction": "succeeds"}, made),
    ]


def proximity(new: Arrival, earlier: Iterable[Arrival], skip: Arrival | None = None) -> list[Edge]:
    """Return both rows between ``new`` and each insight near in time, newest first.

    ``earlier``: of every source, newest first; the first that is too old ends the search. ``skip``: the neighbour on
    the backbone, which takes one of the places and gets no rows here.
    """
    edges: list[Edge] = []
    others = (other for other in earlier if other.id != new.id)
    for other in islice(others, MAX_NEIGHBOURS):
        hours = (new.seconds - other.seconds) / 3600
        if hours > WINDOW_HOURS:
            break
        if skip is not None and other.id == skip.id:
            continue
        weight = 1 / (1 + abs(hours))
        metadata = {"sub_type": "proximity", "hours_diff": f"{abs(hours):.2f}"}
        made = new.insight.created_at
        edges.append(Edge(other.id, new.id, "temporal", weight, metadata, made))
        edges.append(Edge(new.id, other.id, "temporal", weight, metadata, made))
    return edges
