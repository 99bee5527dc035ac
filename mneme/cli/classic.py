"""``mneme_tool``: the three commands of the format's own small script, to the letter (format, section 6)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from mneme.cli.app import App, working_folder
from mneme.cli.common import put
from mneme.cli.main import run
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.format.model import Document

USAGE = """\
usage: mneme_tool spine [FILE]          print the live and stale cells, one line each
       mneme_tool lint [FILE]           check the file; exit 1 on errors
       mneme_tool new-id PREFIX [FILE]  print the next free ID, for example DEC-0043

Without a command: lint. Without FILE: the first *.mneme here, else the first below, else project.mneme.
"""


@click.command("mneme_tool", add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def command(words: tuple[str, ...]) -> ExitCode:
    """Run one of the classic commands; ``words`` are the command and what follows it."""
    name, *rest = words or ("lint",)
    if name in ("-h", "--help"):
        click.echo(USAGE, nl=False)
        return ExitCode.OK
    if name not in ("spine", "lint", "new-id"):
        click.echo(USAGE, nl=False)
        raise UsageError(f"no such command: {name}", "one of: spine, lint, new-id")
    prefix = rest.pop(0) if name == "new-id" and rest else ""
    if len(rest) > 1 or (name == "new-id" and not prefix):
        click.echo(USAGE, nl=False)
        raise UsageError("new-id takes a prefix and at most one file" if name == "new-id" else f"{name} takes one file")
    if name == "new-id":
        from mneme.format.ids import check_prefix

        check_prefix(prefix)
    document = _read(rest[0] if rest else default_file(Path()))
    match name:
        case "spine":
            return _spine(document)
        case "new-id":
            return _new_id(document, prefix)
        case _:
            return _lint(document)


def default_file(folder: Path) -> str:
    """Return the file meant when none is named: the first ``*.mneme`` in ``folder``, else below it, in path order.

    Hidden files and folders do not count, as in a shell's ``*``. ``project.mneme`` when there is none at all.
    """
    import glob

    here = sorted(glob.glob("*.mneme", root_dir=folder))  # noqa: PTH207 - the classic tool's own order and blind spots
    below = here or sorted(glob.glob("**/*.mneme", root_dir=folder, recursive=True))  # noqa: PTH207
    return below[0] if below else "project.mneme"


def _read(name: str) -> Document:
    from mneme.format.parser import parse
    from mneme.text.source import read_source

    return parse(read_source(Path(name), name).text, name=name)


def _spine(document: Document) -> ExitCode:
    from mneme.format.spine import spine_line
    from mneme.format.vocabulary import WORKING_STATES

    put("".join(f"{spine_line(cell)}\n" for cell in document.cells if cell.status.state in WORKING_STATES))
    return ExitCode.OK


def _new_id(document: Document, prefix: str) -> ExitCode:
    from mneme.format.ids import new_ids

    click.echo(next(new_ids(prefix, document.cells)))
    return ExitCode.OK


def _lint(document: Document) -> ExitCode:
    from mneme.lint.classic import classic_report

    today = App.from_environment(os.environ, cwd=working_folder(), today=os.environ.get("MNEME_TODAY") or None).today
    text, failed = classic_report(document.cells, today)
    put(text)
    return ExitCode.FINDINGS if failed else ExitCode.OK


def entry(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the classic tool and exit."""
    sys.exit(run(command, arguments, prog_name="mneme_tool"))
