"""``mneme blame``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, paths_argument, print_json, put, tell_unreadable
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("blame")
@paths_argument
@click.option("--all", "everything", is_flag=True, help="Cells in every state, not only live ones.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, paths: tuple[str, ...], everything: bool, format_: str) -> ExitCode:
    """Print who established each live cell, and who confirmed it last.

    The second is the commit that gave the cell the date it was seen. A dash stands for what no commit holds yet.

    \b
    Example:
      mneme blame
      mneme blame memory/storage.mneme --format json
    """
    from mneme.history.repo import Repository
    from mneme.memory.past import SHALLOW, blame, commit_data
    from mneme.text.visible import visible

    workspace = app.workspace_of(paths)
    world = app.world(paths)
    placed = [
        place
        for document in world.documents
        if not document.personal
        for place in document.placed
        if everything or place.cell.status.state == "live"
    ]
    repository = Repository(app.cwd, app.environ)
    rows = blame(workspace, repository, placed)
    if repository.shallow:
        app.say(f"mneme: {SHALLOW}")
    if format_ == "json":
        cells = [
            {
                "id": row.place.cell.id, "gist": row.place.cell.gist, "state": row.place.cell.status.state,
                "seen": row.place.cell.status.seen, "established": commit_data(row.origin.established),
                "confirmed": commit_data(row.origin.confirmed),
            }
            for row in rows
        ]  # fmt: skip
        print_json(app, "blame", {"cells": cells})
        return tell_unreadable(app, world.unreadable)
    table = [
        (
            visible(place.cell.id),
            *[f"{commit.written} {commit.id[:8]} {visible(commit.author)}" if commit else "-" for commit in origin],
            visible(place.cell.gist),
        )
        for place, origin in rows
    ]
    if table:
        table.insert(0, ("cell", "established", "confirmed", "gist"))
    widths = [max((len(row[at]) for row in table), default=0) for at in range(3)]
    for row in table:
        cells_ = [f"{text:<{width}}" for text, width in zip(row, widths, strict=False)]
        put("  ".join([*cells_, row[3]]).rstrip() + "\n")
    return tell_unreadable(app, world.unreadable)
