"""``mneme viz``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import put
from mneme.cli.storing import bound_store, now, store_options, tell_standing
from mneme.errors import ExitCode, MnemeError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from mneme.cli.app import App


@click.command("viz")
@store_options
@click.option(
    "--format", "format_", type=click.Choice(["dot", "html"]), default="dot", show_default=True, help="What to draw."
)
@click.option("-o", "--output", metavar="FILE", shell_complete=complete.files, help="Write to this file.")
@click.pass_obj
def command(
    app: App, db: str | None, store_name: str, data_dir: str, format_: str, output: str | None
) -> ExitCode:  # fmt: skip
    """Draw the graph: for Graphviz, or as a page for a browser that works without a network.

    \b
    Example:
      mneme viz | dot -Tsvg -o memory.svg
      mneme viz --format html -o memory.html
    """
    from mneme.memory.store_report import picture

    bound = bound_store(app, db, store_name, data_dir)
    path = None if output is None else app.cwd / output
    if path is not None:
        _check(path, bound.path)
    found = picture(bound, today=app.today, now=now(app))
    drawn = found.drawn(format_, f"mneme: {bound.workspace.root.name}")
    if path is None:
        put(drawn)
    else:
        try:
            path.write_text(drawn, encoding="utf-8", errors="replace", newline="\n")
        except OSError as error:
            raise MnemeError(f"{output}: cannot be written: {error.strerror}") from None
        app.say(f"mneme: {len(found.insights)} insights and {len(found.edges)} edges drawn: {output}")
    return tell_standing(app, bound, found.standing)


def _check(path: Path, store: Path) -> None:
    """Refuse to draw over what is no picture."""
    from mneme.format.vocabulary import MEMORY_SUFFIXES

    if path.name.endswith(MEMORY_SUFFIXES) or (path.exists() and store.exists() and path.samefile(store)):
        raise UsageError(f"{path.name} is memory, not a picture", "name another file: -o memory.html")
