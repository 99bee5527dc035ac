"""``mneme sync``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json, put
from mneme.cli.hot import change_lines, data_dir_option, runtime_of
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("sync")
@click.option("-n", "--dry-run", is_flag=True, help="Write nothing, and say what would be done.")
@data_dir_option
@format_option("text", "json")
@click.pass_obj
def command(app: App, data_dir: str, format_: str, *, dry_run: bool) -> ExitCode:
    """Bring cells and hot memory (memories.json, USER.md, MEMORY.md) together, both ways.

    What a host or a person wrote there becomes cells: an entry added is a new cell, one replaced a cell that supersedes
    the old one, one that is gone gets "hot no", and only mneme runtime remove retires. Then the files are written.
    A second time changes nothing.

    \b
    Example:
      mneme sync --dry-run
      mneme sync
    """
    from mneme.text.visible import visible

    runtime = runtime_of(app, data_dir)
    found = runtime.sync(dry_run=dry_run)
    planned = found.planned
    if format_ == "json":
        # In a dry run whoever writes first gets a number: none is promised.
        changes = [one._replace(new_id="" if dry_run else one.new_id)._asdict() for one in found.changes]
        data = {
            "dry_run": dry_run, "changes": changes, "written": found.written, "revision": planned.revision,
            "left_out": planned.left_out, "personal_left_out": planned.personal_out,
        }  # fmt: skip
        print_json(app, "sync", data)
        return ExitCode.OK
    for line in change_lines(found.changes, planned=dry_run):
        put(f"{visible(line)}\n")
    for name in found.written:
        put(f"{'would write' if dry_run else 'wrote'} {name}\n")
    if not found.changes and not found.written:
        app.say("mneme: cells and hot memory agree")
    for target, ids in planned.left_out.items():
        if ids:
            limit = runtime.folder.limits[target]
            app.say(f"mneme: {target}: {len(ids)} left out at the limit of {limit} bytes: {', '.join(ids[:5])}")
    if planned.personal_out:
        app.say(f"mneme: git may share the folder: personal cells stay out of it ({planned.personal_out})")
    return ExitCode.OK
