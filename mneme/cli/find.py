"""``mneme find``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json, put, tell_unreadable
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.format.model import Cell
    from mneme.format.trust import Trust


@click.command("find", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--all", "everything", is_flag=True, help="Cells in every state, not only live and stale ones.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many cells at most.")
@click.option("--topic", "topics", multiple=True, metavar="GLOB", help="Only topics that match, e.g. 'storage/*'.")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="Look only here: a file, a folder, - (repeatable)."
)
@format_option("text", "json")
@click.pass_obj
def command(
    app: App,
    words: tuple[str, ...],
    everything: bool,
    limit: int,
    topics: tuple[str, ...],
    files: tuple[str, ...],
    format_: str,
) -> ExitCode:
    """Find cells by words of cue, topic, gist and body, best first, each with its state and trust.

    The words are text and never syntax; case, width and accents do not matter, and Chinese, Japanese and Korean need
    no blanks. When only a superseded cell matches, the cell that stands in its place is printed. A cell that holds
    little of a short question is marked: it is likely about something else. Nothing found is exit code 0 and a line
    on standard error.

    \b
    Example:
      mneme find slow queries
      mneme find 并发写入 --topic 'storage/*'
      mneme find --all --format json src/cache.py
    """
    from mneme.format.trust import trust
    from mneme.memory.find import data, find, lines

    query = " ".join(words)
    if not query.strip():
        raise UsageError("nothing to look for", "give words of cue, topic, gist or body")
    config = app.workspace_of(files).config
    world = app.world(files)
    code = tell_unreadable(app, world.unreadable)
    placed = [place for document in world.documents for place in document.placed]
    hits = find(placed, query, everything=everything, topics=topics, limit=limit)

    def trust_of(cell: Cell) -> Trust:
        return trust(cell.status, app.today, config.decay_for(cell.id))

    if format_ == "json":
        print_json(app, "find", {"query": query, "hits": data(hits, trust_of)})
    else:
        put("".join([f"{line}\n" for line in lines(hits, trust_of)]))
    if not hits:
        app.say(f"mneme: nothing found among {len(placed)} cells")
    elif all(hit.part for hit in hits):
        app.say("mneme: no cell holds most of these words")
    return code
