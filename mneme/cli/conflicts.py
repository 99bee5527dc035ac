"""``mneme conflicts``."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, paths_argument, print_json, put, tell_unreadable
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("conflicts")
@paths_argument
@format_option("text", "json")
@click.pass_obj
def command(app: App, paths: tuple[str, ...], format_: str) -> ExitCode:
    """List live cells that disagree, and the command that settles each case; exit 1 when there are any.

    Forked supersessions: one cell, several live successors, as when two branches each replaced it. Suspected
    contradictions: two live cells of one topic whose gists differ by nothing but a negation, an opposite or a number.
    The one with the higher confidence holds, then the one seen last; on a tie nothing decides, and both ways are shown.
    A pair that may stand as it is: # mneme: ignore[contradiction] above the cell that mneme lint names.

    \b
    Example:
      mneme conflicts
      mneme conflicts topics/ --format json
    """
    from mneme.lint.session import Session
    from mneme.memory.conflicts import RULES, conflicts, data, text

    workspace = app.workspace_of(paths)
    session = Session.open(workspace, app.today, select=RULES)
    world = app.world(paths)
    program = "mneme" if workspace.root == app.workspace.root else f"mneme -C {shlex.quote(str(workspace.root))}"
    found = conflicts(session, world.documents, program)
    code = tell_unreadable(app, world.unreadable)
    if format_ == "json":
        print_json(app, "conflicts", data(found))
    else:
        put(text(found))
        if not found and not code:
            app.say("mneme: no conflicts")
    return code or (ExitCode.FINDINGS if found else ExitCode.OK)
