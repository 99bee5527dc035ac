"""Changing the state of cells that are there: all of those named, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from mneme.errors import EditError, IllegalTransition, UsageError
from mneme.format.dates import parse_date
from mneme.format.edits import check_transition, set_field
from mneme.format.model import Cell, CellState, Placed
from mneme.format.render import check_choice
from mneme.format.vocabulary import CONFIDENCES, IMPORTANCES, STATES
from mneme.memory.draft import Draft, change
from mneme.memory.new_cell import line_of
from mneme.text.visible import visible
from mneme.workspace import Workspace

HOT = ("yes", "no")


class Changed(NamedTuple):
    """A cell before and after; ``note`` says what is not plain from the two."""

    id: str
    file: str
    line: int
    before: CellState
    after: CellState
    note: str = ""


Fields = dict[str, str]
"""New values by field name, in the order of a state line."""


def set_fields(
    workspace: Workspace, tokens: Sequence[str], *, state: str = "", conf: str = "", imp: str = "", hot: str = "",
    today: date,
) -> list[Changed]:  # fmt: skip
    """Set state, conf, imp or hot of cells. A cell that becomes live was verified: it is seen today.

    Raises:
        IllegalTransition: the format does not allow the change of state.
        MnemeError: an ID is unknown or stands twice, a value is none of the format's words, nothing can be written.
    """
    for name, value, choices in (
        ("state", state, STATES), ("conf", conf, CONFIDENCES), ("imp", imp, IMPORTANCES), ("hot", hot, HOT),
    ):  # fmt: skip
        if value:
            check_choice(name, value, choices)
    if not (state or conf or imp or hot):
        raise UsageError("nothing to set", "name one of --state, --conf, --imp, --hot")

    def judge(cell: Cell, draft: Draft) -> tuple[Fields, str]:
        fields: Fields = {}
        if state and state != cell.status.state:
            _check_successor(cell, state, draft)
            check_transition(cell, state)
            fields["state"] = state
        fields |= {"conf": conf} if conf else {}
        if fields.get("state") == "live":
            fields["seen"] = _seen(cell, today)
        fields |= {"imp": imp} if imp else {}
        fields |= {"hot": hot} if hot == "no" or (hot and cell.status.hot) else {}  # yes is what no hot says
        return fields, ""

    return _change(workspace, tokens, judge)


def _check_successor(cell: Cell, state: str, draft: Draft) -> None:
    if state == "superseded" and not any(link.relation == "superseded-by" for link in cell.links):
        claimed = [back.source.cell.id for back in draft.links.incoming(cell.id) if back.link.relation == "supersedes"]
        hint = f'mneme supersede {cell.id} "new gist"'
        if claimed:
            hint = f"{visible(claimed[0])} says it supersedes {cell.id}; mneme lint --fix adds the link back"
        raise EditError(f"{cell.id} has no superseded-by link: a superseded cell names its successor", hint)


def confirm(workspace: Workspace, tokens: Sequence[str], *, today: date) -> list[Changed]:
    """Say that cells still hold: seen is the later of today and what stands there; a stale cell is live again.

    Raises:
        IllegalTransition: a cell is superseded or retired: there is nothing to confirm.
        MnemeError: an ID is unknown or stands twice, nothing can be written.
    """

    def judge(cell: Cell, draft: Draft) -> tuple[Fields, str]:
        state = cell.status.state
        fields = {"seen": _seen(cell, today)}
        if state in ("superseded", "retired"):
            current = [visible(place.cell.id) for place in draft.links.current(cell.id)]
            hint = f"confirm {' or '.join(current)} instead" if current else "if it holds again, add a new cell"
            raise IllegalTransition(f"{cell.id} is {state}: there is nothing to confirm", hint)
        if state == "stale":
            return {"state": "live", **fields}, "was stale, is live again"
        check_transition(cell, "retired")  # a state we know
        return fields, "still proposed: mneme accept makes it live" if state == "proposed" else ""

    return _change(workspace, tokens, judge)


def accept(workspace: Workspace, tokens: Sequence[str], *, today: date) -> list[Changed]:
    """Make proposed cells live, seen today; a cell that is live already stays as it is.

    Raises:
        IllegalTransition: a cell is neither proposed nor live.
        MnemeError: an ID is unknown or stands twice, nothing can be written.
    """

    def judge(cell: Cell, _draft: Draft) -> tuple[Fields, str]:
        if cell.status.state == "live":
            return {}, "was live already"
        if cell.status.state == "stale":
            raise IllegalTransition(f"{cell.id} is stale, not proposed", f"still true? mneme seen {cell.id}")
        check_transition(cell, "live")
        return {"state": "live", "seen": _seen(cell, today)}, ""

    return _change(workspace, tokens, judge)


def retire(workspace: Workspace, tokens: Sequence[str]) -> list[Changed]:
    """Retire cells: no longer true, and nothing follows.

    Raises:
        IllegalTransition: a cell is superseded.
        MnemeError: an ID is unknown or stands twice, nothing can be written.
    """

    def judge(cell: Cell, _draft: Draft) -> tuple[Fields, str]:
        if cell.status.state == "retired":
            return {}, "was retired already"
        check_transition(cell, "retired")
        return {"state": "retired"}, ""

    return _change(workspace, tokens, judge)


def _seen(cell: Cell, today: date) -> str:
    """The latest of today and the cell's own dates: seen never moves back, and is never before since."""
    own = [text for text in (cell.status.seen, cell.since) if parse_date(text)]
    return max([today.isoformat(), *own])


def _change(
    workspace: Workspace, tokens: Sequence[str], judge: Callable[[Cell, Draft], tuple[Fields, str]]
) -> list[Changed]:
    wanted = list(dict.fromkeys(tokens))

    def plan(draft: Draft) -> list[Changed]:
        edited: list[tuple[Placed, str]] = []
        for token in wanted:
            place = draft.place(token)
            fields, note = judge(place.cell, draft)
            patches = [patch for name, value in fields.items() for patch in set_field(place, name, value)]
            draft.edit(draft.target_of(place), patches)
            edited.append((place, note))
        return [_receipt(draft, place, note) for place, note in edited]

    return change(workspace, plan)


def _receipt(draft: Draft, place: Placed, note: str) -> Changed:
    after = draft.place_after(draft.target_of(place), place.cell.id)
    return Changed(place.cell.id, place.document.name, line_of(after), place.cell.status, after.cell.status, note)
