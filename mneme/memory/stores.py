"""The stores of a workspace: which there are, which one is active, making and removing one. Text is never touched."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from mneme.bridge.bound import PERSONAL, BoundStore
from mneme.errors import UsageError
from mneme.graph.places import DEFAULT, Places
from mneme.graph.store import StoreError, open_store, read
from mneme.workspace import Workspace


class Listed(NamedTuple):
    """A store: ``insights`` is None when it was not made yet, or cannot be read; ``trouble`` says why it cannot."""

    name: str
    path: Path
    active: bool
    has_text: bool
    insights: int | None = None
    trouble: str = ""


def listed(workspace: Workspace, places: Places) -> list[Listed]:
    """Return the stores by name: those that lie there, whoever made them, and the active one in any case."""
    active = places.active()
    return [_listed(workspace, places, name, active) for name in sorted({*places.names(), active})]


def _listed(workspace: Workspace, places: Places, name: str, active: str) -> Listed:
    path = places.path(name)
    one = Listed(name, path, name == active, _has_text(workspace, name))
    if not path.exists():
        return one
    try:
        return one._replace(insights=read(path, lambda reader: reader.totals()["insights"]))
    except StoreError as error:
        return one._replace(trouble=error.message)


def create(workspace: Workspace, places: Places, name: str, *, now: datetime) -> Path:
    """Make an empty store; return its file.

    Raises:
        UsageError: it exists, or none can be called so.
        StoreError: it cannot be made.
    """
    from mneme.bridge.compiling import keep_out_of_git

    path = places.new(name)
    keep_out_of_git(BoundStore(workspace, path, name, places.usage))
    open_store(path, now=now.strftime("%Y-%m-%dT%H:%M:%SZ")).close()
    return path


def set_active(workspace: Workspace, places: Places, name: str, *, now: datetime) -> None:
    """Make ``name`` the store that commands take when none is named; one that has text need not have been compiled.

    Raises:
        UsageError: there is no such store.
        MnemeError: that cannot be noted down.
    """
    if _has_text(workspace, name) and name not in places.names():
        create(workspace, places, name, now=now)
    places.set_active(name)


def remove(places: Places, name: str) -> None:
    """Delete a store. What cells say is in the text, and stays.

    Raises:
        UsageError: there is no such store, or it is the active one.
        MnemeError: it cannot be deleted.
    """
    if name not in places.names() and name == places.active():
        places.path(name)
        raise UsageError(f"store {name} is the active one", "make another one active first: mneme store set NAME")
    places.remove(name)


def _has_text(workspace: Workspace, name: str) -> bool:
    return name in (DEFAULT, PERSONAL) or name in workspace.config.stores
