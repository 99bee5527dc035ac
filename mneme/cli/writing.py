"""What the commands that write cells share: options, the workspace they write to, receipts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mneme.cli import complete
from mneme.cli.common import print_json
from mneme.errors import UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.memory.new_cell import Given, Written
    from mneme.memory.status import Changed
    from mneme.memory.target import Wanted
    from mneme.workspace import Workspace

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--topic", metavar="PATH", help="Where it belongs: words with / between."),
    click.option("--cue", "cues", multiple=True, metavar="CUE",
                 help="Words that should bring it to mind (repeatable; several at once with ' / ' or a comma)."),
    click.option("--body", multiple=True, metavar="TEXT",
                 help="Why, cost, context (repeatable; each line of TEXT a body line; - reads standard input)."),
    click.option("--state", default="live", show_default=True, metavar="STATE", shell_complete=complete.states,
                 help="proposed, live, stale, superseded or retired."),
    click.option("--conf", default="med", show_default=True, metavar="CONF", shell_complete=complete.confidences,
                 help="high, med or low."),
    click.option("--imp", default="", metavar="1-5", help="Importance."),
    click.option("--link", "links", multiple=True, metavar="REL=ID", shell_complete=complete.relations,
                 help="relates, depends-on, blocks, refines, causes, enables, prevents (repeatable)."),
    click.option("--ref", "refs", multiple=True, metavar="PATH", shell_complete=complete.files,
                 help="A file, file:symbol or glob it leans on (repeatable)."),
    click.option("--file", "file", metavar="FILE", shell_complete=complete.files,
                 help="Write to this file instead of the configured one."),
    click.option("--personal", is_flag=True, help="Keep it to yourself: a *.local.mneme file that git ignores."),
)  # fmt: skip


def cell_options(function: Function) -> Function:
    """Add the options for a new cell's values and its file."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def given_of(gist: str, options: dict[str, Any]) -> Given:
    """Return the values that the command line gives for a new cell, standard input read where it is named.

    Raises:
        UsageError: standard input is named twice.
        UnreadableFile: it is no UTF-8 text.
    """
    from mneme.memory.new_cell import Given

    return Given(
        gist, options["topic"], options["cues"], tuple(_body_lines(options["body"])), options["state"],
        options["conf"], options["imp"], options["links"], options["refs"],
    )  # fmt: skip


def _body_lines(values: Sequence[str]) -> list[str]:
    if values.count("-") > 1:
        raise UsageError("--body - is given twice", "standard input can be read once")
    lines: list[str] = []
    for value in values:
        text = value
        if value == "-":
            from mneme.cli.app import read_stdin
            from mneme.text.source import decode

            text = decode(read_stdin(), "<stdin>").removeprefix("\ufeff")
            text = text.removesuffix("\n").removesuffix("\r")
        lines += [line.removesuffix("\r") for line in text.split("\n")]
    return lines


def place_of(app: App, options: dict[str, Any]) -> tuple[Workspace, Wanted]:
    """Return the workspace to write to, always that of the working folder, and what was said about the file."""
    from mneme.memory.target import Wanted

    if options["file"] is None:
        return app.workspace, Wanted(None, options["personal"])
    path = app.cwd / Path(options["file"]).expanduser()
    owner = app.workspace.owner(path)
    return app.workspace, Wanted(path, options["personal"], None if owner is app.workspace else owner)


def git_author(app: App, workspace: Workspace) -> Callable[[], str]:
    """Return a function that asks git who is writing."""

    def ask() -> str:
        from mneme.memory.privacy import Git

        return Git(workspace.root, app.environ).author()

    return ask


def tell_written(app: App, workspace: Workspace, wanted: Wanted, cell: Written) -> None:
    """Say where a cell was written, what is to be noted, and whether a personal file is out of git's sight.

    A secret is told of even to those who want it quiet.
    """
    app.say(f"mneme: {cell.id} written: {cell.file}:{cell.line}")
    tell_about(app, workspace, cell, wanted.owner)


def tell_about(app: App, workspace: Workspace, cell: Written, owner: Workspace | None = None) -> None:
    """Say what is to be noted of a cell that was written; ``owner`` is another workspace that its file belongs to."""
    from mneme.memory.remarks import MOST, remarks, secret_kinds

    for note in cell.notes:
        app.say(f"mneme: warning: {note}")
    for kind in secret_kinds(cell):
        app.say(f"mneme: warning: secret: it holds what looks like this: {kind}", level=-1)
        app.say(f"  hint: take it out of {cell.file} before that is committed, and revoke it if it is real", level=-1)
    for remark in remarks(workspace, cell, app.today)[:MOST] if app.verbosity >= 0 else ():
        app.say(f"mneme: warning: {remark}")
    path = Path(os.path.normpath(app.cwd / cell.file))
    if owner is not None:
        app.say(
            f"mneme: warning: {cell.file} is not part of the workspace {workspace.root}: "
            "no command here reads it unless it is named"
        )
    if cell.personal:
        from mneme.memory.privacy import keep_private

        kept = keep_private(path, app.environ)
        if kept.note:
            app.say(f"mneme: {kept.note}")
        if kept.hint:
            app.say(f"  hint: {kept.hint}")
    elif owner is None and not cell.listed and not _finds(workspace, path):
        app.say(f"mneme: warning: {cell.file} is ignored by git or excluded: no command reads it unless it is named")


def _finds(workspace: Workspace, path: Path) -> bool:
    from mneme.text.files import real_path

    return real_path(path) in map(real_path, workspace.files())


def tell_changed(app: App, kind: str, cells: Sequence[Changed], format_: str) -> None:
    """Say what became of cells, on standard error, or as JSON."""
    if format_ == "json":
        data = [
            {
                "id": cell.id, "path": cell.file, "line": cell.line, "changed": cell.before != cell.after,
                **_status(cell.after), "before": _status(cell.before), "note": cell.note,
            }
            for cell in cells
        ]  # fmt: skip
        print_json(app, kind, {"cells": data})
        return
    for cell in cells:
        fields = [
            f"{name} {getattr(cell.after, name)}"
            for name in ("state", "conf", "seen", "imp", "hot")
            if getattr(cell.after, name) != getattr(cell.before, name)
        ]
        done = ", ".join(fields) or "nothing to change"
        note = f" ({cell.note})" if cell.note else ""
        app.say(f"mneme: {cell.id}: {done}{note}: {cell.file}:{cell.line}")


def _status(status: Any) -> dict[str, str]:
    return {name: value for name in ("state", "conf", "seen", "imp", "hot") if (value := getattr(status, name))}
