"""``mneme brief``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json, put
from mneme.cli.storing import bound_store, now, store_options, tell_standing
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("brief")
@store_options
@click.option(
    "--bytes", "size", type=click.IntRange(min=1), default=2000, show_default=True, help="How long it is at most."
)
@format_option("text", "json")
@click.pass_obj
def command(app: App, db: str | None, store_name: str, data_dir: str, size: int, format_: str) -> ExitCode:
    """Print what must survive when an agent's context is compacted: the most valuable memories, their IDs first.

    Valuable is what is important, used, confirmed lately and certain. What memories say stands in quotes, as data.
    Cells marked hot no are left out.

    \b
    Example:
      mneme brief
      mneme brief --bytes 800
    """
    from mneme.memory.briefing import brief

    bound = bound_store(app, db, store_name, data_dir)
    found = brief(bound, size, today=app.today, now=now(app))
    if format_ == "json":
        left = found.total - len(found.chosen)
        print_json(app, "brief", {"bytes": size, "total": found.total, "omitted": left, "cells": found.data()})
    else:
        put(found.text)
    if not found.chosen:
        app.say("mneme: nothing to brief on" if not found.total else f"mneme: no memory fits into {size} bytes")
    return max((tell_standing(app, part, standing) for part, standing in found.standings), default=ExitCode.OK)
