"""``mneme fmt``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import paths_argument, put_file, tell_unreadable
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("fmt")
@paths_argument
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change, and exit 1 if any.")
@click.option("--diff", "show_diff", is_flag=True, help="Write nothing; show what would change, and exit 1 if any.")
@click.pass_obj
def command(app: App, paths: tuple[str, ...], check: bool, show_diff: bool) -> ExitCode:
    """Bring memory files into canonical spacing. What a cell says never changes, nor does its digest.

    Headers, state lines and keys get their usual blanks, and one blank line stands between two cells. Comments, lines
    that are not understood, and line ends stay. With no PATH: the whole workspace; - prints standard input formatted.

    \b
    Example:
      mneme fmt --diff
      mneme fmt project.mneme
      mneme fmt - < project.mneme
    """
    from mneme.memory.tidy import tidy, write_tidied
    from mneme.text.diff import unified
    from mneme.text.visible import visible

    if "-" in paths and len(paths) > 1:
        raise UsageError("standard input (-) is formatted alone", "name the files in a command of their own")
    world = app.world(paths)
    code = tell_unreadable(app, world.unreadable)
    files = tidy(world.files)
    if check or show_diff:
        for file in files:
            if file.changed and show_diff:
                put_file(unified(file.source.text, file.text, file.source.name))
            elif file.changed:
                click.echo(visible(file.source.name))
        return code or (ExitCode.FINDINGS if any(file.changed for file in files) else ExitCode.OK)
    if "-" in paths:
        for file in files:
            put_file(file.text)
        return code
    for file in write_tidied(app.workspace, files):
        app.say(f"mneme: {file.source.name} formatted")
    return code
