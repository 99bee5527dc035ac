"""``mneme spine``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, paths_argument, print_json, put, tell_unreadable
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("spine")
@paths_argument
@click.option("--all", "everything", is_flag=True, help="Every state, not only live and stale.")
@click.option(
    "--state", "states", multiple=True, metavar="STATE", shell_complete=complete.states,
    help="Only cells in this state (repeatable).",
)  # fmt: skip
@click.option("--topic", "topics", multiple=True, metavar="GLOB", help="Only topics that match, e.g. 'storage/*'.")
@click.option("--max-bytes", type=click.IntRange(min=0), help="Print at most this much; whole lines, the best ones.")
@format_option("text", "json", "markdown")
@click.pass_obj
def command(
    app: App,
    paths: tuple[str, ...],
    everything: bool,
    states: tuple[str, ...],
    topics: tuple[str, ...],
    max_bytes: int | None,
    format_: str,
) -> ExitCode:
    """Print the working memory, one line a cell: ID, state, gist, topic.

    With no PATH: the whole workspace without its archive. The default form is that of the classic tool, byte for byte.
    What --max-bytes leaves out is counted on standard error, in markdown also on standard output.

    \b
    Example:
      mneme spine
      mneme spine --topic 'storage/*' --format markdown --max-bytes 8000
    """
    from mneme.format.spine import make_spine, select
    from mneme.format.trust import trust
    from mneme.format.vocabulary import STATES, WORKING_STATES

    for state in states:
        if state not in STATES:
            raise UsageError(f"--state {state!r} is no state", f"one of: {', '.join(STATES)}")
    config = app.workspace_of(paths).config
    world = app.world(paths, archive=False)
    chosen = select(
        [place for document in world.documents for place in document.placed],
        states=frozenset(states) or (None if everything else WORKING_STATES),
        topics=topics,
    )
    result = make_spine(
        chosen,
        lambda cell: trust(cell.status, app.today, config.decay_for(cell.id)),
        form=format_,
        max_bytes=max_bytes,
    )
    if format_ == "json":
        print_json(app, "spine", {"cells": result.data, "omitted": result.omitted})
    else:
        put(result.text)
    if result.omitted:
        app.say(f"mneme: {result.omitted} of {len(chosen)} cells left out (--max-bytes {max_bytes})")
    return tell_unreadable(app, world.unreadable)
