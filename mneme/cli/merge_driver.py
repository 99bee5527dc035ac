"""``mneme merge-driver``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.merging import merger_for
from mneme.errors import ExitCode, UnreadableFile

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("merge-driver")
@click.argument("base", metavar="%O")
@click.argument("ours", metavar="%A")
@click.argument("theirs", metavar="%B")
@click.argument("name", metavar="%P", required=False)
@click.option("--marker-size", type=click.IntRange(min=1), default=7, metavar="%L", help="Length of conflict marks.")
@click.pass_obj
def command(app: App, base: str, ours: str, theirs: str, name: str | None, marker_size: int) -> ExitCode:
    """Merge three versions of a memory file by cell, for git, which runs it: mneme install-git tells git to.

    The result replaces %A. Exit code 0: merged; 1: conflicts are left in it, in the usual marks. What was decided, such
    as a new number for a cell, is said on standard error.

    \b
    Example:
      mneme install-git
      mneme merge-driver base.mneme ours.mneme theirs.mneme project.mneme
    """
    from mneme.memory.merging import with_base_shown
    from mneme.text.source import read_source
    from mneme.text.visible import visible
    from mneme.text.write import replace_file

    shown = visible(name or ours)
    paths = [app.cwd / file for file in (base, ours, theirs)]
    merger = merger_for(app, name or ours)
    try:
        merged = merger.merge(*[read_source(path, shown).text for path in paths])
    except UnreadableFile as error:
        from mneme.history.merge.bytewise import merge_bytes

        app.say(f"mneme: {error.message}")
        by_lines = merge_bytes(paths, marker_size, app.environ)
        if by_lines is None:
            app.say(f"mneme: {shown}: not merged: choose by git checkout --ours or --theirs, then git add", level=-9)
        else:
            replace_file(paths[1], by_lines)
            app.say(f"mneme: {shown}: merged by lines, not by cell: look at it, then git add", level=-9)
        return ExitCode.FINDINGS
    where = f"{shown} (of the common ancestors)" if marker_size > 7 else shown
    for note in (*merger.notes, *merged.notes):
        app.say(f"mneme: {where}: {visible(note)}")
    with_base = bool(merged.conflicts) and with_base_shown(app.cwd, app.environ)
    replace_file(paths[1], merged.text(size=marker_size, with_base=with_base).encode("utf-8"))
    if not merged.conflicts:
        return ExitCode.OK
    places = "one place" if merged.conflicts == 1 else f"{merged.conflicts} places"
    app.say(f"mneme: {where}: {places} to decide by hand, between the marks; then git add", level=-9)
    return ExitCode.FINDINGS
