"""``mneme show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, put, tell_unreadable
from mneme.cli.storing import bound_store, now, store_options, tell_standing
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.bridge.bound import BoundStore
    from mneme.cli.app import App


@click.command("show")
@click.argument("cell_ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete.cell_ids())
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="Look only here: a file, a folder, - (repeatable)."
)
@store_options
@click.option("--readonly", is_flag=True, help="Do not count what is shown from a store as used.")
@format_option("text", "json")
@click.pass_obj
def command(
    app: App, cell_ids: tuple[str, ...], files: tuple[str, ...], format_: str, db: str | None = None,
    store_name: str = "", data_dir: str = "", readonly: bool = False,
) -> ExitCode:  # fmt: skip
    """Print cells whole: where they stand, how far to trust them, what links where, what stands in their place now.

    The output is Mneme text: what is not in the file stands in comment lines. dec-42 finds DEC-0042, with a note on
    standard error; of an ID that was given twice, both cells are shown. An unknown ID is exit code 2.

    \b
    Example:
      mneme show DEC-0042
      mneme show DEC-0042 FACT-0007 --format json
      mneme show --db peer.db 0b5f7c1e-5d0e-4a43-9d0f-1c1d0e3b7a21
    """
    if db is not None or store_name or data_dir:
        if files:
            raise UsageError("--file looks into text, --db and --store into a store", "choose one of them")
        return _from_store(app, cell_ids, bound_store(app, db, store_name, data_dir), format_, readonly=readonly)
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


def _from_store(app: App, ids: tuple[str, ...], bound: BoundStore, format_: str, *, readonly: bool) -> ExitCode:
    """Print insights as the engine does."""
    from mneme.cli.common import put_json
    from mneme.graph.go_json import dumps
    from mneme.memory.recalling import Moment, count_access, insight, lines
    from mneme.recall import forms
    from mneme.text.visible import visible

    moment = Moment(app.today, now(app))
    code = ExitCode.OK
    for one_id in ids:
        found, known, standing = insight(bound, one_id, moment)
        if format_ == "json":
            put_json(dumps({**forms.insight(found), **known.data()}) + "\n")
        else:
            body = "".join([f"  {visible(line)}\n" for line in found.content.splitlines()])
            put(f"{lines([(found, known, '')])[0]}\n{body}")
        code = max(code, tell_standing(app, bound, standing))
        if not readonly:
            count_access(bound, [one_id], moment.now)
    return code


def _tell_unknown(app: App, token: str, nearest: str) -> None:
    from mneme.text.visible import quote

    app.say(f"mneme: error: no cell has the ID {quote(token)}", level=-9)
    app.say(f"  hint: did you mean {nearest}?" if nearest else "  hint: mneme spine --all lists them", level=-9)
