"""``mneme forget``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mneme.cli import complete
from mneme.cli.common import format_option, put, put_json
from mneme.cli.storing import bound_store, now, readonly_option, refuse_readonly, store_options
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("forget")
@click.argument("cell_id", metavar="ID", shell_complete=complete.cell_ids("proposed", "live", "stale"))
@store_options
@readonly_option
@format_option("text", "json")
@click.pass_obj
def command(app: App, /, cell_id: str, format_: str, **options: Any) -> ExitCode:
    """Forget a cell: it is retired, recalled no more, and loses its edges. The text keeps it.

    Nothing follows that state: what holds after all is remembered anew. A row that another program wrote into the store
    is deleted there. A second time is an error.

    \b
    Example:
      mneme forget FACT-0012
    """
    from mneme.memory.forget import forget
    from mneme.memory.recalling import Moment
    from mneme.text.visible import visible

    refuse_readonly("forget", readonly=options["readonly"])
    bound = bound_store(app, options["db"], options["store_name"], options["data_dir"])
    done = forget(bound, cell_id, Moment(app.today, now(app)))
    if format_ == "json":
        from mneme.graph.go_json import dumps
        from mneme.memory.receipts import forgotten

        put_json(dumps(forgotten(done)) + "\n")
    elif done.path:
        put(f"{visible(done.id)} retired: {visible(done.path)}:{done.line}\n")
    else:
        put(f"{visible(done.id)} deleted in the store: no cell says it\n")
    for note in done.notes:
        app.say(f"mneme: warning: {note}")
    return ExitCode.OK
