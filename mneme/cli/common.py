"""Options and output that several commands share."""

from __future__ import annotations

import sys
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
    put_json(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def put(text: str, *, err: bool = False) -> None:
    """Write ``text`` to standard output (``err``: standard error) to the letter: no escape code of a cell is lost.

    ``click.echo`` alone takes them out of what does not go to a terminal, and so changes what memory says.
    """
    click.echo(text, nl=False, err=err, color=True)


def put_file(text: str) -> None:
    """Write a file's text to standard output as its bytes: UTF-8 whatever the terminal speaks, its own line ends."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


def put_json(text: str, *, err: bool = False) -> None:
    """Write the JSON document ``text``, in ASCII alone where the stream cannot hold its characters as they are."""
    stream = sys.stderr if err else sys.stdout
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        import json

        text = json.dumps(json.loads(text), indent=2) + "\n"
    put(text, err=err)


def tell_unreadable(app: App, errors: Iterable[UnreadableFile]) -> ExitCode:
    """Name the files that could not be read, and return the exit code that follows."""
    from mneme.text.visible import visible

    code = ExitCode.OK
    for error in errors:
        app.say(f"mneme: error: {visible(error.message)}", level=-9)
        if error.hint:
            app.say(f"  hint: {visible(error.hint)}", level=-9)
        code = ExitCode.UNUSABLE
    return code
