"""``mneme seen``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option
from mneme.cli.writing import tell_changed
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("seen")
@click.argument("cell_ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete.cell_ids("live", "stale"))
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_ids: tuple[str, ...], format_: str) -> ExitCode:
    """Confirm that cells still hold: seen becomes today, and never moves back.

    A stale cell becomes live again, and the command says so. Superseded and retired cells are refused. All, or none.

    \b
    Example:
      mneme seen DEC-0042 FACT-0007
    """
    from mneme.memory.status import confirm

    tell_changed(app, "seen", confirm(app.workspace, cell_ids, today=app.today), format_)
    return ExitCode.OK
