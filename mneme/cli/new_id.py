"""``mneme new-id``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from mneme.cli.common import tell_unreadable
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("new-id")
@click.argument("prefix")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--count", type=click.IntRange(1, 10000), default=1, show_default=True, help="How many IDs.")
@click.option("--random", "random_", is_flag=True, help="A random suffix, for writers that cannot coordinate.")
@click.pass_obj
def command(app: App, prefix: str, paths: tuple[str, ...], count: int, random_: bool) -> ExitCode:
    """Print the next free cell ID for PREFIX, and nothing else.

    In use are the numbers of every cell in any state, of look-alike IDs, and of IDs that links name. Nothing is
    reserved: mneme add allocates and writes in one step.

    \b
    Example:
      mneme new-id DEC
      mneme new-id FACT --count 3
    """
    from mneme.format.ids import check_prefix, new_ids

    check_prefix(prefix)
    world = app.world(paths)
    code = tell_unreadable(app, world.unreadable)
    if code:
        return code
    style = "random" if random_ else app.workspace_of(paths).config.ids
    cells = [cell for document in world.documents for cell in document.cells]
    for cell_id in islice(new_ids(prefix, cells, style), count):
        click.echo(cell_id)
    return code
