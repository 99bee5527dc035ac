"""Locks on folders: one writer at a time. Knows no format.

The lock is an exclusive ``flock`` on the folder itself: nothing is left lying about, it needs no writable place beside
the text, and it is the same lock however the process names its temporary folder. Where folders cannot be locked
(Windows, some network file systems) ``filelock`` keeps a lock file in the folder instead.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from mneme.errors import EditError

PATIENCE = 60.0
"""Seconds to wait for another writer; a write takes a fraction of one."""

_LOCK_FILE = ".mneme-lock"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05


@contextlib.contextmanager
def held(folders: Iterable[Path], patience: float = PATIENCE) -> Iterator[None]:
    """Hold the locks of ``folders``, taken in an order that is the same for every process.

    Raises:
        EditError: a folder cannot be locked, or another writer held it for ``patience`` seconds.
    """
    with contextlib.ExitStack() as stack:
        for folder in _in_order(folders):
            stack.enter_context(_held_one(folder, patience))
        yield


def _in_order(folders: Iterable[Path]) -> list[Path]:
    known: dict[tuple[int, int], Path] = {}
    for folder in folders:
        try:
            facts = folder.stat()
        except OSError as error:
            raise EditError(f"{folder}: {error.strerror}; nothing was written") from None
        known.setdefault((facts.st_dev, facts.st_ino), folder)
    return [folder for _, folder in sorted(known.items())]


@contextlib.contextmanager
def _held_one(folder: Path, patience: float) -> Iterator[None]:
    if sys.platform == "win32":  # folders cannot be opened there
        with _held_file(folder, patience):
            yield
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise EditError(f"{folder}: {error.strerror}; nothing was written") from None
    try:
        if _flock(handle, folder, patience):
            yield
        else:
            with _held_file(folder, patience):
                yield
    finally:
        os.close(handle)


def _flock(handle: int, folder: Path, patience: float) -> bool:
    """Lock an open folder; False where the file system cannot."""
    import fcntl

    deadline = time.monotonic() + patience
    pause = _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise _busy(folder, patience) from None
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        except OSError:
            return False
        else:
            return True


@contextlib.contextmanager
def _held_file(folder: Path, patience: float) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(folder / _LOCK_FILE)
    try:
        lock.acquire(timeout=patience)
    except Timeout:
        raise _busy(folder, patience) from None
    except (OSError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EditError(f"{folder} cannot be locked: {reason}; nothing was written") from None
    try:
        yield
    finally:
        lock.release()


def _busy(folder: Path, patience: float) -> EditError:
    return EditError(
        f"{folder}: another mneme command has been writing there for {patience:.0f} seconds; nothing was written",
        "wait for it or end it, then run this command again",
    )
