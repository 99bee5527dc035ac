"""A lock that is a file, for folders that programs of other makers write to as well: whoever creates it holds it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from mneme.errors import EditError

PATIENCE = 5.0
"""Seconds to wait for whoever holds it."""

STALE = 30.0
"""Seconds after which a lock file was left behind by a process that died."""

_PAUSE = 0.02


@contextlib.contextmanager
def created(path: Path, *, patience: float = PATIENCE, stale: float = STALE) -> Iterator[None]:
    """Hold the lock file ``path``, which is gone afterwards.

    Raises:
        EditError: somebody else held it for ``patience`` seconds, or it cannot be made.
    """
    deadline = time.monotonic() + patience
    while not _create(path):
        if _remove_stale(path, stale):
            continue
        if time.monotonic() >= deadline:
            raise EditError(
                f"{path}: another program has been writing there for {patience:.0f} seconds; nothing was written",
                f"run the command again; when nothing runs, the lock is void {stale:.0f} seconds after it was made",
            )
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _create(path: Path) -> bool:
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}; nothing was written") from None
    return True


def _remove_stale(path: Path, stale: float) -> bool:
    """Whether to try again at once: the lock was stale and is removed, or is gone."""
    try:
        if time.time() - path.stat().st_mtime <= stale:
            return False
        path.unlink()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}; nothing was written") from None
    return True
