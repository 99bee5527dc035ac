"""Adding a cell: an ID nobody has, and the cell, in one step."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from mneme.errors import UsageError
from mneme.format.edits import add_link
from mneme.format.model import Link
from mneme.memory.draft import Draft, change
from mneme.memory.new_cell import Given, Written, append_new, keep_layers_apart, one_way, parse_link, written
from mneme.memory.target import Wanted, choose_target
from mneme.workspace import Workspace


def add(
    workspace: Workspace, prefix: str, given: Given, wanted: Wanted, *, today: date, author: Callable[[], str],
    taken: Collection[str] = (),
) -> Written:  # fmt: skip
    """Write a new cell and return where it stands; ``taken`` are IDs in use besides those the workspace holds.

    A cell recorded as superseded names its successor (``superseded-by=ID``), which gets the link back.

    Raises:
        MnemeError: a value cannot be written, a file cannot be read or written; then nothing was.
    """
    successors = _successors(prefix, given)

    def plan(draft: Draft) -> Written:
        target = choose_target(draft, wanted, given.topic or "", today, author)
        cell, notes = append_new(draft, target, prefix, given, today, taken=taken)
        for successor in successors:
            place = draft.place(successor)
            back = Link("supersedes", cell.id)
            holder = draft.target_of(place)
            if target.personal and not holder.personal:
                raise UsageError(f"{successor} is shared: it must not link to a personal cell", "leave out --personal")
            keep_layers_apart(holder, [back], draft)
            draft.edit(holder, add_link(place, back))
        return written(draft, target, cell.id, notes)

    return change(workspace, plan, wanted.owner)


def _successors(prefix: str, given: Given) -> list[str]:
    links = [parse_link(text) for text in given.links]
    for link in links:
        if link.relation == "supersedes":
            raise UsageError(
                "superseding marks the old cell too, so it has a command of its own",
                f'mneme supersede {link.target} "new gist" --prefix {prefix}',
            )
        if not one_way(link.relation) and given.state != "superseded":
            raise UsageError(
                f"a {given.state} cell has no successor", "record it with --state superseded, or leave the link out"
            )
    successors = [link.target for link in links if link.relation == "superseded-by"]
    if given.state == "superseded" and not successors:
        raise UsageError("a superseded cell names its successor", "add --link superseded-by=ID, or use --state retired")
    return successors
