"""``mneme check-evidence``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, paths_argument, print_json, tell_unreadable
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("check-evidence")
@paths_argument
@click.option("--staged", is_flag=True, help="Judge what the next commit would hold: the whole repository.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever was found.")
@format_option("text", "json", "hook")
@click.pass_obj
def command(app: App, paths: tuple[str, ...], staged: bool, exit_zero: bool, format_: str) -> ExitCode:
    """Report live cells that lean on code which changed since they were confirmed, or is gone; exit 1 if there are any.

    A cell leans on the paths of its ref lines, and on paths that its gist and body name: files, file:symbol, globs,
    folders with a slash behind. A word is a path only if the repository has it, or had it once. Changes that are not
    committed yet count, unless the cell was confirmed with them.

    \b
    Example:
      mneme check-evidence
      mneme check-evidence --staged --format hook --exit-zero
    """
    from mneme.history.repo import Repository
    from mneme.memory.evidence import check, check_staged, doubt_data, hook_lines, lines

    repository = Repository(app.cwd, app.environ)
    if staged:
        if paths:
            raise UsageError("--staged judges the whole repository", "leave out PATH")
        judged, unreadable = check_staged(repository, cache=app.cache, home=app.home, config_file=app.config_file)
    else:
        world = app.world(paths)
        unreadable = world.unreadable
        judged = check(app.workspace_of(paths), world, repository, cache=app.cache)
    if format_ == "json":
        settled = [place.cell.id for place in judged.settled]
        print_json(app, "evidence", {"doubts": [doubt_data(doubt) for doubt in judged.doubts], "settled": settled})
    else:
        for line in hook_lines(judged.doubts) if format_ == "hook" else lines(judged.doubts):
            click.echo(line)
        if format_ == "text" and not judged.doubts:
            app.say(f"mneme: nothing speaks against {len(judged.settled)} cells that lean on code")
    code = tell_unreadable(app, unreadable) or (ExitCode.FINDINGS if judged.doubts else ExitCode.OK)
    return ExitCode.OK if exit_zero else code
