"""Forgetting: the cell is retired and stays in the text; its insight is deleted and its edges go (facts 1.5, 8.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mneme.bridge.bound import BoundStore
from mneme.errors import UsageError
from mneme.format.edits import check_transition, set_field
from mneme.graph.store import NoSuchStore, read
from mneme.memory.draft import Draft, change, nearest_hint
from mneme.memory.new_cell import line_of
from mneme.memory.through import active, bring_up_to_date, enlist, layers_of
from mneme.text.visible import visible

if TYPE_CHECKING:
    from mneme.graph.store import Reader, Store
    from mneme.memory.recalling import Moment


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten: ``path`` and ``line`` of the cell, empty and 0 for a row that another program wrote."""

    id: str
    path: str = ""
    line: int = 0
    personal: bool = False
    notes: tuple[str, ...] = ()


def forget(bound: BoundStore, cell_id: str, moment: Moment) -> Forgotten:
    """Retire a cell, and delete its insight in the store; a row that no cell made is deleted in the store alone.

    Raises:
        UsageError: there is none, or it was forgotten before.
        IllegalTransition: the cell is superseded: nothing follows that state.
        NotCompiled: the cell is retired, the store could not be written.
        MnemeError: a file cannot be read or written; then nothing was.
    """
    layers = layers_of(bound)
    row = _is_a_row(bound, cell_id)

    def plan(draft: Draft) -> Forgotten | None:
        enlist(draft, layers)
        places = draft.links.by_id.get(cell_id, [])
        if row and not places:
            return None
        if not places or all(place.cell.status.state == "retired" for place in places):
            raise UsageError(
                f"insight {visible(cell_id)} not found or already deleted",
                nearest_hint(cell_id, draft.links) if not places else f"mneme show {visible(cell_id)}",
            )
        place, holder = active(draft, layers, cell_id, "insight")
        check_transition(place.cell, "retired")
        draft.edit(holder, set_field(place, "state", "retired"))
        after = draft.place_after(holder, place.cell.id)
        return Forgotten(cell_id, place.document.name, line_of(after), holder.personal)

    done = change(bound.workspace, plan)
    operations = [("forget", cell_id, "")]
    if done is None:
        stamp = moment.now.strftime("%Y-%m-%dT%H:%M:%SZ")

        def delete(store: Store) -> None:
            store.soft_delete([cell_id], stamp)

        said = f"{cell_id} was not deleted"
        _, notes = bring_up_to_date(bound, moment, said, lambda _: None, operations, delete)
        return Forgotten(cell_id, notes=notes)
    said = f"{cell_id} is retired in {done.path}:{done.line}"
    _, notes = bring_up_to_date(layers.of(personal=done.personal), moment, said, lambda _: None, operations)
    return replace(done, notes=notes)


def _is_a_row(bound: BoundStore, insight_id: str) -> bool:
    """Whether the store has an active insight of this ID that no cell made."""

    def look(reader: Reader) -> bool:
        return bool(reader.insights([insight_id], deleted=False)) and not reader.cells([insight_id])

    try:
        return read(bound.path, look)
    except NoSuchStore:
        return False
