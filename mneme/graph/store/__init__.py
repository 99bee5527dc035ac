"""The SQLite store: the one package that speaks SQL. Its file is the engine's; what is ours in it is named mneme_*.

Reading never writes: :func:`read` gives a :class:`Reader` of one moment's content. Writing goes through
:func:`open_store`, one writer at a time.
"""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from mneme.graph.store import index, schema
from mneme.graph.store.connect import PATIENCE, for_writing, in_memory, may_be_written, waiting
from mneme.graph.store.errors import (
    NoSuchStore,
    NotAStore,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreTooNew,
    StoreUnwritable,
    speaking,
)
from mneme.graph.store.migrate import migrate
from mneme.graph.store.reader import Reader
from mneme.graph.store.rescue import damaged, set_aside
from mneme.graph.store.rows import CellRow, Operation, Words
from mneme.graph.store.snapshot import glance, undisturbed, writer_closed, writer_opened
from mneme.graph.store.view import StoreView
from mneme.graph.store.writer import Store

__all__ = [
    "PATIENCE", "CellRow", "NoSuchStore", "NotAStore", "Operation", "Reader", "Store", "StoreBusy", "StoreCorrupt",
    "StoreError", "StoreTooNew", "StoreUnwritable", "StoreView", "Words", "damaged", "memory_copy", "memory_store",
    "open_store", "read", "set_aside", "tidy",
]  # fmt: skip

Result = TypeVar("Result")


def open_store(path: Path, *, create: bool = True, patience: float = PATIENCE, now: str = "") -> Store:
    """Return the store at ``path``, made or migrated where needed, and with its look-ups up to date.

    ``patience``: seconds to wait for another writer, here and at each transaction. ``now``: the time for rows that
    the migration deletes, RFC 3339; empty means the clock's.

    Raises:
        NoSuchStore: there is none, and ``create`` is false.
        StoreBusy: others wrote for as long as ``patience``.
        StoreTooNew, StoreCorrupt, NotAStore, StoreUnwritable, StoreError: it cannot be used.
    """
    if may_be_written(path, create=create):
        glance(path, lambda found: schema.check(found, path))  # what is not ours is not even put into WAL mode
    connection = for_writing(path, create=create, patience=patience)
    key = writer_opened(path)
    try:
        with speaking(path, patience):
            deadline = time.monotonic() + patience
            remarks = waiting(path, deadline, patience, lambda: _prepared(connection, path, now or _clock()))
            connection.execute("PRAGMA foreign_keys = ON")
        store = Store(connection, path, patience=patience, key=key, remarks=remarks)
        if connection.execute(index.BEHIND).fetchone()[0]:
            with store.transaction():
                pass
    except BaseException:
        connection.close()
        writer_closed(key)
        raise
    return store


def tidy(path: Path) -> None:
    """Move into the file what a writer that died left beside it. Where that cannot be, it stays, and is read there."""
    if path.with_name(path.name + "-wal").exists():
        with contextlib.suppress(StoreError):
            open_store(path, create=False, patience=0.0).close()


def _prepared(connection: sqlite3.Connection, path: Path, now: str) -> tuple[str, ...]:
    if schema.check(connection, path):
        return ()
    connection.execute("BEGIN IMMEDIATE")
    try:
        remarks: tuple[str, ...] = ()
        if not schema.check(connection, path):  # nobody else did it meanwhile
            remarks = migrate(connection, now)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return remarks


def _clock() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(path: Path, work: Callable[[Reader], Result], *, patience: float = PATIENCE) -> Result:
    """Return ``work(reader)`` on the store as it is at one moment; nothing is written, in it or beside it.

    ``work`` may be called again when the file was written meanwhile; what it returns must not lean on the reader.
    A store of an older program, or one that another program wrote last, is made up to date in a copy in memory.

    Raises:
        NoSuchStore: there is none.
        StoreError: it cannot be read.
    """

    def reading(connection: sqlite3.Connection) -> Result:
        if schema.check(connection, path) and not connection.execute(index.BEHIND).fetchone()[0]:
            return work(Reader(connection, path))
        with _copied(connection) as store:
            return work(store)

    return undisturbed(path, reading, patience)


def memory_copy(path: Path, *, patience: float = PATIENCE) -> Store:
    """Return a copy in memory of the store at ``path``, up to date, to write into: for what is not to be kept.

    Raises:
        NoSuchStore: there is none.
        StoreError: it cannot be read.
    """

    def copying(connection: sqlite3.Connection) -> Store:
        schema.check(connection, path)
        return _copied(connection)

    return undisturbed(path, copying, patience)


def memory_store() -> Store:
    """Return an empty store in memory."""
    return _up_to_date(in_memory())


def _copied(source: sqlite3.Connection) -> Store:
    target = in_memory()
    try:
        source.backup(target)
        return _up_to_date(target)
    except BaseException:
        target.close()
        raise


def _up_to_date(connection: sqlite3.Connection) -> Store:
    remarks = _prepared(connection, Path(":memory:"), "")
    connection.execute("PRAGMA foreign_keys = ON")
    store = Store(connection, None, remarks=remarks)
    if connection.execute(index.BEHIND).fetchone()[0]:
        with store.transaction():
            pass
    return store
