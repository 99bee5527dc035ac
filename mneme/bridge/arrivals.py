"""The cells of one store in the order of their arrival, and the edges that each of them has to earlier ones.

Which edges a cell has is a function of the cells alone: what a store holds after many small compiles is what it would
hold after one of everything.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from mneme.bridge import mapping
from mneme.bridge.order import WINDOW
from mneme.config import Config
from mneme.format.model import Cell
from mneme.format.parser import parse
from mneme.graph.edges.arrival import Arrival
from mneme.graph.edges.causal import causal_edges
from mneme.graph.edges.entity import entity_edges
from mneme.graph.edges.temporal import backbone, proximity
from mneme.graph.entities import fold
from mneme.graph.model import Edge
from mneme.graph.store.rows import Stood

Triple = tuple[str, str, str]


class Member(NamedTuple):
    """A cell that a store is compiled from: its file (relative to the workspace, with ``/``) and its place there."""

    cell: Cell
    path: str
    place: int

    @property
    def id(self) -> str:
        """Its ID."""
        return self.cell.id

    @property
    def active(self) -> bool:
        """Whether it arrives."""
        return mapping.is_active(self.cell)

    @property
    def made(self) -> str:
        """When it arrives."""
        return mapping.created_at(self.cell)

    @property
    def source(self) -> str:
        """Who it is from."""
        return mapping.source(self.cell)


class Kept:
    """A cell in a file that is as it was compiled: the store knows it, and it is parsed when more is asked."""

    __slots__ = ("_cell", "_row", "id", "path", "place")

    def __init__(self, row: Stood) -> None:
        self.id, self.path, self.place = row.id, row.path, row.place
        self._row = row
        self._cell: Cell | None = None

    @property
    def cell(self) -> Cell:
        """The cell, parsed."""
        if self._cell is None:
            self._cell = parse(self._row.text).cells[0]
        return self._cell

    @property
    def active(self) -> bool:
        """Whether it arrives."""
        return self._row.state != mapping.INACTIVE

    @property
    def made(self) -> str:
        """When it arrives."""
        return mapping.arrival_time(self._row.since, self._row.seen)

    @property
    def source(self) -> str:
        """Who it is from; another program that wrote its row may have written that, too."""
        return mapping.source(self.cell) if self._row.touched else self._row.source


AnyMember = Member | Kept


class Arrivals:
    """The active cells in the order of their arrival."""

    def __init__(
        self, members: Iterable[AnyMember], config: Config, linking: Callable[[Collection[str]], Iterable[str]]
    ) -> None:
        """``linking``: which cells had a link to one of these when they were compiled."""
        active = [member for member in members if member.active]
        parts = {path: path.split("/") for path in {member.path for member in active}}
        active.sort(key=lambda member: (member.made, parts[member.path], member.place))
        self._config = config
        self._linking = linking
        self._cells = {member.id: member for member in active}
        self.order = list(self._cells)
        self.rank = {cell_id: index for index, cell_id in enumerate(self.order)}
        self._known: dict[str, Arrival] = {}

    def arrival(self, cell_id: str) -> Arrival:
        """Return a cell as the generators of edges see it."""
        known = self._known.get(cell_id)
        if known is None:
            known = self._known[cell_id] = Arrival(mapping.to_insight(self._cells[cell_id].cell, self._config))
        return known

    def source(self, cell_id: str) -> str:
        """Return who the cell is from."""
        return self._cells[cell_id].source

    @cached_property
    def _by_source(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for index, cell_id in enumerate(self.order):
            found.setdefault(self.source(cell_id), []).append(index)
        return found

    def links(self, wanted: Collection[str] | None = None) -> dict[str, list[Edge]]:
        """Return the edges of links that touch each of ``wanted`` (all when None), in the order of arrival."""
        found: dict[str, list[Edge]] = {}
        linking = set() if wanted is None else set(self._linking(wanted))
        for cell_id, member in self._cells.items():
            if isinstance(member, Kept) and wanted is not None and cell_id not in wanted and cell_id not in linking:
                continue
            cell = member.cell
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
