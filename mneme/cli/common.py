"""Options and output that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mneme.cli import complete
from mneme.errors import ExitCode, UnreadableFile

if TYPE_CHECKING:
    from mneme.cli.app import App

Function = TypeVar("Function", bound=Callable[..., Any])

JSON_VERSION = 1


def paths_argument(function: Function) -> Function:
    """Add ``[PATH]...``: files, folders, ``-``; none means the workspace."""
    return click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete.files)(function)


def format_option(*formats: str) -> Callable[[Function], Function]:
    """Add ``--format`` with these choices, the first being the default."""
    return click.option(
        "--format", "format_", type=click.Choice(formats), default=formats[0], show_default=True, help="How to print."
    )


def print_json(app: App, kind: str, data: dict[str, Any]) -> None:  # noqa: ARG001
    """Print a JSON document with its version and kind."""
    import json

    document = {"version": JSON_VERSION, "kind": kind, **data}
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def tell_unreadable(app: App, errors: Iterable[UnreadableFile]) -> ExitCode:
    """Name the files that could not be read, and return the exit code that follows."""
    code = ExitCode.OK
    for error in errors:
        app.say(f"mneme: error: {error.message}", level=-9)
        if error.hint:
            app.say(f"  hint: {error.hint}", level=-9)
        code = ExitCode.UNUSABLE
    return code
