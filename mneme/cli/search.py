"""``mneme search``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import put, put_json
from mneme.cli.storing import bound_store, now, store_options, tell_standing
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("search", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@store_options
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many hits at most.")
@click.option("--all", "everything", is_flag=True, help="Proposed, retired and archived cells, too.")
@click.option("--brief", is_flag=True, help="JSON on one line: the piece of each hit that holds the words.")
@click.option(
    "--excerpt-chars",
    type=click.IntRange(min=1),
    default=240,
    show_default=True,
    help="How long such a piece is at most.",
)
@click.option("--readonly", is_flag=True, help="Do not count which cells were used.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.pass_obj
def command(
    app: App, words: tuple[str, ...], db: str | None, store_name: str, data_dir: str, limit: int, everything: bool,
    brief: bool, excerpt_chars: int, readonly: bool, format_: str,
) -> ExitCode:  # fmt: skip
    """Find insights by the share of the words that they hold: no ranking beyond that, no walk.

    `mneme recall` answers questions; `mneme find` does the same as this over the text, without a store.

    \b
    Example:
      mneme search folder lock
      mneme search --format json retry backoff
    """
    from mneme.graph.go_json import dumps
    from mneme.memory.recalling import Moment, count_access, lines, search
    from mneme.recall import forms

    text = " ".join(words)
    if not text.strip():
        raise UsageError("nothing to look for", "give words")
    bound = bound_store(app, db, store_name, data_dir)
    moment = Moment(app.today, now(app))
    listed = search(bound, text, limit=limit, everything=everything, moment=moment)
    if brief:
        value = forms.brief_found(listed.found, text, characters=excerpt_chars)
        put_json(dumps(value, indent=False, html=False) + "\n")
    elif format_ == "json":
        put_json(dumps(forms.found(listed.found)) + "\n")
    else:
        shown = [(one.insight, listed.known[one.insight.id], f"{one.score:.2f}") for one in listed.found]
        put("".join([f"{line}\n" for line in lines(shown)]))
    if not listed.found:
        app.say("mneme: nothing holds any of these words")
    if not readonly:
        count_access(bound, [one.insight.id for one in listed.found], moment.now)
    return tell_standing(app, bound, listed.standing)
