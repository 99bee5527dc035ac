"""What there is in a store, asked through a connection that may be read-only."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mneme.graph.model import Edge, Insight
from mneme.graph.store import embedded
from mneme.graph.store.rows import (
    CELL_COLUMNS,
    EDGE_COLUMNS,
    INSIGHT_COLUMNS,
    OURS,
    STOOD_COLUMNS,
    CellRow,
    Operation,
    Stood,
    edge,
    fetched,
    insight,
    is_ours,
    text_of,
)
from mneme.graph.store.view import StoreView
from mneme.graph.view import Scope

CONTRADICTING = ("contradicts", "conflicts-with")
"""Relations, unknown to the format and kept by it, by which cells mark a conflict."""

AMONG = "IN (SELECT value FROM json_each(?))"
"""One parameter for any number of texts."""


def listed(values: Iterable[str]) -> str:
    """Return texts as the parameter of AMONG."""
    return json.dumps(list(values))


class Reader:
    """Whole rows, whatever their state; :meth:`view` narrows to a scope."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._connection = connection
        self.path = path

    def view(self, scope: Scope = Scope()) -> StoreView:  # noqa: B008 - a value
        """Return the graph as recall sees it."""
        return StoreView(self._connection, scope)

    def meta(self, key: str) -> str:
        """Return what mneme_meta says for ``key``; empty when it says nothing."""
        rows = self.rows("SELECT value FROM mneme_meta WHERE key = ?", key)
        return os.fsdecode(rows[0][0]) if rows else ""

    def files(self) -> dict[str, str]:
        """Return the files that the store was compiled from: digest by path."""
        return dict(self.rows("SELECT path, digest FROM mneme_files ORDER BY path"))

    def cells(self, ids: Iterable[str] | None = None, *, path: str | None = None) -> list[CellRow]:
        """Return rows of cells, by path and place: all, those of ``ids``, or those of the file ``path``."""
        query = f"SELECT {CELL_COLUMNS} FROM mneme_cells"
        if ids is not None:
            rows = self.rows(f"{query} WHERE id {AMONG} ORDER BY path, place", listed(ids))
        elif path is not None:
            rows = self.rows(f"{query} WHERE path = ? ORDER BY place", path)
        else:
            rows = self.rows(f"{query} ORDER BY path, place")
        return [CellRow._make((*row[:-1], bool(row[-1]))) for row in rows]

    def stood(self) -> list[Stood]:
        """Return how every cell stood when it was compiled: what a compile compares with."""
        return list(map(Stood._make, self.rows(f"SELECT {STOOD_COLUMNS} FROM mneme_cells")))

    def paths(self) -> list[tuple[str, str]]:
        """Return the ID of every cell and the file it was in."""
        return [(id_, path) for id_, path in self.rows("SELECT id, path FROM mneme_cells")]

    def linking_to(self, ids: Iterable[str]) -> set[str]:
        """Return the cells that have a link to one of ``ids``."""
        return {id_ for (id_,) in self.rows(f"SELECT source FROM mneme_links WHERE target {AMONG}", listed(ids))}

    def marked_against(self, id_: str) -> set[str]:
        """Return the cells that contradict a cell by a link of either of them."""
        rows = self.rows(
            f"SELECT source, target FROM mneme_links WHERE (source = ? OR target = ?) AND relation {AMONG}",
            id_, id_, listed(CONTRADICTING),
        )  # fmt: skip
        return {end for row in rows for end in row} - {id_}

    def touched(self) -> list[str]:
        """Return the IDs of cells whose insights another program wrote since they were compiled."""
        return [id_ for (id_,) in self.rows("SELECT id FROM mneme_cells WHERE touched ORDER BY id")]

    def entities_of(self, id_: str) -> set[str]:
        """Return the entities of an insight, folded (:func:`mneme.graph.entities.fold`)."""
        return {name for (name,) in self.rows("SELECT entity FROM mneme_entities WHERE id = ?", id_)}

    def holders_of_entity(self, folded: str) -> list[str]:
        """Return the IDs of insights, active or deleted, that have an entity."""
        return [id_ for (id_,) in self.rows("SELECT id FROM mneme_entities WHERE entity = ?", folded)]

    def insights(self, ids: Iterable[str] | None = None, *, deleted: bool = True) -> dict[str, Insight]:
        """Return insights by ID, in order of arrival; active ones only unless ``deleted``."""
        query = f"SELECT {INSIGHT_COLUMNS} FROM insights"
        if ids is not None:
            rows = self.rows(f"{query} WHERE id {AMONG} ORDER BY rowid", listed(ids))
        else:
            rows = self.rows(f"{query} ORDER BY rowid")
        return {row[0]: insight(row) for row in rows if deleted or row[10] is None}

    def foreign(self) -> list[str]:
        """Return the IDs of insights that no cell made, in order of arrival."""
        rows = self.rows(
            "SELECT id FROM insights WHERE NOT EXISTS (SELECT 1 FROM mneme_cells c WHERE c.id = insights.id)"
            " ORDER BY rowid"
        )
        return [id_ for (id_,) in rows]

    def edges(self, types: Iterable[str] | None = None) -> Iterator[Edge]:
        """Yield all edges (of ``types``), ordered by source, target and type."""
        query = f"SELECT {EDGE_COLUMNS} FROM edges"
        order = " ORDER BY source_id, target_id, edge_type"
        if types is None:
            rows = self._connection.execute(query + order)
        else:
            rows = self._connection.execute(f"{query} WHERE edge_type {AMONG}{order}", (listed(types),))
        yield from map(edge, rows)

    def foreign_edges(self) -> Iterator[Edge]:
        """Yield the edges that another program wrote, in the order in which it did."""
        yield from map(edge, self.rows(f"SELECT {EDGE_COLUMNS} FROM edges WHERE NOT {OURS} ORDER BY rowid"))

    def own_edges(self, ids: Iterable[str]) -> list[Edge]:
        """Return the edges of ours that touch any of ``ids``, each once, by source, target and type."""
        return [one for one in self.edges_at(ids) if is_ours(one.metadata)]

    def edges_at(self, ids: Iterable[str], types: Iterable[str] | None = None) -> list[Edge]:
        """Return the edges (of ``types``) that touch any of ``ids``, each once, by source, target and type."""
        wanted = listed(ids)
        kinds = "" if types is None else f" AND edge_type {AMONG}"
        more = () if types is None else (listed(types),)
        found = {}
        for end in ("source_id", "target_id"):
            query = f"SELECT {EDGE_COLUMNS} FROM edges WHERE {end} {AMONG}{kinds}"
            for row in self.rows(query, wanted, *more):
                found[row[:3]] = edge(row)
        return [found[key] for key in sorted(found)]

    def edge_counts(self, ids: Iterable[str] | None = None) -> dict[str, int]:
        """Return how many rows touch each insight (all of them when ``ids`` is None): as source plus as target."""
        wanted = None if ids is None else listed(ids)
        counts: dict[str, int] = {}
        for end in ("source_id", "target_id"):
            among, values = (f" WHERE {end} {AMONG}", (wanted,)) if ids is not None else ("", ())
            for id_, count in self.rows(f"SELECT {end}, count(*) FROM edges{among} GROUP BY {end}", *values):
                counts[id_] = counts.get(id_, 0) + count
        return counts

    def stored_at(self, ids: Iterable[str]) -> dict[str, str]:
        """Return when each row entered this database."""
        rows = self.rows(f"SELECT id, stored_at FROM insights WHERE id {AMONG}", listed(ids))
        return {id_: text_of(moment) for id_, moment in rows}

    def embedded(self) -> int:
        """Return how many active insights have a vector."""
        return self._one("SELECT count(*) FROM insights WHERE embedding IS NOT NULL AND deleted_at IS NULL")

    def vectors_of(self) -> dict[str, str]:
        """Return by ID the digest of the text that the vector of an insight was made of, where that is known."""
        return embedded.digests(self._connection)

    def operations(self, limit: int) -> list[Operation]:
        """Return the ``limit`` newest rows of the oplog, newest first."""
        rows = self.rows(
            "SELECT operation, coalesce(insight_id, ''), coalesce(detail, ''), created_at FROM oplog"
            " ORDER BY id DESC LIMIT ?", min(limit, sys.maxsize),
        )  # fmt: skip
        return [Operation._make(map(text_of, row)) for row in rows]

    def totals(self) -> dict[str, int]:
        """Return how many active and deleted insights, edges and oplog rows there are."""
        return {
            "insights": self._one("SELECT count(*) FROM insights WHERE deleted_at IS NULL"),
            "deleted": self._one("SELECT count(*) FROM insights WHERE deleted_at IS NOT NULL"),
            "edges": self._one("SELECT count(*) FROM edges"),
            "operations": self._one("SELECT count(*) FROM oplog"),
        }

    def categories(self) -> dict[str, int]:
        """Return how many active insights each category has."""
        rows = self.rows(
            "SELECT CAST(coalesce(category, 'general') AS TEXT) AS name, count(*) FROM insights"
            " WHERE deleted_at IS NULL GROUP BY name ORDER BY name"
        )
        return {text_of(name): count for name, count in rows}

    def top_entities(self, limit: int = 20) -> list[tuple[str, int]]:
        """Return the entities that most active insights have, as they are spelt, most first, then by name."""
        rows = self.rows(
            "SELECT value, count(*) AS n FROM insights, json_each(CASE WHEN json_valid(entities) THEN entities END)"
            " WHERE deleted_at IS NULL GROUP BY value ORDER BY n DESC, value LIMIT ?", limit,
        )  # fmt: skip
        return [(str(name), count) for name, count in rows]

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return what a query of this package's finds."""
        return fetched(self._connection, query, values)

    def _one(self, query: str, *values: Any) -> int:
        (value,) = self._connection.execute(query, values).fetchone()
        return int(value)
