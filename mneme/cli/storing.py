"""Options of the commands that read or write a store, and what they have to say about how it stands to the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mneme.cli import complete
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.bridge.bound import BoundStore
    from mneme.bridge.reading import Standing
    from mneme.cli.app import App

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--db", metavar="FILE", shell_complete=complete.files,
                 help="Use the store in this file; nothing is written beside it."),
    click.option("--store", "store_name", metavar="NAME", default="", help="Use this store (also MNEMON_STORE)."),
    click.option("--data-dir", metavar="DIR", default="",
                 help="The folder that holds the stores (also MNEMON_DATA_DIR); else .mnemon in the workspace."),
)  # fmt: skip


def store_options(function: Function) -> Function:
    """Add the options that say which store is meant."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def readonly_option(function: Function) -> Function:
    """Add ``--readonly`` to a command that writes, which :func:`refuse_readonly` then refuses."""
    return click.option("--readonly", is_flag=True, help="Refuse to write.")(function)


def refuse_readonly(action: str, *, readonly: bool) -> None:
    """Refuse an action that writes.

    Raises:
        UsageError: with ``readonly``.
    """
    if readonly:
        raise UsageError(f"{action} is unavailable with --readonly: writes are disabled", "leave the option out")


def bound_store(app: App, db: str | None, store_name: str, data_dir: str, paths: Sequence[str] = ()) -> BoundStore:
    """Return the store that the options mean; ``paths`` are the files that it is to be compiled from.

    Raises:
        UsageError: options contradict each other, or a store cannot be called so.
    """
    from mneme.bridge.bound import BoundStore

    workspace = app.workspace_of(paths)
    given = _files(app, paths) if paths else None
    if db is not None:
        if store_name or data_dir:
            raise UsageError("--db names a file: --store and --data-dir have no meaning with it")
        return BoundStore.named(workspace, app.cwd / Path(db).expanduser(), given)
    folder = str(app.cwd / Path(data_dir).expanduser()) if data_dir else ""
    bound = BoundStore.chosen(workspace, app.environ, data_dir=folder, store=store_name)
    return bound if given is None else BoundStore(workspace, bound.path, bound.name, bound.usage, tuple(given))


def _files(app: App, paths: Sequence[str]) -> list[Path]:
    """Return the memory files that ``paths`` name, folders opened. Personal ones go with personal ones only."""
    from mneme.workspace import is_personal

    if "-" in paths:
        raise UsageError("a store is compiled from files: standard input has no place in it")
    found = app.workspace_of(paths).named_files(paths)
    personal = [file for file in found if is_personal(file)]
    if personal and len(personal) < len(found):
        names = ", ".join(app.workspace.display(file) for file in personal)
        app.say(f"mneme: left out, since personal cells never enter a store with shared ones: {names}")
        found = [file for file in found if file not in personal]
    return found


def now(app: App) -> datetime:
    """Return the moment to write down: the clock's, or noon of the day that was given instead of today."""
    moment = datetime.now(UTC).replace(microsecond=0)
    if app.today in (moment.date(), moment.astimezone().date()):
        return moment
    return datetime.combine(app.today, time(12), UTC)


def tell_standing(app: App, bound: BoundStore, standing: Standing) -> ExitCode:
    """Say how far a store is behind the text, and which files could not be taken; return the exit code that follows."""
    from mneme.text.visible import visible

    for line in standing.refused:
        app.say(f"mneme: error: not read: {visible(line)}", level=-9)
    delta = standing.delta
    if standing.elsewhere:
        app.say(f"mneme: {bound.path} was compiled from another workspace ({standing.elsewhere}); the text was read")
    elif standing.missing:
        app.say("mneme: there is no store yet, so the text was read; `mneme compile` makes later answers fast", level=1)
    elif delta is not None and delta.behind:
        parts = [
            f"{len(ids)} {word}"
            for ids, word in ((delta.added, "added"), (delta.changed, "changed"), (delta.removed, "removed"))
            if ids
        ]
        cells = "cell" if delta.behind == 1 else "cells"
        app.say(f"mneme: the store is {delta.behind} {cells} behind the text ({', '.join(parts)}); the text counts")
    return ExitCode.UNUSABLE if standing.refused else ExitCode.OK
