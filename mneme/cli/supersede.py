"""``mneme supersede``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json
from mneme.cli.taken import ids_taken
from mneme.cli.writing import cell_options, git_author, given_of, place_of, tell_written
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("supersede")
@click.argument("old", metavar="OLD", shell_complete=complete.cell_ids("proposed", "live", "stale"))
@click.argument("gist")
@click.option(
    "--prefix", metavar="PREFIX", shell_complete=complete.prefixes,
    help="Prefix of the new cell's ID; as the old one's by default.",
)  # fmt: skip
@cell_options
@format_option("text", "json")
@click.pass_obj
def command(app: App, /, old: str, gist: str, prefix: str | None, format_: str, **options: Any) -> ExitCode:
    """Revise a belief: write a new cell in the place of OLD, and print its ID.

    The new cell links to OLD, OLD becomes superseded and links to the new one, in one step, in one file or in two.
    Topic and cues are those of OLD unless given. What is written in OLD stays as it is.

    \b
    Example:
      mneme supersede DEC-0042 "Local cache uses DuckDB" --body "SQLite was too slow for scans."
      mneme supersede FACT-0007 "Staging has three nodes" --topic env/staging --cue "staging size"
    """
    from mneme.memory.supersede import supersede

    workspace, wanted = place_of(app, options)
    given = given_of(gist, options)
    author = git_author(app, workspace)
    taken = () if wanted.personal else ids_taken(app, workspace, wanted.owner)
    done = supersede(workspace, old, given, wanted, prefix=prefix, today=app.today, author=author, taken=taken)
    new = done.new
    if format_ == "json":
        superseded = {"id": done.old.id, "path": done.old.file, "line": done.old.line}
        data = {"id": new.id, "path": new.file, "line": new.line, "personal": new.personal}
        print_json(app, "supersede", {**data, "superseded": superseded, "notes": list(new.notes)})
    else:
        click.echo(new.id)
    app.say(f"mneme: {done.old.id} superseded: {done.old.file}:{done.old.line}")
    tell_written(app, workspace, wanted, new)
    return ExitCode.OK
