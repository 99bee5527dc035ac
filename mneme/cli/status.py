"""``mneme status``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, put, put_json
from mneme.cli.storing import bound_store, now, store_options, tell_standing
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("status")
@store_options
@format_option("text", "json")
@click.pass_obj
def command(app: App, db: str | None, store_name: str, data_dir: str, format_: str) -> ExitCode:
    """Print how much a graph store holds: insights by category and state, edges, entities, and where it lies.

    The counts are those of the text as it is now, also when the store is behind it or was never compiled.

    \b
    Example:
      mneme status
      mneme status --db notes.db --format json
    """
    from mneme.graph.go_json import dumps
    from mneme.memory.store_report import status, status_lines
    from mneme.text.visible import visible

    bound = bound_store(app, db, store_name, data_dir)
    found = status(bound, today=app.today, now=now(app))
    if format_ == "json":
        put_json(dumps(found.data) + "\n")
    else:
        put("".join(f"{visible(line)}\n" for line in status_lines(found.data)))
    return tell_standing(app, bound, found.standing)
