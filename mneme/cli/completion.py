"""``mneme completion``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class

from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_obj
def command(app: App, shell: str) -> ExitCode:  # noqa: ARG001 - every command takes the invocation
    """Print the completion script of SHELL.

    \b
    Example:
      mneme completion bash > ~/.local/share/bash-completion/completions/mneme
      mneme completion fish > ~/.config/fish/completions/mneme.fish
    """
    from mneme.cli.main import cli

    found = get_completion_class(shell)
    if found is None:
        raise UsageError(f"no completion for {shell}")
    click.echo(found(cli, {}, "mneme", "_MNEME_COMPLETE").source())
    return ExitCode.OK
