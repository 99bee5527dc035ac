"""``mneme add``."""

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


@click.command("add")
@click.argument("prefix", shell_complete=complete.prefixes)
@click.argument("gist")
@cell_options
@format_option("text", "json")
@click.pass_obj
def command(app: App, /, prefix: str, gist: str, format_: str, **options: Any) -> ExitCode:
    """Add a cell and print its ID. PREFIX says what it is (DEC, FACT, PREF, GOTCHA, OKR, TODO, or your own).

    GIST is one line that can be understood by itself: what is true. The ID is new in the whole workspace, and the cell
    is written in the same step. Which file: --file, else as file-per in the configuration says (one for the project,
    or one a topic, author or month).

    \b
    Example:
      mneme add DEC "Local cache uses SQLite instead of JSON files" --topic storage/cache \\
        --cue "concurrent writes / slow queries" --body "JSON files lost writes under load." --conf high
      git log -1 --format=%b | mneme add FACT "Staging has two nodes" --topic env/staging --body -
    """
    from mneme.memory.add import add

    workspace, wanted = place_of(app, options)
    given = given_of(gist, options)
    taken = () if wanted.personal else ids_taken(app, workspace, wanted.owner)
    author = git_author(app, workspace)
    cell = add(workspace, prefix, given, wanted, today=app.today, author=author, taken=taken)
    if format_ == "json":
        data = {"id": cell.id, "path": cell.file, "line": cell.line, "personal": cell.personal}
        print_json(app, "add", {**data, "notes": list(cell.notes)})
    else:
        click.echo(cell.id)
    tell_written(app, workspace, wanted, cell)
    return ExitCode.OK
