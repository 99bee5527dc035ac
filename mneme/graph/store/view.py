"""A store as recall reads it (:class:`mneme.graph.view.View`): by index alone, narrowed to a scope.

What a scope leaves out is few, so that it is known once, as a set: deleted insights and proposed cells. Only category
and source are asked of the database each time.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from mneme.graph.model import Edge, Insight
from mneme.graph.store.lexicon import StoredLexicon
from mneme.graph.store.rows import EDGE_COLUMNS, INSIGHT_COLUMNS, edge, fetched, insight
from mneme.graph.view import Scope

_AMONG = "IN (SELECT value FROM json_each(?))"


class StoreView:
    """The insights and edges of a scope. Reads when it is asked, so it lasts as long as its connection."""

    def __init__(self, connection: sqlite3.Connection, scope: Scope) -> None:
        self._connection = connection
        self.scope = scope
        self._narrow = bool(scope.category or scope.source)
        self._inside: set[str] = set()  # ends of edges that are known to be in the scope

    def count(self) -> int:
        """Return how many insights there are."""
        if self._narrow:
            query = f"SELECT id FROM insights WHERE {self._narrowing()}"
            return sum(1 for _ in self._seen(id_ for (id_,) in self._all(query, self._values())))
        (every,) = self._connection.execute("SELECT count(*) FROM insights").fetchone()
        return int(every) - len(self._hidden)

    def get(self, ids: Iterable[str]) -> dict[str, Insight]:
        """Return the insights that exist, by ID."""
        wanted = list(self._seen(ids))
        narrowing = f" AND {self._narrowing()}" if self._narrow else ""
        rows = self._all(
            f"SELECT {INSIGHT_COLUMNS} FROM insights WHERE id {_AMONG}{narrowing}",
            (json.dumps(wanted), *self._values()),
        )
        return {row[0]: insight(row) for row in rows}

    def holders(self, tokens: Iterable[str]) -> dict[str, Collection[str]]:
        """Return for each token the IDs whose content, tags or entities hold it."""
        found: dict[str, Collection[str]] = {}
        for token in tokens:
            # Not what only `extra` has: a token is held by the insight itself.
            quoted = '- extra : "' + token.replace('"', '""') + '"'
            rows = self._all(
                "SELECT d.id FROM mneme_words w CROSS JOIN mneme_docs d ON d.doc = w.rowid WHERE mneme_words MATCH ?",
                (quoted,),
            )
            found[token] = self._scoped({id_ for (id_,) in rows})
        return found

    def newest(self, limit: int) -> list[Insight]:
        """Return the ``limit`` newest: created_at descending, then ID ascending."""
        narrowing = f"WHERE {self._narrowing()} " if self._narrow else ""
        rows = self._connection.execute(
            f"SELECT id FROM insights {narrowing}ORDER BY created_at DESC, id ASC",
            self._values(),
        )
        ids: list[str] = []
        if limit > 0:
            for id_ in self._seen(id_ for (id_,) in rows):
                ids.append(id_)
                if len(ids) == limit:
                    break
        there = self.get(ids)
        return [there[id_] for id_ in ids]

    def with_entities(self, names: Iterable[str]) -> dict[str, Collection[str]]:
        """Return for each name the IDs that have it among their entities, compared without case."""
        from mneme.graph.entities import fold

        found: dict[str, Collection[str]] = {}
        for name in names:
            rows = self._all("SELECT id FROM mneme_entities WHERE entity = ?", (fold(name),))
            found[name] = self._scoped({id_ for (id_,) in rows})
        return found

    def edges_of(self, ids: Iterable[str]) -> Mapping[str, Sequence[Edge]]:
        """Return for each ID the rows that touch it on either side, both ends in scope; order unspecified."""
        wanted = self._existing(set(ids))
        parameter = (json.dumps(sorted(wanted)),)
        out = self._all(f"SELECT {EDGE_COLUMNS} FROM edges WHERE source_id {_AMONG}", parameter)
        back = self._all(f"SELECT {EDGE_COLUMNS} FROM edges WHERE target_id {_AMONG}", parameter)
        back = [row for row in back if row[0] not in wanted]
        self._inside |= self._existing(({row[1] for row in out} | {row[0] for row in back}) - wanted - self._inside)
        inside = self._inside | wanted
        touching: dict[str, list[Edge]] = {id_: [] for id_ in wanted}
        for row in out:
            source, target = row[:2]
            if target in inside:
                one = edge(row)
                touching[source].append(one)
                if target in wanted and target != source:
                    touching[target].append(one)
        for row in back:
            if row[0] in inside:
                touching[row[1]].append(edge(row))
        return touching

    def superseded(self, ids: Collection[str]) -> set[str]:
        """Return those of ``ids`` that are the target of a supersedes row.

        The newer one may be of another category or source, but not deleted or only proposed.
        """
        rows = self._all(
            f"SELECT source_id, target_id FROM edges WHERE target_id {_AMONG} AND edge_type = 'supersedes'",
            (json.dumps(sorted(ids)),),
        )
        return {target for source, target in rows if source not in self._hidden}

    def vectors(self, ids: Collection[str] | None = None) -> Mapping[str, bytes]:
        """Return stored vectors, little-endian float32, by ID; all that there are when ``ids`` is None."""
        query = "SELECT id, embedding FROM insights WHERE embedding IS NOT NULL"
        rows = self._all(query) if ids is None else self._all(f"{query} AND id {_AMONG}", (json.dumps(sorted(ids)),))
        usable = {id_: bytes(blob) for id_, blob in rows if isinstance(blob, bytes) and blob and len(blob) % 4 == 0}
        inside = self._scoped(set(usable))
        return {id_: blob for id_, blob in usable.items() if id_ in inside}

    def lexicon(self) -> StoredLexicon:
        """Return the index of words, narrowed to the scope."""
        scope = self.scope
        return StoredLexicon(
            self._connection, category=scope.category, source=scope.source, every_state=scope.every_state
        )

    @cached_property
    def _hidden(self) -> frozenset[str]:
        """What the scope leaves out for its state."""
        if self.scope.every_state:
            return frozenset()
        rows = self._all(
            "SELECT id FROM insights WHERE deleted_at IS NOT NULL UNION SELECT c.id FROM mneme_cells c"
            " JOIN insights i ON i.id = c.id WHERE c.state = 'proposed'"
        )
        return frozenset(id_ for (id_,) in rows)

    def _seen(self, ids: Iterable[str]) -> Iterator[str]:
        hidden = self._hidden
        return (id_ for id_ in ids if id_ not in hidden)

    def _scoped(self, ids: set[str]) -> set[str]:
        """Return those of ``ids``, which exist, that are in the scope."""
        return self._existing(ids) if self._narrow else ids - self._hidden

    def _existing(self, ids: set[str]) -> set[str]:
        """Return those of ``ids`` that exist in the scope: an old program's edges may have lost an end."""
        left = ids - self._hidden
        narrowing = f" AND {self._narrowing()}" if self._narrow else ""
        rows = self._all(
            f"SELECT id FROM insights WHERE id {_AMONG}{narrowing}",
            (json.dumps(list(left)), *self._values()),
        )
        return {id_ for (id_,) in rows}

    def _all(self, query: str, values: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        return fetched(self._connection, query, values)

    def _narrowing(self) -> str:
        named = (("category", self.scope.category), ("source", self.scope.source))
        return " AND ".join(f"{column} = ?" for column, value in named if value)

    def _values(self) -> tuple[str, ...]:
        return tuple(value for value in (self.scope.category, self.scope.source) if value)
