"""``mneme install-git``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("install-git")
@click.option("--uninstall", "remove", is_flag=True, help="Take away exactly what this command writes.")
@click.pass_obj
def command(app: App, remove: bool) -> ExitCode:
    """Merge memory files by cell in this clone, and let git diff and git log -p name the cell of each change.

    Writes two lines to .gitattributes, to be committed, and three settings to this clone's configuration, which all its
    worktrees share. Git keeps settings to each clone, so every teammate runs it once; without it git merges by lines.

    \b
    Example:
      mneme install-git
      mneme install-git --uninstall
    """
    import mneme
    from mneme.history.git_setup import install, uninstall
    from mneme.history.hook_script import Launcher
    from mneme.history.repo import Repository

    repository = Repository(app.cwd, app.environ)
    said = uninstall(repository) if remove else install(repository, Launcher.of(sys.executable, mneme.__file__))
    for sentence in said:
        app.say(f"mneme: {sentence}")
    return ExitCode.OK
