"""``mneme archive``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("archive")
@click.option("--before", metavar="DATE", help="Only cells last seen before this day.")
@click.option("--dry-run", is_flag=True, help="Say what would be moved, and write nothing.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, before: str | None, dry_run: bool, format_: str) -> ExitCode:
    """Move superseded and retired cells to archive/YYYY.mneme, by the year they were last seen; byte for byte.

    The archive is out of the spine, and lint tells only of errors there that others would suffer from. Its IDs stay
    taken, links lead there, and show, why and find read it. Personal cells stay where they are.

    \b
    Example:
      mneme archive --dry-run
      mneme archive --before 2026-01-01
    """
    from mneme.format.dates import parse_date
    from mneme.memory.archive import archive
    from mneme.memory.privacy import Git
    from mneme.text.visible import visible
    from mneme.workspace import git_top

    day = None if before is None else parse_date(before)
    if before is not None and day is None:
        raise UsageError(f"--before {before!r} is no date", "write it as YYYY-MM-DD")
    workspace = app.workspace
    git = Git(workspace.root, app.environ) if git_top(workspace.root) else None
    done = archive(workspace, before=day, dry_run=dry_run, ignored=git.ignores if git else lambda _: False)
    if format_ == "json":
        cells = [cell._asdict() for cell in done.moved]
        print_json(app, "archive", {"dry_run": dry_run, "cells": cells, "undated": done.undated})
        return ExitCode.OK
    for cell in done.moved:
        click.echo(f"{visible(cell.id)}  {cell.state}  seen {cell.seen}  {visible(cell.file)} -> {visible(cell.to)}")
    for cell_id in done.undated:
        app.say(f"mneme: {visible(cell_id)} stays: the date it was seen cannot be read (mneme lint)")
    what = "to be moved" if dry_run else "moved"
    app.say(f"mneme: {what}: {len(done.moved)}" if done.moved else "mneme: nothing to move")
    return ExitCode.OK
