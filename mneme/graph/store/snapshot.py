"""Reading a store without touching it: no lock, no side file, and yet one moment's content.

SQLite itself cannot read a database in WAL mode without writing beside it, except when told that the file never
changes. So we tell it that, and look afterwards whether it was true. What a writer committed and has not moved into
the file yet (a -wal that is not empty) is read from a private copy.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from mneme.graph.store.connect import PATIENCE, in_place, opened
from mneme.graph.store.errors import StoreError, StoreUnwritable, busy, no_such_store, speaking

Result = TypeVar("Result")

_SIDES = ("-wal", "-journal")
_WAL_HEAD = 32  # magic, page size, salts: written anew when a writer starts the file over
_TICK_NS = 15_000_000  # file times move in steps of up to 10 ms: a younger one may not tell two writes apart
_PAUSE = 0.005


class _State(NamedTuple):
    """What shows that somebody wrote meanwhile."""

    file: tuple[int, int, int, int]
    sides: tuple[int, ...]


def undisturbed(path: Path, work: Callable[[sqlite3.Connection], Result], patience: float = PATIENCE) -> Result:
    """Return ``work(connection)`` as if nobody had written meanwhile; it may be called more than once.

    What ``work`` returns must not lean on the connection: it is closed then.

    Raises:
        NoSuchStore: there is no file.
        StoreBusy: for ``patience`` seconds there was no quiet moment.
        StoreError: the file is not to be read.
    """
    deadline = time.monotonic() + patience
    path = real(path)
    before = _settled(path)
    if not any(before.sides):
        failure: Exception | None = None
        try:
            with speaking(path):
                connection = in_place(path)
                try:
                    result = work(connection)
                finally:
                    connection.close()
        except Exception as error:  # noqa: BLE001 - raised below, unless it came of a file that was being written
            failure = error
        if _state(path) == before:
            if failure:
                raise failure
            return result
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        copy = Path(folder) / "store.db"
        while not _copied(path, copy):
            if time.monotonic() >= deadline:
                raise busy(path, patience)
            time.sleep(_PAUSE)
        with speaking(path):
            connection = opened(copy, mode="rw")
            try:
                return work(connection)
            finally:
                connection.close()


def glance(path: Path, work: Callable[[sqlite3.Connection], object]) -> None:
    """Let ``work`` look at the file as it lies there, and raise what it raises; not when somebody writes meanwhile."""
    path = real(path)
    before = _state(path)
    if any(before.sides):
        return
    try:
        with speaking(path), closing(in_place(path)) as connection:
            work(connection)
    except StoreError:
        if _state(path) == before:
            raise


def real(path: Path) -> Path:
    """Return what a link leads to: SQLite keeps its side files beside that."""
    try:
        return Path(os.path.realpath(path)) if path.is_symlink() else path
    except OSError:  # not to be looked at: what comes next says so
        return path


def _settled(path: Path) -> _State:
    """Return the state of the file, once it is old enough that any further write will show."""
    state = _state(path)
    age = time.time_ns() - state.file[1]
    if 0 <= age < _TICK_NS:
        time.sleep((_TICK_NS - age) / 1e9)
        state = _state(path)
    return state


def _state(path: Path) -> _State:
    try:
        facts = path.stat()
    except FileNotFoundError:
        raise no_such_store(path) from None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from None
    if path.is_dir():
        raise StoreError(f"{path}: a folder, not a store", "name a file")
    return _State(
        (facts.st_size, facts.st_mtime_ns, facts.st_ino, facts.st_dev),
        tuple(_size(_side(path, side)) for side in _SIDES),
    )


def _side(path: Path, side: str) -> Path:
    return path.with_name(path.name + side)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _copied(path: Path, copy: Path) -> bool:
    """Copy the file and what lies beside it as they were at one moment; False when there was no such moment.

    The file is the same before and after its side files are read, so it was the same while they were. A -wal only
    grows until it is started over, which its head shows; a frame that was cut off counts for nothing.
    """
    try:
        before = _state(path)
        heads = [_head(_side(path, side)) for side in _SIDES]
        settled = time.time_ns() - before.file[1] >= _TICK_NS
        with _reading(path) as stream, copy.open("wb") as target:
            shutil.copyfileobj(stream, target, 1 << 20)
        for side in _SIDES:
            _side(copy, side).unlink(missing_ok=True)
            if _size(_side(path, side)):
                shutil.copyfile(_side(path, side), _side(copy, side))
        same = settled or _equal(path, copy)
        return same and before.file == _state(path).file and heads == [_head(_side(path, side)) for side in _SIDES]
    except FileNotFoundError:  # a side file that went meanwhile
        return False
    except OSError as error:
        raise StoreUnwritable(f"{path}: cannot be read or copied to read it: {error.strerror}") from None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(_WAL_HEAD)
    except FileNotFoundError:
        return b""


def _equal(path: Path, copy: Path) -> bool:
    with _reading(path) as stream, copy.open("rb") as other:
        while True:
            here, there = stream.read(1 << 20), other.read(1 << 20)
            if here != there:
                return False
            if not here:
                return True


# POSIX locks belong to a process and a file: closing any handle of the file gives up all of the process's locks on it,
# those of an open writer too. So while this process has the store open for writing, a handle stays open as well.
_writers: dict[tuple[int, int], int] = {}
_kept: dict[tuple[int, int], list[int]] = {}


def writer_opened(path: Path) -> tuple[int, int]:
    """Note that this process writes ``path``; the return value is for :func:`writer_closed`."""
    facts = path.stat()
    key = (facts.st_dev, facts.st_ino)
    _writers[key] = _writers.get(key, 0) + 1
    return key


def writer_closed(key: tuple[int, int]) -> None:
    """Note that the connection is closed, and give back the handles that were kept for its sake."""
    _writers[key] -= 1
    if not _writers[key]:
        del _writers[key]
        for handle in _kept.pop(key, ()):
            os.close(handle)


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    facts = os.fstat(handle)
    key = (facts.st_dev, facts.st_ino)
    try:
        with open(handle, "rb", closefd=False) as stream:
            yield stream
    finally:
        if key in _writers:
            _kept.setdefault(key, []).append(handle)
        else:
            os.close(handle)
