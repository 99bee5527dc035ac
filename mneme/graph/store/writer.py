"""A store that is written: one transaction at a time, all of it or nothing, and the look-ups always up to date."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from mneme.graph.fulltext import Entry
from mneme.graph.model import Edge, Insight
from mneme.graph.store import embedded, index, lexicon, schema
from mneme.graph.store.connect import waiting
from mneme.graph.store.errors import speaking
from mneme.graph.store.reader import AMONG, Reader, listed
from mneme.graph.store.rows import CELL_COLUMNS, EDGE_COLUMNS, OURS, CellRow, Operation, Words, marked, texts
from mneme.graph.store.snapshot import writer_closed

KEPT_OPERATIONS = 5000
"""How many rows the oplog keeps."""

_MANY = 5_000  # edges from which on it is cheaper to make their indexes afterwards
_EDGE_INDEXES = (
    "idx_edges_source",
    "idx_edges_target",
    "idx_edges_type",
    "idx_edges_source_type",
    "idx_edges_target_type",
)

_PUT_INSIGHT = """
INSERT INTO insights (id, content, category, importance, tags, entities, source, access_count, created_at, updated_at,
    deleted_at, last_accessed_at, effective_importance, stored_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), ?, nullif(?, ''))
ON CONFLICT (id) DO UPDATE SET
    embedding = CASE WHEN content = excluded.content THEN embedding END,
    content = excluded.content, category = excluded.category, importance = excluded.importance, tags = excluded.tags,
    entities = excluded.entities, source = excluded.source,
    access_count = max(coalesce(access_count, 0), excluded.access_count),
    created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at,
    last_accessed_at = nullif(max(coalesce(last_accessed_at, ''), coalesce(excluded.last_accessed_at, '')), ''),
    effective_importance = excluded.effective_importance
"""

_PUT_EDGE = f"""
INSERT INTO edges ({EDGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (source_id, target_id, edge_type) DO UPDATE SET
    weight = excluded.weight, metadata = excluded.metadata, created_at = excluded.created_at
"""


class Store(Reader):
    """A store open for writing. Closing it leaves one file: what was written is in it, and nothing lies beside it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path | None,
        *,
        patience: float = 0.0,
        key: tuple[int, int] | None = None,
        remarks: tuple[str, ...] = (),
    ) -> None:
        super().__init__(connection, path)
        self.remarks = remarks
        """What the migration has to say to the person."""
        self._patience = patience
        self._key = key
        self._worded: set[str] = set()
        self._indexed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Move everything into the file and close it. What cannot be moved now is safe where it is, and read there."""
        with contextlib.suppress(sqlite3.Error):
            if self.path is not None:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()
        if self._key is not None:
            writer_closed(self._key)
            self._key = None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Do what is done inside as one step: all of it, or nothing when it raises or the process dies.

        Raises:
            StoreBusy: others wrote for as long as we are patient.
            StoreError: the file cannot be written, for want of room or rights.
        """
        where = self.path or Path(":memory:")
        waiting(where, time.monotonic() + self._patience, self._patience, self._begin)
        self._worded, self._indexed = set(), True
        try:
            with speaking(where, self._patience):
                yield
                self._edge_indexes()
                self._mark_touched(index.catch_up(self._connection, self._worded))
                self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            raise

    def _begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def _mark_touched(self, changed: set[str]) -> None:
        """Note which cells' insights were changed by something else than a compile, which puts the words as well."""
        foreign = changed - self._worded
        self._connection.execute(f"UPDATE mneme_cells SET touched = 1 WHERE id {AMONG}", (listed(foreign),))

    # Insights

    def put_insights(self, insights: Iterable[Insight], *, stored_at: str = "") -> None:
        """Insert insights or write them anew.

        What is there already keeps its embedding while the content is the same, when it was stored, and the higher
        access count and the later last access of both. ``stored_at``: for new rows; empty means now.
        """
        self._connection.executemany(
            _PUT_INSIGHT,
            (
                (
                    one.id, one.content, one.category, one.importance, texts(one.tags), texts(one.entities), one.source,
                    one.access_count, one.created_at, one.updated_at or one.created_at, one.deleted_at,
                    one.last_accessed_at, one.effective_importance, stored_at,
                )
                for one in insights
            ),
        )  # fmt: skip

    def remove(self, ids: Iterable[str]) -> None:
        """Remove insights for good, with every edge that touches them, whoever wrote it, and their cell's row."""
        self._edge_indexes()
        wanted = listed(ids)
        self._connection.execute(f"DELETE FROM insights WHERE id {AMONG}", (wanted,))
        self._connection.execute(f"DELETE FROM mneme_cells WHERE id {AMONG}", (wanted,))

    def soft_delete(self, ids: Iterable[str], now: str) -> list[str]:
        """Mark active insights as deleted and remove every edge that touches them; return those that were active."""
        self._edge_indexes()
        rows = self._connection.execute(
            f"UPDATE insights SET deleted_at = ?, updated_at = ? WHERE id {AMONG} AND deleted_at IS NULL RETURNING id",
            (now, now, listed(ids)),
        )
        gone = sorted(id_ for (id_,) in rows)
        for end in ("source_id", "target_id"):
            self._connection.execute(f"DELETE FROM edges WHERE {end} {AMONG}", (listed(gone),))
        return gone

    def refresh_importance(self, ids: Iterable[str] | None, now: datetime) -> dict[str, float]:
        """Work out the effective importance of active insights (all when ``ids`` is None), store and return it."""
        from mneme.graph.importance import effective_importance

        self._edge_indexes()
        wanted = self.insights(ids, deleted=False)
        rows = self.edge_counts(None if ids is None else wanted)
        found = {
            one.id: effective_importance(
                one.importance,
                one.access_count,
                days_since(one.last_accessed_at or one.created_at, now),
                rows.get(one.id, 0),
            )
            for one in wanted.values()
        }
        self.set_effective({id_: value for id_, value in found.items() if value != wanted[id_].effective_importance})
        return found

    def set_effective(self, importance: Mapping[str, float]) -> None:
        """Store the effective importance of insights."""
        self._connection.executemany(
            "UPDATE insights SET effective_importance = ? WHERE id = ?",
            ((value, id_) for id_, value in importance.items()),
        )

    def add_access(self, ids: Iterable[str], by: int, now: str) -> None:
        """Count ``by`` more accesses of each insight, the last of them now."""
        self._connection.execute(
            f"UPDATE insights SET access_count = coalesce(access_count, 0) + ?, last_accessed_at = ? WHERE id {AMONG}",
            (by, now, listed(ids)),
        )

    def put_vectors(self, vectors: Mapping[str, bytes | None]) -> None:
        """Store vectors, little-endian float32; None takes one away."""
        self._connection.executemany(
            "UPDATE insights SET embedding = ? WHERE id = ?", ((blob, id_) for id_, blob in vectors.items())
        )

    def put_embedded(self, rows: Iterable[tuple[str, str, bytes]]) -> None:
        """Store vectors with the digest of the text that each was made of: ID, digest, little-endian float32."""
        embedded.put(self._connection, rows)

    def forget_vectors(self) -> None:
        """Take every vector away, whoever wrote it."""
        embedded.forget(self._connection)

    # Edges

    def put_edges(self, edges: Iterable[Edge], *, ours: bool = True) -> None:
        """Insert edges, or give those that are there another weight, metadata and time.

        With ``ours`` they get our mark, and a row of another program with the same source, target and type stays as
        it is. Without, they are written as given, over whatever is there.
        """
        rows = [
            (
                one.source,
                one.target,
                one.type,
                one.weight,
                marked(one.metadata) if ours else texts_of(one),
                one.created_at,
            )
            for one in edges
        ]
        if len(rows) >= _MANY and not self._is_there("FROM edges"):
            self._drop_edge_indexes()
        rows.sort(key=_pair)  # neighbours in the table's own index: half the time
        self._connection.executemany(f"{_PUT_EDGE} WHERE {OURS}" if ours else _PUT_EDGE, rows)

    def delete_edges(self, keys: Iterable[tuple[str, str, str]], *, foreign: bool = False) -> None:
        """Remove edges of ours by source, target and type; with ``foreign``, whoever wrote them."""
        whose = "" if foreign else f" AND {OURS}"
        self._connection.executemany(
            f"DELETE FROM edges WHERE source_id = ? AND target_id = ? AND edge_type = ?{whose}",
            keys,
        )

    def delete_edges_at(self, ids: Iterable[str], *, types: Iterable[str] | None = None, foreign: bool = False) -> None:
        """Remove edges of ours (of ``types``) that touch any of ``ids``; with ``foreign``, whoever wrote them."""
        self._edge_indexes()
        whose = "" if foreign else f" AND {OURS}"
        kinds = "" if types is None else f" AND edge_type {AMONG}"
        more = () if types is None else (listed(types),)
        wanted = listed(ids)
        for end in ("source_id", "target_id"):
            self._connection.execute(f"DELETE FROM edges WHERE {end} {AMONG}{kinds}{whose}", (wanted, *more))

    def replace_all_edges(self, edges: Iterable[Edge]) -> None:
        """Have ``edges`` as the edges of ours, and no other; what another program wrote stays."""
        self.delete_all_edges()
        self.put_edges(edges)

    def delete_all_edges(self, *, foreign: bool = False) -> None:
        """Remove every edge of ours; with ``foreign``, all that there are."""
        self._drop_edge_indexes()
        some_stay = not foreign and self._is_there(f"FROM edges WHERE NOT {OURS}")
        self._connection.execute(f"DELETE FROM edges WHERE {OURS}" if some_stay else "DELETE FROM edges")

    def _is_there(self, what: str) -> bool:
        (found,) = self._connection.execute(f"SELECT EXISTS (SELECT 1 {what})").fetchone()
        return bool(found)

    def _drop_edge_indexes(self) -> None:
        """Many rows come or go: the indexes are made again when somebody looks by them, at the latest at the end."""
        if self._indexed:
            for name in _EDGE_INDEXES:
                self._connection.execute(f"DROP INDEX {name}")
            self._indexed = False

    def _edge_indexes(self) -> None:
        if not self._indexed:
            schema.run(self._connection, "edge indexes")
            self._indexed = True

    # What belongs to cells

    def put_cell(self, insight: Insight, row: CellRow, words: Words) -> None:
        """Write a cell: its insight, its own row, its words. Many at a time are faster with the methods for many."""
        self.put_insights((insight,))
        self.put_cells((row,))
        self.put_words((words,))

    def place(self, rows: Iterable[tuple[str, str, int]]) -> None:
        """Note where cells lie: ID, path, place."""
        self._connection.executemany(
            "UPDATE mneme_cells SET path = ?, place = ? WHERE id = ?", ((path, place, id_) for id_, path, place in rows)
        )

    def put_cells(self, rows: Iterable[CellRow]) -> None:
        """Replace the rows of cells."""
        marks = ", ".join("?" * len(CellRow._fields))
        self._connection.executemany(f"INSERT OR REPLACE INTO mneme_cells ({CELL_COLUMNS}) VALUES ({marks})", rows)

    def remove_cells(self, ids: Iterable[str]) -> None:
        """Forget that insights came from cells; the insights stay."""
        self._connection.execute(f"DELETE FROM mneme_cells WHERE id {AMONG}", (listed(ids),))

    def put_words(self, rows: Iterable[Words]) -> None:
        """Replace what full-text search knows of insights; insights put without it are cut as a whole at the end."""
        rows = list(rows)
        index.put_words(self._connection, rows)
        self._worded.update(row.id for row in rows)

    def put_entries(self, entries: Iterable[Entry]) -> None:
        """Replace what the index of words knows of cells; goes with :meth:`put_words`."""
        lexicon.put(self._connection, entries)

    def put_files(self, digests: Mapping[str, str]) -> None:
        """Replace the digests of files."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO mneme_files (path, digest) VALUES (?, ?)", sorted(digests.items())
        )

    def remove_files(self, paths: Iterable[str]) -> None:
        """Forget files."""
        self._connection.execute(f"DELETE FROM mneme_files WHERE path {AMONG}", (listed(paths),))

    def replace_files(self, digests: Mapping[str, str]) -> None:
        """Have ``digests`` as the files that the store was compiled from, and no other."""
        self._connection.execute("DELETE FROM mneme_files")
        self.put_files(digests)

    def set_meta(self, key: str, value: str) -> None:
        """Replace a pair of mneme_meta; ``schema`` is the store's own. A path of no UTF-8 is kept as bytes."""
        kept: str | bytes = os.fsencode(value) if any("\ud800" <= one <= "\udfff" for one in value) else value
        self._connection.execute("INSERT OR REPLACE INTO mneme_meta (key, value) VALUES (?, ?)", (key, kept))

    # The oplog

    def log(self, operations: Iterable[Operation]) -> None:
        """Append to the oplog and keep its newest 5000 rows."""
        self._connection.executemany(
            "INSERT INTO oplog (operation, insight_id, detail, created_at) VALUES (?, nullif(?, ''), ?, ?)", operations
        )
        self._connection.execute("DELETE FROM oplog WHERE id <= (SELECT max(id) FROM oplog) - ?", (KEPT_OPERATIONS,))


def days_since(moment: str, now: datetime) -> float:
    """Return the days from ``moment``, RFC 3339, to ``now``; 0 for what is no time.

    Midnight stands for a day whose hour is not known, as every cell's: then whole days count.
    """
    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return 0.0
    if moment.endswith("T00:00:00Z"):
        return float((now.astimezone(UTC).date() - then.date()).days)
    return (now - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds() / 86400


def texts_of(one: Edge) -> str:
    """Return the metadata of an edge as another program would keep it."""
    import json

    return json.dumps(dict(one.metadata), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _pair(row: tuple[str, str, str, float, str, str]) -> tuple[str, str]:
    return row[0], row[1]
