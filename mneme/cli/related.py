"""``mneme related``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import put, put_json
from mneme.cli.storing import bound_store, now, store_options, tell_standing
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("related")
@click.argument("insight_id", metavar="ID", shell_complete=complete.cell_ids())
@store_options
@click.option(
    "--edge",
    "edge_type",
    default="",
    metavar="TYPE",
    help="Only over these edges: temporal, semantic, causal, entity or supersedes.",
)
@click.option("--depth", type=click.IntRange(min=1), default=2, show_default=True, help="How many edges away at most.")
@click.option("--all", "everything", is_flag=True, help="Proposed and archived cells, too.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.pass_obj
def command(
    app: App, insight_id: str, db: str | None, store_name: str, data_dir: str, edge_type: str, depth: int,
    everything: bool, format_: str,
) -> ExitCode:  # fmt: skip
    """Print what can be reached from an insight over the edges of the graph, the near first.

    \b
    Example:
      mneme related DEC-0042
      mneme related DEC-0042 --edge causal --depth 4
    """
    from mneme.graph.go_json import dumps
    from mneme.memory.recalling import Moment, lines, related
    from mneme.recall import forms

    bound = bound_store(app, db, store_name, data_dir)
    moment = Moment(app.today, now(app))
    listed = related(bound, insight_id, edge_type=edge_type, depth=depth, everything=everything, moment=moment)
    if format_ == "json":
        put_json(dumps(forms.near(listed.found)) + "\n")
    else:
        shown = [
            (one.insight, listed.known[one.insight.id], f"<- {one.edge.type}, {one.depth} away") for one in listed.found
        ]
        put("".join([f"{line}\n" for line in lines(shown)]))
    if not listed.found:
        app.say(f"mneme: nothing is linked with {insight_id}")
    return tell_standing(app, bound, listed.standing)
