"""``mneme from-store``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, put_file
from mneme.cli.storing import bound_store, store_options
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mneme.bridge.bound import BoundStore
    from mneme.bridge.from_store import Converted
    from mneme.cli.app import App


@click.command("from-store")
@click.argument("file", required=False, metavar="[DB]", shell_complete=complete.files)
@store_options
@click.option("--out", metavar="FILE", shell_complete=complete.files, help="Add the cells to this memory file.")
@format_option("text", "json")
@click.pass_obj
def command(
    app: App, file: str | None, db: str | None, store_name: str, data_dir: str, out: str | None, format_: str
) -> ExitCode:  # fmt: skip
    """Turn a graph store into cells: printed, or added to a memory file with --out.

    A store of the Mnemon engine becomes new cells: the ID by category, importance as imp and conf, where it came from
    on the origin line, links for supersedes edges and for what somebody linked by hand; deleted ones are retired. A
    store of ours gives its cells back as they stood. The store is not changed.

    With --out, what was added before is not added again, so the same call may be repeated.

    \b
    Example:
      mneme from-store ~/.mnemon/data/default/mnemon.db --out imported.mneme
      mneme from-store --store default > rescued.mneme
    """
    from mneme.cli.taken import ids_taken
    from mneme.memory.from_store import added, printed

    if file is not None and db is not None:
        raise UsageError("the store is named twice", "leave --db out")
    bound = bound_store(app, file if file is not None else db, store_name, data_dir)
    if out is None:
        done = printed(bound, today=app.today, taken=ids_taken(app, bound.workspace))
        if format_ == "json":
            print_json(app, "from-store", {**_data(bound, done), "text": done.text})
        else:
            put_file(done.text)
        _tell(app, done.remarks)
        return ExitCode.OK
    path = app.cwd / Path(out).expanduser()
    workspace = app.workspace.owner(path)
    result = added(bound, path, workspace=workspace, today=app.today, taken=ids_taken(app, workspace))
    done = result.converted
    if format_ == "json":
        print_json(app, "from-store", {**_data(bound, done), "file": result.file, "skipped": list(result.skipped)})
    there = f", {len(result.skipped)} were there already" if result.skipped else ""
    app.say(f"mneme: {done.cells} cells added to {result.file}{there}")
    _tell(app, done.remarks)
    return ExitCode.OK


def _data(bound: BoundStore, done: Converted) -> dict[str, object]:
    return {"db": str(bound.path), "cells": done.cells, "ids": dict(done.ids), "remarks": list(done.remarks)}


_MOST = 20
"""Remarks that are shown."""


def _tell(app: App, remarks: Iterable[str]) -> None:
    shown = list(remarks)
    for remark in shown[:_MOST]:
        app.say(f"mneme: {remark}")
    if len(shown) > _MOST:
        app.say(f"mneme: and {len(shown) - _MOST} more remarks")
