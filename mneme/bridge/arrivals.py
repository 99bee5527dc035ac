"""The cells of one store in the order of their arrival, and the edges that each of them has to earlier ones.

Which edges a cell has is a function of the cells alone: what a store holds after many small compiles is what it would
hold after one of everything.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from mneme.bridge import mapping
from mneme.bridge.order import WINDOW
from mneme.config import Config
from mneme.format.model import Cell
from mneme.graph.edges.arrival import Arrival
from mneme.graph.edges.causal import causal_edges
from mneme.graph.edges.entity import entity_edges
from mneme.graph.edges.temporal import backbone, proximity
from mneme.graph.entities import fold
from mneme.graph.model import Edge

Triple = tuple[str, str, str]


class Member(NamedTuple):
    """A cell that a store is compiled from: its file (relative to the workspace, with ``/``) and its place there."""

    cell: Cell
    path: str
    place: int


class Arrivals:
    """The active cells in the order of their arrival."""

    def __init__(self, members: Iterable[Member], config: Config) -> None:
        active = [member for member in members if mapping.is_active(member.cell)]
        active.sort(key=lambda member: (mapping.created_at(member.cell), member.path.split("/"), member.place))
        self._config = config
        self._cells = {member.cell.id: member.cell for member in active}
        self.order = list(self._cells)
        self.rank = {cell_id: index for index, cell_id in enumerate(self.order)}
        self._known: dict[str, Arrival] = {}

    def arrival(self, cell_id: str) -> Arrival:
        """Return a cell as the generators of edges see it."""
        known = self._known.get(cell_id)
        if known is None:
            known = self._known[cell_id] = Arrival(mapping.to_insight(self._cells[cell_id], self._config))
        return known

    def source(self, cell_id: str) -> str:
        """Return who the cell is from."""
        return mapping.source(self._cells[cell_id])

    @cached_property
    def _by_source(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for index, cell_id in enumerate(self.order):
            found.setdefault(self.source(cell_id), []).append(index)
        return found

    def links(self, wanted: Container[str] | None = None) -> dict[str, list[Edge]]:
        """Return the edges of links that touch each of ``wanted`` (all when None), in the order of arrival."""
        found: dict[str, list[Edge]] = {}
        for cell_id, cell in self._cells.items():
            if not cell.links:
                continue
            if wanted is not None and cell_id not in wanted and not any(link.target in wanted for link in cell.links):
                continue
            for _, edge in mapping.link_edges(cell):
                if edge.source in self._cells and edge.target in self._cells:
                    found.setdefault(edge.source, []).append(edge)
                    found.setdefault(edge.target, []).append(edge)
        return found

    def earlier(self, cell_id: str, ranks_of: Callable[[str], Sequence[int]]) -> Iterator[Edge]:
        """Yield the edges that the engine draws when the cell arrives.

        ``ranks_of``: the ranks of the cells that have an entity (in lower case), ascending.
        """
        rank = self.rank[cell_id]
        new = self.arrival(cell_id)
        near = [self.arrival(name) for name in reversed(self.order[max(0, rank - WINDOW) : rank])]
        same = self._by_source[self.source(cell_id)]
        at = bisect_left(same, rank)
        kin = [self.arrival(self.order[index]) for index in reversed(same[max(0, at - WINDOW) : at])]
        previous = kin[0] if kin else None

        def holders(entity: str) -> Iterator[Arrival]:
            ranks = ranks_of(fold(entity))
            for index in range(bisect_left(ranks, rank) - 1, -1, -1):
                yield self.arrival(self.order[ranks[index]])

        yield from backbone(new, previous)
        yield from proximity(new, near, skip=previous)
        yield from entity_edges(new, holders)
        yield from causal_edges(new, kin)

    def edges_between(
        self, cell_ids: Collection[str], ranks_of: Callable[[str], Sequence[int]], changed: Collection[str]
    ) -> dict[Triple, Edge]:
        """Return the edges of ``cell_ids`` to earlier cells; for ``changed`` ones those of their links to later, too.

        What a link says comes before what a rule draws.
        """
        found: dict[Triple, Edge] = {}
        linked: dict[Triple, Edge] = {}
        links = self.links(cell_ids)
        for cell_id in sorted(cell_ids):
            rank = self.rank[cell_id]
            for edge in self.earlier(cell_id, ranks_of):
                found[edge[:3]] = edge
            for edge in links.get(cell_id, ()):
                other = edge.target if edge.source == cell_id else edge.source
                if cell_id in changed or self.rank[other] < rank:
                    linked[edge[:3]] = edge
        return {**found, **linked}
