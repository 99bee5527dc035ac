"""``mneme accept``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option
from mneme.cli.writing import tell_changed
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("accept")
@click.argument("cell_ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete.cell_ids("proposed"))
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_ids: tuple[str, ...], format_: str) -> ExitCode:
    """Make proposed cells live, seen today. All of them, or none.

    A cell that is live already stays as it is.

    \b
    Example:
      mneme accept DEC-0042
    """
    from mneme.memory.status import accept

    tell_changed(app, "accept", accept(app.workspace, cell_ids, today=app.today), format_)
    return ExitCode.OK
