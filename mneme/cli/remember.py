"""``mneme remember``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from mneme.cli.common import format_option, put, put_json
from mneme.cli.storing import bound_store, now, readonly_option, refuse_readonly, store_options
from mneme.cli.taken import ids_taken
from mneme.cli.writing import git_author, tell_about
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.memory.memo import Memo
    from mneme.memory.remember import Remembered
    from mneme.recall.difference import Match

CATEGORIES = ("preference", "decision", "fact", "insight", "context", "general")


@click.command("remember", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@click.option(
    "--cat",
    "category",
    type=click.Choice(CATEGORIES),
    default="general",
    show_default=True,
    help="What kind of memory it is; decides on the prefix of its ID.",
)
@click.option(
    "--imp",
    "importance",
    type=click.IntRange(1, 5),
    metavar="1-5",
    help="Importance; without it as state and confidence say, 3 for a new cell.",
)
@click.option("--tags", default="", metavar="A,B", help="Tags, joined by commas: recall cues.")
@click.option("--entities", default="", metavar="A,B", help="Names of what it is about, joined by commas.")
@click.option(
    "--entity-mode",
    type=click.Choice(["merge", "provided", "auto"]),
    default="merge",
    show_default=True,
    help="Join these names with those found in the text, take them alone, or only those found.",
)
@click.option("--source", default="", metavar="NAME", help="Whom it is from; else agent or user, whoever writes.")
@click.option("--topic", default="", metavar="PATH", help="Where it belongs: words with / between.")
@click.option(
    "--cue",
    "cues",
    multiple=True,
    metavar="CUE",
    help="Words that should bring it to mind (repeatable); without tags and cues some are derived.",
)
@click.option("--personal", is_flag=True, help="Keep it to yourself: a *.local.mneme file that git ignores.")
@click.option("--no-diff", is_flag=True, help="Do not compare it with what is there: an exact repeat is written, too.")
@store_options
@readonly_option
@format_option("text", "json")
@click.pass_obj
def command(app: App, /, words: tuple[str, ...], format_: str, **options: Any) -> ExitCode:
    """Remember a text: it becomes a cell of the memory files, and is compiled into the store.

    One line of up to 120 characters is the cell's gist; of a longer text the first clause is, and the body is the whole
    text. What is there already, byte for byte, is not written again; what it resembles is told, with the command that
    settles it, and nothing is ever replaced.

    \b
    Example:
      mneme remember "Sessions end after 30 minutes because tokens cannot be revoked" --cat decision --tags auth
      mneme remember "缓存使用 SQLite" --cat fact --entities SQLite --imp 4
    """
    from mneme.memory.prune import Limits
    from mneme.memory.recalling import Moment
    from mneme.memory.remember import remember
    from mneme.memory.writer import writer_of

    refuse_readonly("remember", readonly=options["readonly"])
    bound = bound_store(app, options["db"], options["store_name"], options["data_dir"])
    workspace = bound.workspace
    memo = _memo(" ".join(words), options)
    personal = memo.personal or bound.personal
    author = git_author(app, workspace)
    done = remember(
        bound, memo, writer_of(app.environ, author), Moment(app.today, now(app)), author=author,
        taken=() if personal else ids_taken(app, workspace), limits=Limits.of(app.environ),
    )  # fmt: skip
    if format_ == "json":
        from mneme.graph.go_json import dumps
        from mneme.memory.receipts import remembered

        put_json(dumps(remembered(done)) + "\n")
    else:
        put("".join([f"{line}\n" for line in _lines(done)]))
    if done.pruned:
        app.say(f"mneme: too many insights of other programs, so these were deleted: {', '.join(done.pruned)}")
    for note in done.notes:
        app.say(f"mneme: warning: {note}")
    if done.cell is not None:
        tell_about(app, workspace, done.cell)
    return ExitCode.OK


def _memo(text: str, options: dict[str, Any]) -> Memo:
    from mneme.memory.memo import Memo

    return Memo(
        text, options["category"], options["importance"], tuple(_split(options["tags"])),
        tuple(_split(options["entities"])), options["entity_mode"], options["source"].strip(), options["topic"],
        options["cues"], options["personal"], not options["no_diff"],
    )  # fmt: skip


def _split(text: str) -> Iterator[str]:
    return (part.strip() for part in text.replace("\N{FULLWIDTH COMMA}", ",").split(",") if part.strip())


def _lines(done: Remembered) -> Iterator[str]:
    from mneme.text.visible import visible

    if done.replaced_id:
        where = f" ({visible(done.path)}:{done.line})" if done.path else ""
        yield f"{visible(done.replaced_id)} says that already{where}; nothing was written"
        return
    yield f"{done.insight.id} added: {visible(done.path)}:{done.line}"
    for match in done.difference.matches:
        yield from _resembling(done.insight.id, match)


def _resembling(new: str, match: Match) -> Iterator[str]:
    from mneme.text.visible import visible

    other = visible(match.insight.id)
    first = visible(match.insight.content.strip().partition("\n")[0])
    says = {"DUPLICATE": "says the same", "CONFLICT": "may contradict it", "UPDATE": "is near it"}[match.kind]
    yield f"  {other} {says} ({match.similarity:.2f}): {first}"
    if match.kind == "DUPLICATE":
        yield f"    if the new one is needless: mneme forget {new}"
    else:
        yield f"    if the new one takes its place: mneme link {new} {other} --type supersedes"
