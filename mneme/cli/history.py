"""``mneme history``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, tell_unreadable
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("history")
@click.argument("cell_id", metavar="ID", shell_complete=complete.cell_ids())
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_id: str, format_: str) -> ExitCode:
    """Print what happened to a cell, oldest first: each change with its commit, author, day and message.

    The cell is followed over files and folders, and under the number it had before it was renumbered. What is not
    committed yet comes last. A content edit is told with both versions.

    \b
    Example:
      mneme history DEC-0042
      mneme history DEC-0042 --format json
    """
    from mneme.history.repo import Repository
    from mneme.memory.past import event_data, event_line, recount
    from mneme.text.visible import visible

    workspace = app.workspace
    world = app.world(())
    told = recount(workspace, world, Repository(app.cwd, app.environ), cell_id)
    for note in told.notes:
        app.say(f"mneme: {note}")
    if format_ == "json":
        data = {"id": told.cell_id, "gist": told.cell.gist if told.cell else None}
        print_json(app, "history", {**data, "events": [event_data(event) for event in told.events]})
    else:
        gist = visible(told.cell.gist) if told.cell else "(no longer in this memory)"
        click.echo(f"{visible(told.cell_id)}  {gist}")
        for event in told.events:
            click.echo(event_line(event))
            if event.commit and event.commit.subject:
                click.echo(f"            {visible(event.commit.subject)}")
    return tell_unreadable(app, world.unreadable)
