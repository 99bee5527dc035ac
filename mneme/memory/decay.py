"""The mechanical part of forgetting: what nobody confirmed for too long is marked stale, and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date
from typing import NamedTuple

from mneme.format.edits import set_field
from mneme.format.model import Cell, Placed
from mneme.memory.draft import Draft, change
from mneme.memory.due import days_unseen, overdue
from mneme.memory.new_cell import line_of
from mneme.workspace import Workspace


class Decayed(NamedTuple):
    """A cell past its limit: ``age`` days unseen, where ``limit`` are allowed."""

    id: str
    file: str
    line: int
    gist: str
    age: int
    limit: int


Settled = Callable[[Sequence[Placed]], Collection[str]]
"""Returns the texts of those cells whose evidence is there and did not change."""


def decay(workspace: Workspace, today: date, settled: Settled, *, apply: bool) -> list[Decayed]:
    """Return the live cells that nobody confirmed within their limit; with ``apply``, mark them stale in one step.

    Raises:
        MnemeError: a file cannot be read or written; then nothing was.
    """
    if apply:
        return change(workspace, lambda draft: _plan(draft, today, settled))
    return _plan(Draft.read(workspace), today, settled)


def _plan(draft: Draft, today: date, settled: Settled) -> list[Decayed]:
    draft.require_all_read()
    config = draft.workspace.config
    late = [
        (target, place)
        for target in draft.targets
        for place in target.document.placed
        if overdue(place.cell, config, today) is not None
    ]
    spared = settled([place for _, place in late]) if late and config.evidence_decay_days else ()
    found = []
    for target, place in late:
        cell: Cell = place.cell
        limit = overdue(cell, config, today, settled=cell.text in spared)
        if limit is not None:
            draft.edit(target, set_field(place, "state", "stale"))
            age = days_unseen(cell, today)
            found.append(Decayed(cell.id, place.document.name, line_of(place), cell.gist, age, limit))
    return found
