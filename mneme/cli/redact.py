"""``mneme redact``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("redact")
@click.argument("cell_id", metavar="ID", shell_complete=complete.cell_ids())
@click.option(
    "--field", "fields", multiple=True, type=click.Choice(["topic", "gist", "cue", "body", "origin"]),
    help="Blank only this field (repeatable). Without it: all but the topic, comments and unread lines too.",
)  # fmt: skip
@click.option("--reason", required=True, metavar="TEXT", help="Why. It stays in the file: do not quote the text.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, cell_id: str, fields: tuple[str, ...], reason: str, format_: str) -> ExitCode:
    """Blank what a cell says, for what must not be kept: a secret, somebody's data. There is no way back.

    The text becomes [redacted]; the cell, its links and its dates stay. A comment keeps the digest of what it was, and
    the guard accepts this one edit of content because of it. What this program keeps in its cache is thrown away. Git
    still has the old text: rewriting history is a step of its own.

    \b
    Example:
      mneme redact FACT-0007 --field body --reason "names a customer"
    """
    from mneme.memory.redact import redact
    from mneme.text.visible import visible
    from mneme.workspace import git_top

    done = redact(app.workspace, cell_id, fields, reason, app.today, app.cache)
    if format_ == "json":
        print_json(app, "redact", {
            "id": done.cell_id, "fields": list(done.fields), "path": done.path, "line": done.line,
            "digest": done.digest, "purged": done.purged,
        })  # fmt: skip
    else:
        click.echo(f"{visible(done.cell_id)}  {', '.join(done.fields)} redacted  {visible(done.path)}:{done.line}")
    if git_top(app.workspace.root):
        app.say("mneme: git still has the old text, in every commit and clone that had it. To rewrite history:")
        app.say("  git filter-repo --replace-text FILE, then push by force and let everybody clone anew")
        app.say("  a secret that was pushed is known: revoke it")
    return ExitCode.OK
