"""``mneme decay``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mneme.cli.app import App
    from mneme.format.model import Placed


@click.command("decay")
@click.option("--apply", "apply_", is_flag=True, help="Mark them stale; without it nothing is written.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, apply_: bool, format_: str) -> ExitCode:
    """Name the live cells that nobody confirmed within their limit; with --apply, mark them stale.

    The limit is decay-days (or the prefix's own); with evidence-decay-days configured, a cell that leans on code which
    did not change gets the longer one. Nothing but the state of these cells is written, in one step.

    \b
    Example:
      mneme decay
      mneme decay --apply
    """
    from mneme.memory.decay import decay
    from mneme.text.visible import visible

    workspace = app.workspace

    def settled(placed: Sequence[Placed]) -> set[str]:
        from mneme.history.repo import Repository
        from mneme.memory.review import judge_evidence

        judged = judge_evidence(workspace, placed, Repository(app.cwd, app.environ), cache=app.cache)
        return {place.cell.text for place in judged.settled}

    found = decay(workspace, app.today, settled, apply=apply_)
    if format_ == "json":
        print_json(app, "decay", {"applied": apply_, "cells": [cell._asdict() for cell in found]})
        return ExitCode.OK
    for cell in found:
        click.echo(
            f"{visible(cell.id)}  not confirmed for {cell.age} days (limit {cell.limit})  {visible(cell.gist)}"
            f"  {visible(cell.file)}:{cell.line}"
        )
    if not found:
        app.say("mneme: nothing has decayed")
    elif apply_:
        app.say(f"mneme: marked stale: {len(found)}")
    else:
        app.say(f"mneme: {len(found)} to be marked stale: mneme decay --apply; or look at them first: mneme review")
    return ExitCode.OK
