"""``mneme new-id``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import tell_unreadable
from mneme.cli.taken import ids_taken
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("new-id")
@click.argument("prefix", shell_complete=complete.prefixes)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--count", type=click.IntRange(1, 10000), default=1, show_default=True, help="How many IDs.")
@click.option("--random", "random_", is_flag=True, help="A random suffix, for writers that cannot coordinate.")
@click.option("--remote", is_flag=True, help="Fetch from every remote first, so that their branches count too.")
@click.pass_obj
def command(app: App, prefix: str, paths: tuple[str, ...], count: int, random_: bool, remote: bool) -> ExitCode:
    """Print the next free cell ID for PREFIX, and nothing else.

    In use are the numbers of every cell in any state, of look-alike IDs, of IDs that links name, and in git of every ID
    that any commit of any branch, tag or remote ever held (as of the last fetch; --remote makes one). Files named on
    the command line are all that counts. Nothing is reserved: mneme add allocates and writes in one step.

    \b
    Example:
      mneme new-id DEC
      mneme new-id FACT --count 3
      mneme new-id DEC --remote
    """
    from mneme.format.ids import check_prefix, new_ids

    check_prefix(prefix)
    if remote and paths:
        raise UsageError("--remote asks git, and the files named are all that counts", "leave one of the two out")
    world = app.world(paths)
    code = tell_unreadable(app, world.unreadable)
    if code:
        return code
    style = "random" if random_ else app.workspace_of(paths).config.ids
    cells = [cell for document in world.documents for cell in document.cells]
    taken = frozenset() if paths else ids_taken(app, app.workspace, fetch=remote)
    for cell_id in islice(new_ids(prefix, cells, style, taken), count):
        click.echo(cell_id)
    return code
