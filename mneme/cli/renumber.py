"""``mneme renumber``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json
from mneme.cli.taken import ids_taken
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("renumber")
@click.argument("old", metavar="OLD", shell_complete=complete.cell_ids())
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--cell", "digest", default="", metavar="DIGEST", help="Renumber the cell with this digest.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, old: str, new: str | None, digest: str, format_: str) -> ExitCode:
    """Give a new number to one of two cells that took OLD, with every link and mention that meant it, in one step.

    A shared cell keeps OLD before a personal one, then the one that the trunk holds, then the one with the earlier
    since, then the one with the smaller digest. NEW is the next free ID unless given. Lines that the trunk has mean the
    trunk's cell, and stay. A comment in the cell tells guard and history where it comes from. A number that one cell
    has alone never changes.

    Where a merge gave the cell of DIGEST the number NEW already, the mentions of OLD that mean it are changed, in files
    that git did not have to merge. Who wrote them tells: the two sides of the merge.

    \b
    Example:
      mneme renumber DEC-0042
      mneme renumber DEC-0042 DEC-0057 --cell a1:9f86d081
    """
    from mneme.memory.renumber import renumber
    from mneme.memory.renumbered_before import earlier_states
    from mneme.memory.trunk import trunk_cells
    from mneme.text.visible import visible

    workspace = app.workspace
    done = renumber(
        workspace, old, new, digest, lambda: trunk_cells(workspace, app.environ), ids_taken(app, workspace),
        lambda: earlier_states(workspace, app.environ),
    )  # fmt: skip
    if format_ == "json":
        print_json(app, "renumber", done._asdict())
        return ExitCode.OK
    click.echo(f"{visible(done.old_id)} -> {done.new_id}  {visible(done.path)}:{done.line}")
    app.say(f"mneme: {visible(done.old_id)} stays with {visible(done.keeper)}: {done.reason}", level=0)
    if done.finished and not done.mentions:
        app.say("mneme: no other line means it")
    if done.mentions:
        app.say(f"mneme: changed with it: {visible(', '.join(done.mentions))}")
    if done.unclear:
        app.say(f"mneme: not changed, they may mean either cell: {visible(', '.join(done.unclear))}")
    return ExitCode.OK
