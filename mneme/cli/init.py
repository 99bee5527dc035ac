"""``mneme init``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App

_NEXT = """\
Next:
  mneme add DEC "What was decided, in one line" --topic area/part --cue "words somebody would search"
  mneme spine          what an agent reads when a session starts
  mneme skill --help   teaches an agent host to keep the memory
  mneme lint           checks the memory; mneme install-hook makes git check every commit
"""
_SNIPPET = """
Or, with the pre-commit framework, in .pre-commit-config.yaml:

"""


@click.command("init")
@click.option("--team", is_flag=True, help="Settings that merge easily: random IDs, and one file an author.")
@click.option(
    "--file", metavar="FILE", shell_complete=complete.files, help="Name of the memory file.  [default: project.mneme]"
)
@click.option(
    "--file-per", type=click.Choice(["project", "topic", "author", "month"]), help="Where new cells go, one file each."
)
@click.pass_obj
def command(app: App, team: bool, file: str | None, file_per: str | None) -> ExitCode:
    """Start a memory in this project: a file that explains itself, a configuration, a line in .gitignore.

    Nothing is overwritten: what is there is left as it is, and named. Where there is a memory file already, of whatever
    name, no second one is made. Run twice, the second run changes nothing.

    \b
    Example:
      mneme init
      mneme init --team --file-per topic
    """
    from mneme.memory.start import start

    named = None if file is None else app.cwd / Path(file).expanduser()
    done = start(app.workspace, file=named, team=team, file_per=file_per)
    for name in done.written:
        app.say(f"mneme: wrote {name}")
    for name in done.left:
        app.say(f"mneme: {name} is there and was left as it is")
    for note in done.notes:
        app.say(f"mneme: {note}")
    if done.written:
        click.echo(_NEXT + (_SNIPPET + done.snippet if done.snippet else ""), nl=False)
    return ExitCode.OK
