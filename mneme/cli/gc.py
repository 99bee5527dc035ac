"""``mneme gc``."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from mneme.cli.common import format_option, put, put_json
from mneme.cli.storing import bound_store, now, readonly_option, refuse_readonly, store_options, tell_standing
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from mneme.bridge.bound import BoundStore
    from mneme.cli.app import App
    from mneme.memory.retention import Survey, Worth


def _finite(_context: click.Context, _option: click.Parameter, value: float) -> float:
    """Return ``value``; NaN is in every range of click's, and neither it nor infinity can be written as JSON."""
    if not isfinite(value):
        raise click.BadParameter(f"{value} is no finite number.")
    return value


ACTIONS = {"purge": "mneme forget <id>", "keep": "mneme gc --keep <id>"}


@click.command("gc")
@store_options
@click.option(
    "--threshold",
    type=click.FloatRange(min=0),
    default=0.5,
    show_default=True,
    callback=_finite,
    help="Worth less than this.",
)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many at most.")
@click.option("--keep", "keep_id", metavar="ID", help="Count three more uses of this insight: it is immune then.")
@click.option("--propose", "proposing", is_flag=True, help="A review plan of cells: stale, retire or keep.")
@click.option(
    "--prune", "pruning", is_flag=True, help="Delete what is worth least of too many insights of other programs."
)
@readonly_option
@format_option("text", "json")
@click.pass_obj
def command(app: App, /, db: str | None, store_name: str, data_dir: str, format_: str, **options: Any) -> ExitCode:
    """List insights that are worth little: by importance, use, age and edges. Nothing is deleted.

    Importance 4 and 5, and what was asked for three times, is never listed. --propose goes over the cells of the
    memory files, worth least first, and says what one might do with each, and by which command. --prune never touches
    what comes from memory files; it names all that it deletes.

    \b
    Example:
      mneme gc --threshold 0.2
      mneme gc --propose --limit 10
      mneme gc --keep FACT-0042
    """
    chosen = [name for name in ("keep_id", "proposing", "pruning") if options[name]]
    if len(chosen) > 1:
        raise UsageError("--keep, --propose and --prune are three different things", "choose one of them")
    bound = bound_store(app, db, store_name, data_dir)
    if options["keep_id"]:
        refuse_readonly("gc --keep", readonly=options["readonly"])
        return _keep(app, bound, options["keep_id"], format_)
    if options["pruning"]:
        refuse_readonly("gc --prune", readonly=options["readonly"])
        return _prune(app, bound, format_)
    from mneme.memory.retention import note_down, survey

    found = survey(bound, today=app.today, now=now(app))
    if options["proposing"]:
        _propose(app, found, options, format_)
    else:
        _list(app, found, options, format_)
        if not options["readonly"]:
            note_down(bound, found, threshold=options["threshold"], now=now(app))
    return tell_standing(app, bound, found.standing)


def _list(app: App, found: Survey, options: dict[str, Any], format_: str) -> None:
    from mneme.graph.go_json import dumps
    from mneme.memory.prune import Limits
    from mneme.text.visible import visible

    threshold, limit = options["threshold"], options["limit"]
    candidates = found.candidates(threshold)
    if format_ == "json":
        data = {
            "total_insights": len(found.worths),
            "threshold": threshold,
            "candidates_found": len(candidates),
            "candidates": [_candidate(one) for one in candidates[:limit]] or None,
            "max_insights": Limits.of(app.environ).maximum,
            "actions": ACTIONS,
        }
        put_json(dumps(data) + "\n")
        return
    for one in candidates[:limit]:
        gist = one.cell.gist if one.cell else one.insight.content.strip().partition("\n")[0]
        state = one.cell.state if one.cell else "peer"
        put(f"{one.effective:6.2f}  {visible(one.insight.id)} ({visible(state)}) {visible(gist)}\n")
    shown = min(limit, len(candidates))
    app.say(f"mneme: {shown} of {len(candidates)} below {threshold:g}, of {len(found.worths)} insights")


def _candidate(one: Worth) -> dict[str, Any]:
    from mneme.recall.forms import insight

    return {
        "insight": insight(one.insight),
        "effective_importance": one.effective,
        "days_since_access": one.days,
        "edge_count": one.edges,
        "immune": one.immune,
        "from_text": one.cell is not None,
        "state": one.cell.state if one.cell else None,
        "trust": one.trust.word,
        "verify": one.trust.reason or None,
    }


def _propose(app: App, found: Survey, options: dict[str, Any], format_: str) -> None:
    from mneme.cli.common import print_json
    from mneme.memory.retention import proposal_lines, propose

    plan = propose(found, options["threshold"])
    shown = plan[: options["limit"]]
    if format_ == "json":
        cells = [
            {
                "id": one.worth.insight.id, "action": one.action, "reason": one.reason, "command": one.command,
                "effective_importance": one.worth.effective, "immune": one.worth.immune,
                "state": one.worth.cell.state if one.worth.cell else None,
                "gist": one.worth.cell.gist if one.worth.cell else "", "trust": one.worth.trust.word,
            }
            for one in shown
        ]  # fmt: skip
        print_json(app, "gc-plan", {"threshold": options["threshold"], "total": len(plan), "cells": cells})
        return
    put("".join(f"{line}\n" for line in proposal_lines(shown)))
    app.say(f"mneme: {len(shown)} of {len(plan)} live and stale cells, worth least first; nothing was changed")


def _keep(app: App, bound: BoundStore, insight_id: str, format_: str) -> ExitCode:
    from mneme.graph.go_json import dumps
    from mneme.memory.retention import keep

    done = keep(bound, insight_id, today=app.today, now=now(app))
    if format_ == "json":
        data = {
            "status": "retained",
            "id": insight_id,
            "content": done.insight.content,
            "new_access": done.insight.access_count,
            "effective_importance": done.effective,
            "immune": done.immune,
        }
        put_json(dumps(data) + "\n")
    else:
        app.say(f"mneme: {insight_id} is kept: {done.insight.access_count} uses, worth {done.effective:.2f}")
    return tell_standing(app, bound, done.standing)


def _prune(app: App, bound: BoundStore, format_: str) -> ExitCode:
    from mneme.cli.common import print_json
    from mneme.graph.store import open_store
    from mneme.memory.prune import Limits, prune
    from mneme.memory.retention import usage_of

    limits = Limits.of(app.environ)
    moment = now(app)
    with open_store(bound.path, create=False, now=moment.strftime("%Y-%m-%dT%H:%M:%SZ")) as store, store.transaction():
        gone = prune(store, limits, now=moment, trigger="gc", used=usage_of(bound))
    if format_ == "json":
        print_json(app, "gc-prune", {"maximum": limits.maximum, "pruned": gone})
    else:
        put("".join(f"{id_}\n" for id_ in gone))
        app.say(f"mneme: {len(gone)} insights of other programs deleted; what comes from memory files is never pruned")
    return ExitCode.OK
