"""Revising a belief: a new cell, the old one marked, and both links, in one step."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from typing import NamedTuple

from mneme.errors import EditError, UsageError
from mneme.format.edits import add_link, check_transition, set_field
from mneme.format.ids import canonical
from mneme.format.model import Link, Placed
from mneme.format.vocabulary import WORKING_STATES
from mneme.memory.draft import Draft, change
from mneme.memory.new_cell import Given, Written, append_new, parse_link, written
from mneme.memory.target import Wanted, choose_target
from mneme.text.visible import visible
from mneme.workspace import Workspace


class Superseded(NamedTuple):
    """The new cell and the old one, as they stand now."""

    new: Written
    old: Written


def supersede(
    workspace: Workspace,
    old_id: str,
    given: Given,
    wanted: Wanted,
    *,
    prefix: str | None = None,
    today: date,
    author: Callable[[], str],
    taken: Collection[str] = (),
) -> Superseded:
    """Write a cell in the place of ``old_id``; prefix, topic and cues are the old cell's unless given.

    ``taken`` are IDs in use besides those the workspace holds.

    Raises:
        IllegalTransition: the old cell is superseded or retired already.
        MnemeError: a value cannot be written, a file cannot be read or written; then nothing was.
    """
    _check_given(given)

    def plan(draft: Draft) -> Superseded:
        old = draft.place(old_id)
        _check_old(old, draft)
        holder = draft.target_of(old)
        topic = old.cell.topic if given.topic is None else given.topic
        filled = given._replace(topic=topic, cues=given.cues or old.cell.cues)
        target = choose_target(draft, wanted, topic, today, author, beside=holder)
        if target.personal != holder.personal:
            raise UsageError(
                f"{old_id} is {'personal' if holder.personal else 'shared'}: its successor must be so too",
                "add a cell of its own (mneme add), then mneme retire the old one if it no longer holds",
            )
        own = prefix or canonical(old_id).partition("-")[0]
        before = [Link("supersedes", old_id)]
        cell, notes = append_new(draft, target, own, filled, today, extra=before, taken=taken)
        draft.edit(holder, [*set_field(old, "state", "superseded"), *add_link(old, Link("superseded-by", cell.id))])
        return Superseded(written(draft, target, cell.id, notes), written(draft, holder, old_id))

    return change(workspace, plan, wanted.owner)


def give_way(workspace: Workspace, old_id: str, new_id: str) -> Superseded:
    """Mark ``old_id`` as superseded by a cell that is there already, with both links.

    Raises:
        IllegalTransition: the old cell is superseded or retired already.
        UsageError: the two are one, or one is personal and the other shared.
        EditError: the new one is not in force, or the old one came after it.
        MnemeError: an ID is unknown or stands twice, nothing can be written.
    """
    return change(workspace, lambda draft: mark_superseded(draft, old_id, new_id))


def mark_superseded(
    draft: Draft, old_id: str, new_id: str, attributes: tuple[tuple[str, str], ...] = ()
) -> Superseded:  # fmt: skip
    """Do :func:`give_way` in a draft; ``attributes`` are those of both links."""
    old, new = draft.place(old_id), draft.place(new_id)
    if old.cell.id == new.cell.id:
        raise UsageError(f"{visible(old_id)} cannot supersede itself")
    _check_old(old, draft, by=new.cell.id)
    state = new.cell.status.state
    if state not in WORKING_STATES:
        hint = f"mneme accept {visible(new_id)} first" if state == "proposed" else "name the cell that holds now"
        raise EditError(f"{visible(new_id)} is {visible(state) or 'without a state'}: it replaces nothing", hint)
    if _follows(old, new, draft):
        raise EditError(
            f"{visible(old_id)} came after {visible(new_id)}, by a chain of links: they would go round in a circle",
            f"mneme why {visible(old_id)} shows it",
        )
    holders = draft.target_of(old), draft.target_of(new)
    if holders[0].personal != holders[1].personal:
        raise UsageError("one of the two is personal, the other shared: neither supersedes the other")
    draft.edit(
        holders[0], [*set_field(old, "state", "superseded"), *add_link(old, Link("superseded-by", new_id, attributes))]
    )
    draft.edit(holders[1], add_link(new, Link("supersedes", old_id, attributes)))
    return Superseded(written(draft, holders[1], new_id), written(draft, holders[0], old_id))


def _follows(old: Placed, new: Placed, draft: Draft) -> bool:
    """Whether ``old`` stands in the place of ``new``, directly or not."""
    reached: set[str] = set()
    waiting = [new.cell.id]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += draft.links.successors(here)
    return old.cell.id in reached


def _check_given(given: Given) -> None:
    if given.state == "proposed":
        raise UsageError(
            "a proposal does not replace anything yet",
            "mneme add … --state proposed --link relates=OLD now, and mneme supersede once it is agreed",
        )
    for text in given.links:
        link = parse_link(text)
        if link.relation in ("supersedes", "superseded-by"):
            raise UsageError(f"--link {link.relation}: this command writes that pair itself", "leave the option out")


def _check_old(old: Placed, draft: Draft, *, by: str = "") -> None:
    """Refuse a cell that is over, or that another one than ``by`` supersedes already.

    One marked superseded that names no successor gets one: that is what it lacks.
    """
    cell = old.cell
    stated = [link.target for link in cell.links if link.relation == "superseded-by"]
    if cell.status.state == "superseded" and stated:
        current = [place.cell.id for place in draft.links.current(cell.id)] or stated
        raise EditError(
            f"{cell.id} is superseded already, by {visible(' and '.join(current))}",
            f"supersede that one: mneme supersede {visible(current[0])} …",
        )
    check_transition(cell, "superseded")
    rivals = [
        back.source.cell.id
        for back in draft.links.incoming(cell.id)
        if back.link.relation == "supersedes" and back.source.cell.status.state in WORKING_STATES
        and back.source.cell.id != by
    ]  # fmt: skip
    if rivals:
        raise EditError(
            f"{visible(rivals[0])} supersedes {cell.id} already: two successors would contradict each other",
            f"mark the old one first (mneme lint --fix), or supersede {visible(rivals[0])}",
        )
