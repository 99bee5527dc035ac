"""``mneme install-hook``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("install-hook")
@click.option("--uninstall", "remove", is_flag=True, help="Take the hook away; what stood there before comes back.")
@click.pass_obj
def command(app: App, remove: bool) -> ExitCode:
    """Guard every commit of this git repository, without the pre-commit framework.

    The hook judges what is staged. It is silent when there is nothing to say, and errors stop the commit; git commit
    --no-verify skips it once. A hook that exists is kept and runs first. Where that cannot be (core.hooksPath
    is set, lefthook writes the hooks, a hook goes by its own file name) nothing is written: the line to add is printed,
    and the exit code is 1 until it is there.

    \b
    Example:
      mneme install-hook
      mneme install-hook --uninstall
    """
    import mneme
    from mneme.history.hook_script import Launcher
    from mneme.history.hooks import install, uninstall
    from mneme.history.repo import Repository

    repository = Repository(app.cwd, app.environ)
    launcher = Launcher.of(sys.executable, mneme.__file__)
    outcome = uninstall(repository) if remove else install(repository, launcher)
    for sentence in outcome.said:
        app.say(f"mneme: {sentence}")
    if outcome.line:
        click.echo(outcome.line)
    return ExitCode.OK if outcome.guarded else ExitCode.FINDINGS
