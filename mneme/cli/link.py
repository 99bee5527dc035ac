"""``mneme link``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mneme.cli import complete
from mneme.cli.common import format_option, put, put_json
from mneme.cli.storing import bound_store, now, readonly_option, refuse_readonly, store_options
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.cli.app import App

TYPES = ("semantic", "causal", "temporal", "entity", "supersedes")


@click.command("link")
@click.argument("source", metavar="ID", shell_complete=complete.cell_ids())
@click.argument("target", metavar="ID", shell_complete=complete.cell_ids())
@click.option(
    "--type",
    "edge_type",
    type=click.Choice(TYPES),
    default="semantic",
    show_default=True,
    help="What holds between the two; causal: the first is the cause.",
)
@click.option("--weight", type=float, metavar="0-1", help="How strong; 0.5 for a new link.")
@click.option("--meta", default="{}", metavar="JSON", help="More to say, as a JSON object of texts.")
@store_options
@readonly_option
@format_option("text", "json")
@click.pass_obj
def command(app: App, /, source: str, target: str, format_: str, **options: Any) -> ExitCode:
    """Link two cells: a link line in the text of the first, and the edges it stands for in the store.

    Semantic is written as `relates`; causal as `causes`, `enables` or `prevents`, as the sub_type of --meta says so;
    temporal and entity as `relates` with `edge`. With supersedes the first cell takes the place of the second, which is
    marked. The same pair again with another --weight gets that weight.

    \b
    Example:
      mneme link DEC-0007 FACT-0003
      mneme link FACT-0003 DEC-0007 --type causal --meta '{"sub_type": "enables"}' --weight 0.8
      mneme link DEC-0009 DEC-0007 --type supersedes
    """
    from mneme.memory.link import link
    from mneme.memory.recalling import Moment
    from mneme.text.visible import visible

    refuse_readonly("link", readonly=options["readonly"])
    bound = bound_store(app, options["db"], options["store_name"], options["data_dir"])
    moment = Moment(app.today, now(app))
    done = link(
        bound, source, target, moment, edge_type=options["edge_type"], weight=options["weight"],
        meta=_metadata(options["meta"]),
    )  # fmt: skip
    if format_ == "json":
        from mneme.graph.go_json import dumps
        from mneme.memory.receipts import linked

        put_json(dumps(linked(done)) + "\n")
    else:
        said = {"added": "linked", "updated": "linked anew", "unchanged": "linked already"}[done.action]
        where = f"{visible(done.path)}:{done.line}"
        put(f"{visible(done.source)} {said} with {visible(done.target)}: {done.type} {done.weight:g}: {where}\n")
    for note in done.notes:
        app.say(f"mneme: warning: {note}")
    return ExitCode.OK


def _metadata(text: str) -> dict[str, str]:
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise UsageError("invalid metadata JSON: --meta is not an object of texts", """--meta '{"reason": "why"}'""")
    return found
