"""A damaged store put out of the way, so that a new one can be made in its place."""

from __future__ import annotations

import itertools
import sqlite3
from pathlib import Path

from mneme.graph.store import schema
from mneme.graph.store.errors import StoreCorrupt, StoreUnwritable, no_such_store
from mneme.graph.store.snapshot import real, undisturbed


def damaged(path: Path) -> bool:
    """Look through the whole file; return whether it is damaged, or no database at all.

    Raises:
        NoSuchStore: there is none.
        NotAStore, StoreTooNew: it is sound, and not ours to touch.
        StoreError: it cannot be read.
    """

    def look(connection: sqlite3.Connection) -> bool:
        schema.check(connection, path)
        return bool(connection.execute("PRAGMA integrity_check(1)").fetchall() != [("ok",)])

    try:
        return undisturbed(path, look)
    except StoreCorrupt:
        return True


def set_aside(path: Path) -> Path:
    """Rename the store at ``path`` to ``<name>.corrupt`` (or ``.corrupt-2``, …), its -wal with it; return the new path.

    Nothing is deleted that may hold content. The caller says so to the person: what only the store knew is in there.

    Raises:
        NoSuchStore: there is none.
        StoreUnwritable: it cannot be renamed.
    """
    path = real(path)
    if not path.exists():
        raise no_such_store(path)
    names = (f"{path.name}.corrupt" + ("" if number == 1 else f"-{number}") for number in itertools.count(1))
    aside = next(free for name in names if not (free := path.with_name(name)).exists())
    try:
        # The -wal first: without it, what is left is an older state of the store, and never a mixture.
        for side in ("-wal", ""):
            part = path.with_name(path.name + side)
            if not side or part.exists():
                part.rename(aside.with_name(aside.name + side))
        path.with_name(path.name + "-shm").unlink(missing_ok=True)
    except OSError as error:
        raise StoreUnwritable(f"{path}: cannot be put aside: {error.strerror}") from None
    return aside
