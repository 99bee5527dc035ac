"""``mneme show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, put, tell_unreadable
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("show")
@click.argument("cell_ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete.cell_ids())
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="Look only here: a file, a folder, - (repeatable)."
)
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_ids: tuple[str, ...], files: tuple[str, ...], format_: str) -> ExitCode:
    """Print cells whole: where they stand, how far to trust them, what links where, what stands in their place now.

    The output is Mneme text: what is not in the file stands in comment lines. dec-42 finds DEC-0042, with a note on
    standard error; of an ID that was given twice, both cells are shown. An unknown ID is exit code 2.

    \b
    Example:
      mneme show DEC-0042
      mneme show DEC-0042 FACT-0007 --format json
    """
    from mneme.format.trust import trust
    from mneme.memory.links import LinkIndex
    from mneme.memory.show import resolve, views

    config = app.workspace_of(files).config
    world = app.world(files)
    code = tell_unreadable(app, world.unreadable)
    links = LinkIndex([place for document in world.documents for place in document.placed])
    resolved = [resolve(token, links) for token in cell_ids]
    shown = views(resolved, links, lambda cell: trust(cell.status, app.today, config.decay_for(cell.id)), app.today)
    if format_ == "json":
        print_json(app, "show", {"cells": [view.data() for view in shown]})
    else:
        put("\n".join([view.text() for view in shown]))
    for token, entry in zip(cell_ids, resolved, strict=True):
        if entry.note:
            app.say(f"mneme: {entry.note}")
        elif not entry.places:
            _tell_unknown(app, token, entry.nearest)
            code = ExitCode.UNUSABLE
    return code


def _tell_unknown(app: App, token: str, nearest: str) -> None:
    from mneme.text.visible import quote

    app.say(f"mneme: error: no cell has the ID {quote(token)}", level=-9)
    app.say(f"  hint: did you mean {nearest}?" if nearest else "  hint: mneme spine --all lists them", level=-9)
