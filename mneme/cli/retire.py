"""``mneme retire``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option
from mneme.cli.writing import tell_changed
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("retire")
@click.argument(
    "cell_ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete.cell_ids("proposed", "live", "stale")
)
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_ids: tuple[str, ...], format_: str) -> ExitCode:
    """Retire cells: what they say no longer holds, and nothing follows. All of them, or none.

    The text stays, out of the working memory. Where something follows, use mneme supersede.

    \b
    Example:
      mneme retire TODO-0003
    """
    from mneme.memory.status import retire

    tell_changed(app, "retire", retire(app.workspace, cell_ids), format_)
    return ExitCode.OK
