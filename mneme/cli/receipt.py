"""``mneme receipt``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mneme.cli.common import format_option, put, put_json
from mneme.cli.storing import bound_store, now, store_options
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("receipt")
@store_options
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many at most.")
@format_option("text", "json")
@click.pass_obj
def command(app: App, db: str | None, store_name: str, data_dir: str, limit: int, format_: str) -> ExitCode:
    """Print what was done to a graph store without giving content away: digests stand for IDs and details.

    \b
    Example:
      mneme receipt --limit 5
      mneme receipt --format json
    """
    from mneme.graph.go_json import dumps
    from mneme.graph.reports import receipt
    from mneme.memory.store_report import operations

    bound = bound_store(app, db, store_name, data_dir)
    moment = now(app).strftime("%Y-%m-%dT%H:%M:%SZ")
    found = receipt(operations(bound, limit), store=bound.name or bound.path.name, limit=limit, now=moment)
    put_json(dumps(found) + "\n") if format_ == "json" else put(_text(found))
    return ExitCode.OK


def _text(found: dict[str, Any]) -> str:
    lines = [f"{found['count']} operations on store {found['store']}. {found['privacy']['note']}"]
    lines += [
        f"{event['created_at']}  {event['operation']:<14}  id {event.get('insight_id_hash', '-')[:12]:<12}"
        f"  detail {event.get('detail_hash', '-')[:12]}"
        for event in found["events"]
    ]
    from mneme.text.visible import visible

    return "".join(f"{visible(line)}\n" for line in lines)
