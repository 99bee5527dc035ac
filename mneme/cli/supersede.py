"""``mneme supersede``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json
from mneme.cli.taken import ids_taken
from mneme.cli.writing import cell_options, git_author, given_of, place_of, tell_written
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.memory.supersede import Superseded


@click.command("supersede")
@click.argument("old", metavar="OLD", shell_complete=complete.cell_ids("proposed", "live", "stale"))
@click.argument("gist", required=False)
@click.option(
    "--by",
    "by",
    metavar="ID",
    shell_complete=complete.cell_ids("live", "stale"),
    help="The cell that holds is there already: this one; nothing new is written.",
)
@click.option(
    "--prefix", metavar="PREFIX", shell_complete=complete.prefixes,
    help="Prefix of the new cell's ID; as the old one's by default.",
)  # fmt: skip
@cell_options
@format_option("text", "json")
@click.pass_context
def command(
    ctx: click.Context, /, old: str, gist: str | None, by: str | None, prefix: str | None, format_: str, **options: Any
) -> ExitCode:
    """Revise a belief: write a new cell in the place of OLD, and print its ID.

    The new cell links to OLD, OLD becomes superseded and links to the new one, in one step, in one file or in two.
    Topic and cues are those of OLD unless given. What is written in OLD stays as it is. Of two cells that contradict
    each other, --by says which one holds (mneme conflicts lists them): OLD gives way to it, and no cell is added.

    \b
    Example:
      mneme supersede DEC-0042 "Local cache uses DuckDB" --body "SQLite was too slow for scans."
      mneme supersede FACT-0007 "Staging has three nodes" --topic env/staging --cue "staging size"
      mneme supersede DEC-0043 --by DEC-0044
    """
    from mneme.memory.supersede import give_way, supersede

    app: App = ctx.obj
    if by is not None:
        _check_alone(ctx, gist)
        done = give_way(app.workspace, old, by)
        _print(app, done, format_)
        app.say(f"mneme: {done.new.id} stands in its place: {done.new.file}:{done.new.line}")
        return ExitCode.OK
    if gist is None:
        raise UsageError("what holds instead?", "give the new gist, or --by with the ID of a cell that is there")
    workspace, wanted = place_of(app, options)
    given = given_of(gist, options)
    author = git_author(app, workspace)
    taken = () if wanted.personal else ids_taken(app, workspace, wanted.owner)
    done = supersede(workspace, old, given, wanted, prefix=prefix, today=app.today, author=author, taken=taken)
    _print(app, done, format_)
    tell_written(app, workspace, wanted, done.new)
    return ExitCode.OK


def _check_alone(ctx: click.Context, gist: str | None) -> None:
    """Refuse what says something about a new cell: there is none."""
    from click.core import ParameterSource

    own = ("old", "gist", "by", "format_")
    given = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if gist is not None or set(given).difference(own):
        raise UsageError("--by names a cell that is there: it goes with OLD alone, without values for a new cell")


def _print(app: App, done: Superseded, format_: str) -> None:
    new = done.new
    if format_ == "json":
        superseded = {"id": done.old.id, "path": done.old.file, "line": done.old.line}
        data = {"id": new.id, "path": new.file, "line": new.line, "personal": new.personal}
        print_json(app, "supersede", {**data, "superseded": superseded, "notes": list(new.notes)})
    else:
        click.echo(new.id)
    app.say(f"mneme: {done.old.id} superseded: {done.old.file}:{done.old.line}")
