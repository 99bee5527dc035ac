"""A store of another program, or of ours, turned into memory text: printed, or added to a file in one step."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mneme.bridge.bound import BoundStore
from mneme.bridge.from_store import Converted, Kept, convert, insight_of, kept_in
from mneme.errors import EditError, UsageError
from mneme.format.digest import content_digest
from mneme.format.edits import append_cell, newline_of
from mneme.format.ids import used_ids
from mneme.format.model import Cell, Document
from mneme.format.parser import parse
from mneme.graph.store import read
from mneme.memory.draft import Draft, Target, change
from mneme.memory.numbering import Numbering
from mneme.text.patch import apply
from mneme.text.visible import visible
from mneme.workspace import Workspace, is_personal


class Added(NamedTuple):
    """What was converted, and the file it was added to; ``skipped`` cells were there already."""

    converted: Converted
    file: str
    skipped: tuple[str, ...]


def printed(bound: BoundStore, *, today: date, taken: Collection[str] = ()) -> Converted:
    """Return a store as memory text. New IDs are none that the workspace uses, or that are ``taken`` besides.

    Raises:
        StoreError: it cannot be read.
    """
    kept = read(bound.path, kept_in)
    cells = [cell for document in bound.workspace.world().documents for cell in document.cells]
    new_id = _numbering(bound.workspace, cells, taken)
    return convert(kept, bound.workspace.config, today=today, new_id=new_id, known={})


def added(
    bound: BoundStore, out: Path, *, workspace: Workspace, today: date, taken: Collection[str] = ()
) -> Added:  # fmt: skip
    """Add a store as cells to the file ``out`` of ``workspace``, which is made when it does not exist.

    What was added before is not added again: a cell of ours with the same content, and an insight that some cell's
    origin names. Edges lead to those cells all the same.

    Raises:
        UsageError: ``out`` is no memory file; cells are personal and it is not; an ID is in use for something else.
        StoreError: the store cannot be read.
        MnemeError: the file cannot be read or written; then nothing was.
    """
    kept = read(bound.path, kept_in)
    if kept.personal and not is_personal(out):
        raise UsageError(
            "the store holds personal cells, and they never enter a shared file",
            "name a file that ends in .local.mneme",
        )

    def plan(draft: Draft) -> Added:
        draft.require_all_read()
        target = draft.target(out)
        there = {place.cell.id: place.cell for place in draft.links.placed}
        skip = _there_already(kept, there)
        known = {name: cell.id for cell in there.values() if (name := insight_of(cell))}
        new_id = _numbering(workspace, [*there.values(), *draft.elsewhere], taken, random=target.personal)
        done = convert(kept, workspace.config, today=today, new_id=new_id, known=known, skip=skip)
        if done.text:
            # Our own cells keep their line ends; new ones take those of the file.
            newline = "\n" if kept.rows else newline_of(target.document.text)
            draft.rewrite(target, _appended(target, done.text.replace("\n", newline)))
        return Added(done, target.document.name, (*sorted(skip), *sorted(known[key] for key in _both(kept, known))))

    return change(workspace, plan)


def _both(kept: Kept, known: Collection[str]) -> list[str]:
    return [one.id for one in kept.insights if one.id in known]


def _there_already(kept: Kept, there: dict[str, Cell]) -> set[str]:
    """Return the cells of the store that are there; refuse IDs that mean something else there."""
    same = {row.id for row in kept.rows if row.id in there and content_digest(there[row.id]) == row.digest}
    clashing = [row.id for row in kept.rows if row.id in there and row.id not in same]
    if clashing:
        names = ", ".join(map(visible, clashing[:5])) + (", …" if len(clashing) > 5 else "")
        raise UsageError(
            f"{names}: in use here for something else than in the store; nothing was written",
            "without --out the text is printed, to be compared",
        )
    return same


def _numbering(
    workspace: Workspace, cells: Iterable[Cell], taken: Collection[str], *, random: bool = False
) -> Numbering:
    """Return what gives free IDs: none of the cells, of the IDs taken besides, or of those given before."""
    return Numbering([*used_ids(cells), *taken], random=random or workspace.config.ids == "random")


def _appended(target: Target, text: str) -> Document:
    """Return what a file is with ``text`` behind what it holds.

    Raises:
        EditError: the two would not stay apart; a bug of ours.
    """
    before = target.document
    (patch,) = append_cell(before, "")
    after = parse(apply(before.text, [patch._replace(new=patch.new + text)]), name=before.name)
    old = len(before.cells)
    kept = all(
        content_digest(one) == content_digest(other) for one, other in zip(before.cells, after.cells, strict=False)
    )
    if not kept or [cell.text for cell in after.cells[old:]] != [cell.text for cell in parse(text).cells]:
        raise EditError(
            f"{before.name}: the cells would not stay as they are; nothing was written", "please report this"
        )
    return after
