"""``mneme set``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option
from mneme.cli.writing import tell_changed
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("set")
@click.argument(
    "cell_ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete.cell_ids("proposed", "live", "stale")
)
@click.option(
    "--state", default="", metavar="STATE", shell_complete=complete.states,
    help="proposed, live, stale, superseded or retired.",
)  # fmt: skip
@click.option("--conf", default="", metavar="CONF", shell_complete=complete.confidences, help="high, med or low.")
@click.option("--imp", default="", metavar="1-5", help="Importance.")
@click.option("--hot", default="", metavar="yes|no", help="no keeps it out of hot memory.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_ids: tuple[str, ...], state: str, conf: str, imp: str, hot: str, format_: str) -> ExitCode:
    """Set what may change about cells: state, confidence, importance. All of them, or none.

    Content never changes: to revise a belief, mneme supersede. A cell that becomes live counts as seen today. Only
    the changes of state that the format allows are made: proposed to live, superseded or retired; live to stale,
    superseded or retired; stale to live, superseded or retired.

    \b
    Example:
      mneme set DEC-0042 --state stale
      mneme set FACT-0007 FACT-0008 --conf high --imp 4
    """
    from mneme.memory.status import set_fields

    cells = set_fields(app.workspace, cell_ids, state=state, conf=conf, imp=imp, hot=hot, today=app.today)
    tell_changed(app, "set", cells, format_)
    return ExitCode.OK
