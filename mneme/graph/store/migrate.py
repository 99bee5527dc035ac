"""A store made new, or brought from what older programs of the engine's family left to what we need.

The engine's own steps, in its order; only its indexes come last, because some are on columns that a step adds.
"""

from __future__ import annotations

import array
import math
import sqlite3
import sys
import uuid

from mneme.graph.model import EDGE_TYPES
from mneme.graph.store import index, schema
from mneme.graph.store.rows import EDGE_COLUMNS

_ADDED = {
    "last_accessed_at": "TEXT",
    "embedding": "BLOB",
    "effective_importance": "REAL DEFAULT 0.5",
    "stored_at": "TEXT",
}
_LARGEST = 1e6  # what a number of a vector may be, when its bytes are taken for a float64
_RETIRED = "narrative"


def migrate(connection: sqlite3.Connection, now: str) -> tuple[str, ...]:
    """Bring a database up to date, inside the transaction that there is; return remarks for the person.

    Foreign keys must not be enforced meanwhile: orphans that are there stay. ``now``: RFC 3339, for rows that get
    deleted; empty for a copy that nobody keeps, and that is the same each time: the time of their last change.
    """
    remarks: list[str] = []
    fresh = not schema.names(connection)
    schema.run(connection, "tables")
    _add_columns(connection)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < 1:
        remarks += _narrow_vectors(connection)
        connection.execute(f"PRAGMA user_version = {schema.ENGINE_VERSION}")
    if _allowed(connection, _RETIRED) or not all(_allowed(connection, kind) for kind in EDGE_TYPES):
        _rebuild_edges(connection)
    connection.execute(
        "UPDATE insights SET deleted_at = coalesce(nullif(?, ''), updated_at),"
        " updated_at = coalesce(nullif(?, ''), updated_at) WHERE category = ? AND deleted_at IS NULL",
        (now, now, _RETIRED),
    )
    connection.execute("UPDATE insights SET stored_at = created_at WHERE stored_at IS NULL OR stored_at = ''")
    schema.run(connection, "edge indexes")
    schema.run(connection, "indexes")
    schema.run(connection, "own")
    if not fresh:
        connection.execute("INSERT OR IGNORE INTO mneme_changed (id) SELECT id FROM insights")
        index.catch_up(connection)
    connection.execute(
        "INSERT OR REPLACE INTO mneme_meta (key, value) VALUES ('schema', ?)", (str(schema.SCHEMA_VERSION),)
    )
    return tuple(remarks)


def _add_columns(connection: sqlite3.Connection) -> None:
    there = {row[1] for row in connection.execute("PRAGMA table_info(insights)")}
    for name, kind in _ADDED.items():
        if name not in there:
            connection.execute(f"ALTER TABLE insights ADD COLUMN {name} {kind}")


def _narrow_vectors(connection: sqlite3.Connection) -> list[str]:
    """Rewrite vectors of float64 as float32."""
    left = []
    for id_, blob in connection.execute("SELECT id, embedding FROM insights WHERE embedding IS NOT NULL").fetchall():
        narrow = narrowed(blob) if isinstance(blob, bytes) else None
        if narrow is None:
            left.append(id_)
        elif narrow:
            connection.execute("UPDATE insights SET embedding = ? WHERE id = ?", (narrow, id_))
    return [f"{id_}: its vector is not of 64-bit numbers and was left as it is" for id_ in left]


def narrowed(blob: bytes) -> bytes | None:
    """Return little-endian float64 as float32; None when the bytes do not look like float64."""
    if len(blob) % 8:
        return None
    wide = array.array("d", blob)
    if sys.byteorder == "big":
        wide.byteswap()
    if not all(math.isfinite(number) and abs(number) <= _LARGEST for number in wide):
        return None
    narrow = array.array("f", wide)
    if sys.byteorder == "big":
        narrow.byteswap()
    return narrow.tobytes()


def _allowed(connection: sqlite3.Connection, kind: str) -> bool:
    """Tell whether the CHECK lets an edge of ``kind`` in, by trying it."""
    connection.execute("SAVEPOINT probe")
    try:
        connection.execute(
            f"INSERT INTO edges ({EDGE_COLUMNS}) VALUES (?, ?, ?, 1.0, '{{}}', '')",
            (str(uuid.uuid4()), str(uuid.uuid4()), kind),
        )
    except sqlite3.IntegrityError:
        return False
    else:
        return True
    finally:
        connection.execute("ROLLBACK TO probe")
        connection.execute("RELEASE probe")


def _rebuild_edges(connection: sqlite3.Connection) -> None:
    """Give the table the CHECK of today; edges of a type that is no more go."""
    (create,) = (statement for statement in schema.parts()["tables"] if " edges " in statement)
    connection.execute(create.replace(" edges ", " mneme_edges_new ", 1).replace("IF NOT EXISTS ", ""))
    kinds = ", ".join(f"'{kind}'" for kind in EDGE_TYPES)
    connection.execute(
        f"INSERT INTO mneme_edges_new ({EDGE_COLUMNS})"
        f" SELECT {EDGE_COLUMNS} FROM edges WHERE edge_type IN ({kinds}) ORDER BY rowid"
    )
    connection.execute("DROP TABLE edges")
    connection.execute("ALTER TABLE mneme_edges_new RENAME TO edges")
