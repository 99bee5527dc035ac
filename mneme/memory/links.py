"""Who links to whom over all cells one sees, and which cell stands where a superseded one stood."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from mneme.format.model import Link, Placed


class BackLink(NamedTuple):
    """A link seen from its target: the cell it comes from, and the link as written there."""

    source: Placed
    link: Link


class LinkIndex:
    """Cells by ID, and their links from both ends."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self.placed = placed

    @cached_property
    def by_id(self) -> dict[str, list[Placed]]:
        """Every cell of each ID: one, unless an ID was given twice."""
        known: dict[str, list[Placed]] = {}
        for place in self.placed:
            known.setdefault(place.cell.id, []).append(place)
        return known

    @cached_property
    def _incoming(self) -> dict[str, list[BackLink]]:
        found: dict[str, list[BackLink]] = {}
        for place in self.placed:
            for link in place.cell.links:
                found.setdefault(link.target, []).append(BackLink(place, link))
        return found

    def incoming(self, cell_id: str) -> Sequence[BackLink]:
        """Return the links that name ``cell_id``, in file order."""
        return self._incoming.get(cell_id, ())

    def successors(self, cell_id: str) -> list[str]:
        """Return the IDs that directly supersede ``cell_id``, whichever end says so; what is only proposed does not."""
        stated = [
            link.target
            for place in self.by_id.get(cell_id, ())
            for link in place.cell.links
            if link.relation == "superseded-by"
        ]
        claimed = [back.source.cell.id for back in self.incoming(cell_id) if back.link.relation == "supersedes"]
        return [
            successor
            for successor in dict.fromkeys([*stated, *claimed])
            if successor != cell_id
            and any(place.cell.status.state != "proposed" for place in self.by_id.get(successor, ()))
        ]

    def current(self, cell_id: str) -> list[Placed]:
        """Return the cells that stand in the place of ``cell_id`` now: none when nothing supersedes it."""
        chain: dict[str, None] = {}
        here = cell_id
        # Where a cell has one successor, the two have the same end: a long chain is walked once for all its cells.
        while here not in self._ends and here not in chain:
            chain[here] = None
            further = self.successors(here)
            if len(further) != 1:
                break
            here = further[0]
        ends = self._ends.get(here)
        if ends is None:
            ends = self._ends_of(here)
        for one in chain:
            self._ends[one] = ends
        return [place for end in ends if end != cell_id for place in self.by_id[end]]

    @cached_property
    def _ends(self) -> dict[str, Sequence[str]]:
        """Cells whose ends are known; that of a cell without a successor is the cell itself."""
        return {}

    def _ends_of(self, cell_id: str) -> list[str]:
        ends: dict[str, None] = {}
        seen: set[str] = set()
        waiting = deque([cell_id])
        while waiting:
            here = waiting.popleft()
            if here in seen:
                continue
            seen.add(here)
            further = self.successors(here)
            waiting += further
            if not further:
                ends[here] = None
        return list(ends)
