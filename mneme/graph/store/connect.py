"""Connections: how a store's file is opened, and how long one waits for it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from mneme.graph.store.errors import (
    StoreError,
    StoreUnwritable,
    busy,
    is_busy,
    no_such_store,
    read_only,
    speaking,
    without_locks,
)

PATIENCE = 20.0
"""Seconds that a writer waits for its turn."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05
_CACHE_KIB = 65536

Result = TypeVar("Result")


def uri(path: Path, **options: str | int) -> str:
    """Return the ``file:`` URI of ``path``, percent-encoded: ``#``, ``%``, ``?``, any byte may be the name's."""
    settings = "&".join(f"{key}={value}" for key, value in options.items())
    return f"file:{quote(os.fsencode(path.absolute().as_posix()))}?{settings}"


def opened(path: Path, **options: str | int) -> sqlite3.Connection:
    """Return a connection in autocommit mode that never waits by itself."""
    return _lenient(sqlite3.connect(uri(path, **options), uri=True, timeout=0, isolation_level=None))


def in_memory() -> sqlite3.Connection:
    """Return a connection to an empty database in memory."""
    return _lenient(sqlite3.connect(":memory:", isolation_level=None))


def _lenient(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Read texts that are no UTF-8, which another program may have stored, with a mark for each wrong byte."""
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def waiting(path: Path, deadline: float, patience: float, step: Callable[[], Result]) -> Result:
    """Return what ``step`` returns, tried again with growing pauses while another program is in the way.

    ``deadline`` is of time.monotonic(); ``patience`` is what the message says.

    Raises:
        StoreBusy: it did not become free in time.
        StoreError: something else is wrong with the file.
    """
    pause = _FIRST_PAUSE
    while True:
        try:
            return step()
        except sqlite3.Error as error:
            if not is_busy(error):
                with speaking(path):
                    raise
        if time.monotonic() >= deadline:
            raise busy(path, patience)
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def for_writing(path: Path, *, create: bool, patience: float) -> sqlite3.Connection:
    """Return a connection that may write, in WAL mode, with foreign keys not yet enforced.

    Raises:
        StoreError: it cannot be opened or written, or is in use for ``patience`` seconds.
    """
    with speaking(path):
        connection = opened(path, mode="rwc" if create else "rw")
    try:
        if waiting(path, time.monotonic() + patience, patience, lambda: _set_up(connection)):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    raise without_locks(path)


def _set_up(connection: sqlite3.Connection) -> bool:
    """Return whether the database is in WAL mode. Any statement may find it locked: each reads the schema first."""
    try:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN:
            raise
        return False  # the file itself is open: what cannot be had is its shared memory
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    return bool(mode == "wal")


def may_be_written(path: Path, *, create: bool) -> bool:
    """See to it that we may write a file and its folder, as SQLite does not; return whether the file holds anything.

    Raises:
        NoSuchStore: there is none, and ``create`` is false.
        StoreError: it is a folder, or may not be written.
    """
    try:
        if path.is_dir():
            raise StoreError(f"{path}: a folder, not a store", "name a file")
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        there = path.exists()
    except OSError as error:
        raise StoreUnwritable(f"{path}: {error.strerror or error}; nothing was written") from None
    if not there and not create:
        raise no_such_store(path)
    effective = os.access in os.supports_effective_ids
    for place in (path, path.parent) if there else (path.parent,):
        if not os.access(place, os.W_OK, effective_ids=effective):
            raise read_only(path)
    return there and path.stat().st_size > 0


def in_place(path: Path) -> sqlite3.Connection:
    """Return a connection to the file as it lies there: no lock is taken, no file made, a -wal is not looked at."""
    return opened(path, mode="ro", immutable=1)
