"""``mneme why``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, put, tell_unreadable
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.format.model import Placed


@click.command("why")
@click.argument("cell_id", metavar="ID", shell_complete=complete.cell_ids())
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_id: str, format_: str) -> ExitCode:
    """Print why it is so: the cell, what it replaced, back to the first, each whole; then what it rests on.

    Newest first. Archived cells are part of it. It rests on the cells it depends on, and on those that cause or enable
    it (one level). Needs no git.

    \b
    Example:
      mneme why DEC-0042
    """
    from mneme.format.trust import trust
    from mneme.memory.draft import nearest_hint
    from mneme.memory.links import LinkIndex
    from mneme.memory.show import View, resolve
    from mneme.memory.why import text, why
    from mneme.text.visible import quote

    config = app.workspace.config
    world = app.world(())
    links = LinkIndex([place for document in world.documents for place in document.placed])
    found = resolve(cell_id, links)
    if not found.places:
        raise UsageError(
            f"no cell has the ID {quote(cell_id)}", nearest_hint(cell_id, links) or "mneme spine --all lists them"
        )
    if found.note:
        app.say(f"mneme: {found.note}")
    told = why(found.places[0], links)

    def view(place: Placed) -> View:
        return View(place, links, trust(place.cell.status, app.today, config.decay_for(place.cell.id)), app.today)

    if format_ == "json":
        data = {"chain": [view(place).data() for place in told.chain]}
        data["reasons"] = [view(place).data() for place in told.reasons]
        print_json(app, "why", {"id": found.places[0].cell.id, **data, "missing": told.missing})
    else:
        put(text(told, view))
    return tell_unreadable(app, world.unreadable)
