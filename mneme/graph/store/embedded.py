"""Which text the vectors of a store are of. The table is made when the first vector is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from mneme.graph.store import schema

TABLE = "mneme_vector_texts"


def digests(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the digest of the embedded text by ID, of insights whose vector is still there and of its dimension.

    One that another program wrote over is of another dimension, or a change of content took it away.
    """
    if TABLE not in schema.names(connection):
        return {}
    rows = connection.execute(
        f"SELECT e.id, e.digest FROM {TABLE} e JOIN insights i ON i.id = e.id"
        " WHERE i.embedding IS NOT NULL AND length(i.embedding) = e.bytes"
    )
    return dict(rows.fetchall())


def put(connection: sqlite3.Connection, rows: Iterable[tuple[str, str, bytes]]) -> None:
    """Write vectors: ID, digest of the text, little-endian float32."""
    schema.run(connection, "embedded")
    for id_, digest, vector in rows:
        connection.execute("UPDATE insights SET embedding = ? WHERE id = ?", (vector, id_))
        connection.execute(
            f"INSERT OR REPLACE INTO {TABLE} (id, digest, bytes) VALUES (?, ?, ?)", (id_, digest, len(vector))
        )
    connection.execute(f"DELETE FROM {TABLE} WHERE id NOT IN (SELECT id FROM insights)")


def forget(connection: sqlite3.Connection) -> None:
    """Take every vector away, whoever wrote it."""
    connection.execute("UPDATE insights SET embedding = NULL WHERE embedding IS NOT NULL")
    if TABLE in schema.names(connection):
        connection.execute(f"DELETE FROM {TABLE}")
