"""How often insights were asked for and when last: kept beside the stores, best effort, never in their files.

It is the one thing that the text cannot give back, so a rebuild leaves it alone; and no answer depends on it being
there.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mneme.errors import MnemeError
from mneme.graph.store.connect import opened
from mneme.graph.store.snapshot import undisturbed

_PATIENCE = 1.0  # seconds; whoever asked waits for it
_SCHEMA = """
CREATE TABLE IF NOT EXISTS mneme_usage (
    store TEXT NOT NULL,
    id TEXT NOT NULL,
    count INTEGER NOT NULL,
    last TEXT NOT NULL,
    PRIMARY KEY (store, id)
) WITHOUT ROWID
"""


class Usage(NamedTuple):
    """Of one insight: how often, and when last, RFC 3339."""

    accesses: int
    last: str


def record(file: Path, store: str, ids: Iterable[str], now: str, *, by: int = 1) -> bool:
    """Count ``by`` more accesses of each of ``ids`` in ``store``; return whether that could be written."""
    rows = [(store, id_, by, now) for id_ in ids]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(opened(file, mode="rwc")) as connection:
            connection.execute(f"PRAGMA busy_timeout = {int(_PATIENCE * 1000)}")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_SCHEMA)
            connection.executemany(
                "INSERT INTO mneme_usage (store, id, count, last) VALUES (?, ?, ?, ?) ON CONFLICT (store, id)"
                " DO UPDATE SET count = count + excluded.count, last = max(last, excluded.last)",
                rows,
            )
            connection.execute("COMMIT")
    except (OSError, sqlite3.Error):
        return False
    return True


def counted(file: Path, store: str, ids: Iterable[str] | None = None) -> dict[str, Usage]:
    """Return what is known of insights of ``store`` (of ``ids``); nothing when the file cannot be read."""
    among = "" if ids is None else " AND id IN (SELECT value FROM json_each(?))"
    values = (store,) if ids is None else (store, json.dumps(list(ids)))

    def reading(connection: sqlite3.Connection) -> dict[str, Usage]:
        rows = connection.execute(f"SELECT id, count, last FROM mneme_usage WHERE store = ?{among}", values)
        return {id_: Usage(count, last) for id_, count, last in rows}

    try:
        return undisturbed(file, reading, _PATIENCE)
    except (MnemeError, sqlite3.Error):
        return {}
