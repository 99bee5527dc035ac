"""What can be wrong with a store, told from what SQLite says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mneme.errors import MnemeError

_PRIMARY = 0xFF  # an extended result code has its primary code in the low byte
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_NO_LOCKS = {
    sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_UNLOCK, sqlite3.SQLITE_IOERR_RDLOCK,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK, sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMLOCK,
    sqlite3.SQLITE_IOERR_SHMMAP,
}  # fmt: skip
_NO_ROOM = {
    sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}  # fmt: skip

REBUILD = (
    "`mneme compile --rebuild` makes it anew from the text; what only the store knew (usage, rows of others) is lost"
)


class StoreError(MnemeError):
    """The store cannot be used."""


class NoSuchStore(StoreError):
    """There is no such file."""


class StoreBusy(StoreError):
    """Somebody else wrote all the time that we waited."""


class StoreTooNew(StoreError):
    """A newer program made it."""


class StoreCorrupt(StoreError):
    """Its bytes are damaged, or it is no database."""


class NotAStore(StoreError):
    """It is a sound database, of another program: nothing of ours, and nothing to put aside."""


class StoreUnwritable(StoreError):
    """It cannot be written where it lies: rights, room, or a file system without locks."""


def no_such_store(path: Path) -> NoSuchStore:
    """Return the error for a store that is not there."""
    return NoSuchStore(f"{path}: no such store", "`mneme compile` makes one from the text")


def busy(path: Path, patience: float) -> StoreBusy:
    """Return the error for a writer that waited ``patience`` seconds."""
    return StoreBusy(
        f"{path}: in use by another program for more than {patience:g} seconds; nothing was written",
        "wait for it or end it, then run this command again",
    )


def without_locks(path: Path) -> StoreUnwritable:
    """Return the error for a file system on which two programs could not keep out of each other's way."""
    return StoreUnwritable(
        f"{path}: this file system has no locks or shared memory that a database could rely on; nothing was written",
        "keep the store on a local disk: --data-dir or MNEMON_DATA_DIR",
    )


def read_only(path: Path) -> StoreUnwritable:
    """Return the error for a store that may only be read."""
    return StoreUnwritable(
        f"{path}: the file or its folder is read-only; nothing was written", "name a store that you may write"
    )


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether waiting may help."""
    return _code(error) & _PRIMARY in _BUSY


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0) or 0)


def told(error: sqlite3.Error, path: Path, patience: float = 0.0) -> StoreError | None:
    """Return what ``error`` means to the person; None when it is no trouble of the file's but ours."""
    code = _code(error)
    primary = code & _PRIMARY
    if primary in _BUSY:
        return busy(path, patience)
    if primary == sqlite3.SQLITE_NOTADB:
        return StoreCorrupt(f"{path}: not a database", "name another file, or move it away")
    if primary == sqlite3.SQLITE_CORRUPT:
        return StoreCorrupt(f"{path}: the store is damaged ({error})", REBUILD)
    if primary == sqlite3.SQLITE_FULL or code in _NO_ROOM:
        return StoreUnwritable(
            f"{path}: cannot be written, the disk is full or a limit on its size is reached; nothing was written",
            "make room, then run this command again",
        )
    if code in _NO_LOCKS or primary == sqlite3.SQLITE_NOLFS:
        return without_locks(path)
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return read_only(path)
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreUnwritable(
            f"{path}: the file cannot be opened or made here", "check that its folder exists and may be written"
        )
    if primary == sqlite3.SQLITE_IOERR:
        return StoreCorrupt(f"{path}: cannot be read or written ({error})", "check the disk, then try again")
    if "no such module: fts5" in str(error):
        return StoreError(
            f"{path}: the SQLite of this Python ({sqlite3.sqlite_version}) has no full-text search (FTS5)",
            "use a Python whose SQLite has it: those of python.org, Debian, Fedora, Homebrew and conda do",
        )
    return None


@contextmanager
def speaking(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Turn SQLite's errors into ours.

    Raises:
        StoreError: something is wrong with the file at ``path``.
    """
    try:
        yield
    except sqlite3.Error as error:
        story = told(error, path, patience)
        if story is None:
            raise
        raise story from None
