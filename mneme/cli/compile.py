"""``mneme compile``."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from mneme.cli.common import format_option, paths_argument, print_json
from mneme.cli.embed import embed_compiled
from mneme.cli.storing import bound_store, now, store_options
from mneme.errors import ExitCode, MnemeError, UsageError

if TYPE_CHECKING:
    from mneme.bridge.bound import BoundStore
    from mneme.bridge.compiling import Outcome
    from mneme.cli.app import App


@click.command("compile")
@paths_argument
@store_options
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the store is behind the text.")
@click.option("--rebuild", is_flag=True, help="Work everything out anew; rows of other programs are kept.")
@click.option("--watch", is_flag=True, help="Go on compiling whenever a file changes, until interrupted.")
@click.option(
    "--accept-content",
    "accept",
    multiple=True,
    metavar="ID",
    help="Take this cell's edited content (outside of git, where edits are refused; repeatable).",
)
@format_option("text", "json")
@click.pass_obj
def command(
    app: App, paths: tuple[str, ...], db: str | None, store_name: str, data_dir: str, check: bool, rebuild: bool,
    watch: bool, accept: tuple[str, ...], format_: str,
) -> ExitCode:  # fmt: skip
    """Compile cells into the graph store that recall walks.

    Without PATH the whole workspace is compiled, personal cells into a store of their own; files that are named are
    all that the store holds then. Only what changed is worked out again. Reading commands look at the text themselves,
    so compiling is never needed for a right answer, only for a fast one.

    A file with two cells of one ID, conflict markers or unreadable bytes is refused, and nothing is written. In git,
    edited content is the guard's business (mneme lint) and is named; elsewhere it is refused.

    \b
    Example:
      mneme compile
      mneme compile --check
      mneme compile --db notes.db notes.mneme
    """
    if check and (rebuild or watch):
        raise UsageError("--check writes nothing: it goes neither with --rebuild nor with --watch")
    bound = bound_store(app, db, store_name, data_dir, paths)
    settings = {"check": check, "rebuild": rebuild, "accept": accept}
    if watch:
        return _watch(app, bound, settings, format_)
    return _once(app, bound, settings, format_)


def _once(app: App, bound: BoundStore, settings: dict[str, Any], format_: str) -> ExitCode:
    outcomes = [_compile(app, bound, settings)]
    sibling = bound.sibling()
    if sibling is not None and (sibling.path.exists() or sibling.files(None)):
        outcomes.append(_compile(app, sibling, settings))
    code = max((_verdict(outcome, check=settings["check"]) for outcome in outcomes), default=ExitCode.OK)
    if format_ == "json":
        print_json(app, "compile", {"stores": [_data(outcome) for outcome in outcomes]})
    for outcome in outcomes:
        _tell(app, outcome, check=settings["check"], quiet=format_ == "json")
        if outcome.report is None and not settings["check"]:
            embed_compiled(app, outcome.bound)
    return code


def _compile(app: App, bound: BoundStore, settings: dict[str, Any]) -> Outcome:
    from mneme.bridge.compiling import ContentRefused

    try:
        return _compiled(app, bound, settings)
    except ContentRefused as error:
        from mneme.text.visible import visible

        for move in error.moves:
            app.say(f"mneme: {move.id} in {visible(move.path)} is not what was compiled:", level=-9)
            for sign, lines in zip("-+", differing(move.before, move.after), strict=True):
                for line in lines:
                    app.say(f"  {sign} {visible(line)}", level=-9)
        raise


def _compiled(app: App, bound: BoundStore, settings: dict[str, Any]) -> Outcome:
    from mneme.bridge.compiling import compile_store

    if not (sys.stderr.isatty() and app.verbosity >= 0):
        return compile_store(bound, today=app.today, now=now(app), **settings)
    with click.progressbar(length=1, label="compiling", file=sys.stderr) as bar:

        def progress(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        return compile_store(bound, today=app.today, now=now(app), progress=progress, **settings)


def _verdict(outcome: Outcome, *, check: bool) -> ExitCode:
    if outcome.report is not None:
        return ExitCode.UNUSABLE if outcome.unreadable else ExitCode.FINDINGS
    return ExitCode.FINDINGS if check and outcome.delta else ExitCode.OK


def _tell(app: App, outcome: Outcome, *, check: bool, quiet: bool) -> None:
    from mneme.text.visible import visible

    name = outcome.bound.workspace.display(outcome.bound.path)
    if outcome.report is not None:
        from mneme.cli.common import put
        from mneme.lint.report.concise import concise

        put(concise(outcome.report, app.coloured), err=True)
        app.say(f"mneme: {name}: nothing was compiled; mneme lint shows what is wrong", level=-9)
        return
    for remark in outcome.remarks:
        app.say(f"mneme: {visible(remark)}")
    if outcome.set_aside is not None:
        app.say(f"mneme: the damaged file was kept as {outcome.bound.workspace.display(outcome.set_aside)}")
    for move in outcome.moves:
        app.say(f"mneme: warning: the content of {move.id} is not what was compiled ({visible(move.path)})")
    for cell_id in outcome.delta.foreign:
        app.say(f"mneme: warning: another program changed {cell_id} in the store; the text counts")
    if quiet:
        return
    delta = outcome.delta
    counts = f"{len(delta.added)} added, {len(delta.changed)} changed, {len(delta.removed)} removed"
    if check:
        state = "is up to date" if not delta else f"is behind the text: {counts}"
        app.say(f"mneme: {name} {state}")
    elif not delta:
        app.say(f"mneme: {name} is up to date")
    else:
        app.say(f"mneme: {name}: {outcome.cells} cells and {outcome.edges} edges; {counts}")


def _data(outcome: Outcome) -> dict[str, Any]:
    delta = outcome.delta
    return {
        "db": str(outcome.bound.path),
        "store": outcome.bound.name or None,
        "cells": outcome.cells,
        "edges": outcome.edges,
        "added": list(delta.added),
        "changed": list(delta.changed),
        "removed": list(delta.removed),
        "content_changed": [move.id for move in outcome.moves],
        "changed_by_others": list(delta.foreign),
        "up_to_date": not delta and outcome.report is None,
        "findings": [
            {"path": one.path, "line": one.line, "column": one.column, "code": one.code, "message": one.message}
            for one in (outcome.report.findings if outcome.report else ())
        ],
    }


_PAUSE = 1.0
"""Seconds between two looks at the files."""


def _watch(app: App, bound: BoundStore, settings: dict[str, Any], format_: str) -> ExitCode:
    """Compile, and again whenever a file is not what it was; what goes wrong is said, and watching goes on."""
    seen: object = None
    app.say("mneme: watching; interrupt to end")
    while True:
        now_there = _fingerprint(bound)
        if now_there != seen:
            seen = now_there
            try:
                _once(app, bound, settings, format_)
            except MnemeError as error:
                app.say(f"mneme: error: {error.message}", level=-9)
            settings = {**settings, "rebuild": False}
        time.sleep(_PAUSE)


def _fingerprint(bound: BoundStore) -> object:
    found = []
    sibling = bound.sibling()
    for path in [*bound.files(None), *(sibling.files(None) if sibling else ())]:
        try:
            facts = path.stat()
        except OSError:
            continue
        found.append((str(path), facts.st_mtime_ns, facts.st_size, facts.st_ino))
    return found


def differing(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return the lines that only one of two texts has, of each."""
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]
