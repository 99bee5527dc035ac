"""What a store says of itself: its counts, its log, a receipt of the log, and a picture of the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from mneme.bridge.bound import BoundStore
from mneme.bridge.reading import Standing, reading
from mneme.graph.model import Edge, Insight

if TYPE_CHECKING:
    from mneme.graph.store import Operation, Reader


class Status(NamedTuple):
    """Counts with the engine's keys and ours, and how the store stood to its text."""

    data: Mapping[str, Any]
    standing: Standing


def status(bound: BoundStore, *, today: date, now: datetime) -> Status:
    """Return how much of what a store holds, as the text has it.

    Raises:
        StoreError: it cannot be read.
    """
    from mneme.graph.reports import TOP_ENTITIES
    from mneme.graph.reports import status as report

    def work(reader: Reader) -> dict[str, Any]:
        states = Counter(row.state for row in reader.cells())
        data = report(
            reader.totals(), reader.categories(), reader.top_entities(TOP_ENTITIES), str(bound.path), _size(bound)
        )
        return {
            **data,
            "store": bound.name or None,
            "has_text": bound.has_text(reader),
            "cells_by_state": dict(sorted(states.items())),
            "insights_of_others": len(reader.foreign()),
        }

    data, standing = reading(bound, work, today=today, now=now)
    return Status({**data, "cells_behind": standing.behind}, standing)


def status_lines(data: Mapping[str, Any]) -> list[str]:
    """Return the counts for people."""

    def listed(counts: Mapping[str, int]) -> str:
        return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"

    entities = ", ".join(f"{one['entity']} ({one['count']})" for one in data["top_entities"])
    return [
        f"store      {data['db_path']} ({data['db_size_bytes']} bytes)",
        f"insights   {data['total_insights']} active, {data['deleted_insights']} deleted",
        f"category   {listed(data['by_category'])}",
        f"cells      {listed(data['cells_by_state'])}; {data['insights_of_others']} insights from other programs",
        f"edges      {data['edge_count']}",
        f"entities   {entities or 'none'}",
        f"logged     {data['oplog_count']} operations",
    ]


def operations(bound: BoundStore, limit: int) -> list[Operation]:
    """Return the newest operations that the store's log holds; none where there is no store yet.

    Raises:
        NoSuchStore: the store is named by its file, and there is none.
        StoreError: it cannot be read.
    """
    from mneme.graph.store import NoSuchStore, read

    try:
        return read(bound.path, lambda reader: reader.operations(limit))
    except NoSuchStore:
        if not bound.name:
            raise
        return []


class Picture(NamedTuple):
    """Active insights and the edges between them, and how the store stood to its text."""

    insights: tuple[Insight, ...]
    edges: tuple[Edge, ...]
    standing: Standing

    def drawn(self, form: str, title: str) -> str:
        """Return the picture as ``dot`` or ``html``."""
        from mneme.graph import viz

        return viz.html(self.insights, self.edges, title) if form == "html" else viz.dot(self.insights, self.edges)


def picture(bound: BoundStore, *, today: date, now: datetime) -> Picture:
    """Return the graph as the text has it.

    Raises:
        StoreError: the store cannot be read.
    """

    def work(reader: Reader) -> tuple[tuple[Insight, ...], tuple[Edge, ...]]:
        return tuple(reader.insights(deleted=False).values()), tuple(reader.edges())

    (insights, edges), standing = reading(bound, work, today=today, now=now)
    return Picture(insights, edges, standing)


def _size(bound: BoundStore) -> int:
    try:
        return bound.path.stat().st_size
    except OSError:
        return 0
