"""``mneme log``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, put, put_json
from mneme.cli.storing import bound_store, store_options
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("log")
@store_options
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many at most.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, db: str | None, store_name: str, data_dir: str, limit: int, format_: str) -> ExitCode:
    """Print what was done to a graph store, the newest first. What cells say is in git: mneme history.

    Commands that only read are not logged: they never write the store. `mneme receipt` shows the same without content.

    \b
    Example:
      mneme log --limit 5
    """
    from mneme.graph.go_json import dumps
    from mneme.graph.reports import log
    from mneme.memory.store_report import operations

    found = operations(bound_store(app, db, store_name, data_dir), limit)
    put_json(dumps([one._asdict() for one in found]) + "\n") if format_ == "json" else put(log(found))
    return ExitCode.OK
