"""``mneme diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json, put, tell_unreadable
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("diff")
@click.argument("words", nargs=-1, metavar="[REV|A..B|A...B] [PATH]...")
@click.option("--staged", is_flag=True, help="Compare what is staged with HEAD.")
@format_option("text", "json", "markdown")
@click.pass_obj
def command(app: App, words: tuple[str, ...], staged: bool, format_: str) -> ExitCode:
    """Show what became of the memory, by cell: added, superseded, confirmed, linked, moved, and what is not allowed.

    Without a revision: the work tree against HEAD. REV: the work tree against where this branch and REV parted.
    A..B: from A to B. A...B: from where the two parted to B. PATH limits it to files and folders. Markdown is for a
    comment on a pull request. Personal files are left out.

    \b
    Example:
      mneme diff
      mneme diff HEAD~5 topics/
      mneme diff origin/main...HEAD --format markdown
    """
    from mneme.history.repo import Repository
    from mneme.memory import diff_report
    from mneme.memory.diff import base_or_paths, diff

    repository = Repository(app.cwd, app.environ)
    between, paths = base_or_paths(repository, words, app.cwd)
    found = diff(app.workspace, repository, between=between, staged=staged, paths=paths, cache=app.cache)
    code = tell_unreadable(app, found.unreadable)
    for note in found.notes:
        app.say(f"mneme: not compared: {note}")
    if format_ == "json":
        print_json(app, "diff", diff_report.data(found))
    else:
        put((diff_report.markdown if format_ == "markdown" else diff_report.text)(found))
    return code
