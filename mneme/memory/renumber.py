"""A new number for one of two cells that took the same one, with every link and mention that meant it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import date
from typing import NamedTuple

from mneme.errors import EditError, UsageError
from mneme.format import ids
from mneme.format.dates import parse_date
from mneme.format.digest import anonymous_digest, content_digest
from mneme.format.edits import newline_of
from mneme.format.model import Cell, Document, Placed
from mneme.format.parser import parse
from mneme.format.vocabulary import INVERSES
from mneme.history.content import content_key
from mneme.history.meanings import MENTION, Having
from mneme.history.notes import Note, may_hold_notes, note_line, notes
from mneme.memory.draft import Draft, Target, change
from mneme.memory.renumbered_before import Finishing, as_it_was, is_finishing
from mneme.text.patch import Patch, apply
from mneme.text.visible import visible
from mneme.workspace import Workspace

_SHORTEST = 8
"""Hex digits of a digest that name a cell."""


class Renumbered(NamedTuple):
    """Which cell got which ID, who keeps the old one and why, what was changed with it, and what may mean either."""

    old_id: str
    new_id: str
    path: str
    line: int
    keeper: str
    reason: str
    mentions: tuple[str, ...]
    unclear: tuple[str, ...]
    finished: bool = False
    """Whether the cell had its new ID already, and only mentions were changed."""


TrunkCells = Callable[[], Sequence[Cell] | None]
"""The cells that the trunk holds; None where there is no trunk to ask."""


def _no_states() -> Sequence[Having]:
    return ()


def renumber(
    workspace: Workspace, old_id: str, new_id: str | None, digest: str, trunk: TrunkCells, taken: Collection[str],
    states: Callable[[], Sequence[Having]] = _no_states,
) -> Renumbered:  # fmt: skip
    """Give one of the cells with the ID ``old_id`` another ID, in one step over all files.

    A shared cell keeps the number before a personal one, then the one that the trunk holds, then the one with the
    earlier ``since``, then the one with the smaller content digest, unless ``digest`` names who gives way. Links and
    mentions are changed in the cell itself, and in every line that the trunk does not have: who wrote the cell wrote
    it. Where no trunk tells the two apart, a supersession means the cell that answers it; what other cells say else
    stays, and is named.

    Where a merge has given the cell of ``digest`` the ID ``new_id`` already, the mentions that mean it are changed.

    Args:
        workspace: theirs.
        old_id: the ID that two cells have.
        new_id: the new one; None takes the next that is free.
        digest: content digest or ID-less digest (or its beginning) of the cell to renumber; empty: decide.
        trunk: asked once.
        taken: IDs that were ever in use.
        states: earlier states, asked what a mention means that such a merge left.

    Raises:
        UsageError: there is nothing to renumber, the digest names no cell or two, or the new ID is taken.
        MnemeError: it could not be written; then nothing was.
    """

    def plan(draft: Draft) -> Renumbered:
        draft.require_all_read()
        done = is_finishing(draft, old_id, new_id, digest)
        if done:
            return _finish(draft, *done, states())
        cells = trunk()
        place, keeper, reason = _choose(draft, old_id, digest, cells)
        if any((cell.id, content_key(cell)) == (place.cell.id, content_key(place.cell)) for cell in cells or ()):
            cells = None  # it has both
        own_id = _new_id(draft, place.cell.id, new_id, taken)
        return _Step(draft, place, own_id, cells).carry_out(keeper, reason)

    return change(workspace, plan)


def _choose(draft: Draft, old_id: str, digest: str, trunk: Sequence[Cell] | None) -> tuple[Placed, str, str]:
    """Return the cell that gives way, where the one stands that keeps the number, and why."""
    places = _with_number(draft, old_id)
    if not places:
        draft.place(old_id)  # says what is nearest
    held = {(cell.id, content_key(cell)) for cell in trunk or ()}
    trunk_ids = {cell.id for cell in trunk or ()}
    if len(places) == 1:
        cell = places[0].cell
        if cell.id not in trunk_ids or (cell.id, content_key(cell)) in held:
            raise UsageError(
                f"{visible(cell.id)} is there once: an ID never changes",
                "only a number that two cells took is given anew",
            )
        return places[0], "the trunk", "the trunk holds another cell of that number"
    if digest:
        place = _named(places, digest)
        keeper = next(other for other in places if other is not place)
        return place, draft.where(keeper), "it was named"

    def claim(place: Placed) -> tuple[object, ...]:
        cell = place.cell
        known = (cell.id, content_key(cell)) in held
        return place.document.personal, not known, parse_date(cell.since) or date.max, content_digest(cell)

    ranked = sorted(places, key=claim)
    keeper, place = ranked[0], ranked[-1]
    ours, theirs = claim(keeper), claim(place)
    if ours == theirs:
        raise UsageError(
            f"{visible(old_id)} stands twice with the same content: {draft.where(keeper)} and {draft.where(place)}",
            "delete one of the two",
        )
    reasons = ("it is shared", "the trunk holds it", "it is older", "its digest is smaller")
    reason = next(reason for reason, mine, other in zip(reasons, ours, theirs, strict=True) if mine != other)
    return place, draft.where(keeper), reason


def _with_number(draft: Draft, old_id: str) -> list[Placed]:
    """Return the cells with this ID, or with the same number in another spelling."""
    number = ids.number(old_id)
    return [
        place
        for target in draft.targets
        for place in target.document.placed
        if place.cell.id == old_id or (number is not None and ids.number(place.cell.id) == number)
    ]


def _named(places: Sequence[Placed], digest: str) -> Placed:
    wanted = digest.strip().lower()
    bare = wanted.partition(":")[2] or wanted
    if len(bare) < _SHORTEST or re.fullmatch("[0-9a-f]+", bare) is None:
        raise UsageError(
            f"{digest!r} is no digest", f"at least {_SHORTEST} hex digits; mneme show ID --format json has it"
        )
    found = [
        place
        for place in places
        if any(
            full.startswith(wanted) or full.partition(":")[2].startswith(wanted)
            for full in (content_digest(place.cell), anonymous_digest(place.cell))
        )
    ]
    if len(found) != 1:
        raise UsageError(
            f"{digest!r} names {'no' if not found else 'more than one'} cell of that number", "give all of it"
        )
    return found[0]


def _new_id(draft: Draft, old_id: str, new_id: str | None, taken: Collection[str]) -> str:
    cells = [place.cell for places in draft.links.by_id.values() for place in places] + list(draft.elsewhere)
    prefix = ids.canonical(old_id).partition("-")[0]
    if new_id is None:
        return next(ids.new_ids(prefix, cells, draft.workspace.config.ids, frozenset(taken)))
    if not ids.is_id(new_id) or new_id.partition("-")[0] != prefix:
        raise UsageError(f"{new_id!r} is no ID of the prefix {visible(prefix)}", f"mneme new-id {visible(prefix)}")
    used = {*ids.used_ids(cells), *taken}
    number = ids.number(new_id)
    if new_id in used or (number is not None and any(ids.number(token) == number for token in used)):
        raise UsageError(f"{new_id} is taken, or was once", f"mneme new-id {visible(prefix)}")
    return new_id


def _finish(draft: Draft, keeper: Placed, moved: Placed, states: Sequence[Having]) -> Renumbered:
    """Change the mentions that mean a cell which has its new number already; a comment in it tells of the old one."""
    old_id, new_id = keeper.cell.id, moved.cell.id
    finishing = Finishing(states, keeper, moved)
    patches = [(target, finishing.patches(target.document.placed)) for target in draft.targets]
    noted = any(note.what == "renumbered" for note in notes(moved.cell))
    note = [] if noted else [_note_patch(moved, old_id, anonymous_digest(as_it_was(moved.cell, old_id)))]
    for target, own in patches if finishing.mentions else ():
        every = [*own, *(note if target.document is moved.document else ())]
        if every:
            draft.rewrite(target, _checked(target, every, old_id, new_id))
    line = moved.document.lines.position(moved.start)[0]
    return Renumbered(
        old_id, new_id, moved.document.name, line, draft.where(keeper), "a merge gave the other one its number",
        tuple(finishing.mentions), tuple(finishing.unclear), finished=True,
    )  # fmt: skip


def _note_patch(place: Placed, old_id: str, digest: str) -> Patch:
    """Return the patch that puts a comment below the header: which number the cell had."""
    cell, document, start = place
    after = cell.text.find("\n") + 1
    newline = newline_of(document.text, start + after) if after else newline_of(document.text)
    note = note_line(Note("renumbered", (old_id,), digest))
    at = start + (after or len(cell.text))
    return Patch(at, at, f"{note}{newline}" if after else f"{newline}{note}")


def _checked(target: Target, patches: list[Patch], old_id: str, new_id: str) -> Document:
    """Return the new document, after making sure that IDs in it changed and nothing else."""

    def renamed(match: re.Match[str]) -> str:
        return new_id if match[0] == old_id else match[0]

    before = target.document
    after = parse(apply(before.text, patches), name=before.name)
    fine = len(after.cells) == len(before.cells) and all(
        MENTION.sub(renamed, content_key(new)) == MENTION.sub(renamed, content_key(cell)) and new.status == cell.status
        for new, cell in zip(after.cells, before.cells, strict=True)
    )
    if not fine:
        raise EditError(
            f"{before.name}: the new number would change more than it should; nothing was written",
            "please report this with the cell's text",
        )
    return after


class _Step:
    """All texts with the new ID, checked against what may change."""

    def __init__(self, draft: Draft, place: Placed, new_id: str, trunk: Sequence[Cell] | None) -> None:
        self._draft = draft
        self._place = place
        self._old_id, self._new_id = place.cell.id, new_id
        self._keepers = [other.cell for other in _with_number(draft, self._old_id) if other.cell is not place.cell]
        self._trunk: dict[str, Counter[str]] | None = None
        if trunk is not None:
            self._trunk = {}
            for cell in trunk:
                self._trunk.setdefault(cell.id, Counter()).update(_lines(cell.text))
        self._mentions: list[str] = []
        self._unclear: list[str] = []

    def carry_out(self, keeper: str, reason: str) -> Renumbered:
        for target in self._draft.targets:
            patches = self._patches(target.document)
            if patches:
                self._draft.rewrite(target, _checked(target, patches, self._old_id, self._new_id))
        line = self._place.document.lines.position(self._place.start)[0]
        return Renumbered(
            self._old_id, self._new_id, self._place.document.name, line, keeper, reason, tuple(self._mentions),
            tuple(self._unclear),
        )  # fmt: skip

    def _patches(self, document: Document) -> list[Patch]:
        if self._old_id not in document.text:
            return []
        patches: list[Patch] = []
        for place in document.placed:
            own = place.document is self._place.document and place.start == self._place.start
            if own:
                patches += self._head(place)
            elif place.cell.id == self._old_id:
                continue  # the one that keeps the number means itself
            patches += self._in_lines(place, own=own)
        return patches

    def _head(self, place: Placed) -> list[Patch]:
        """Return the patches for the header, and for the comment below it."""
        one, two = place.cell.span("id")
        note = _note_patch(place, self._old_id, anonymous_digest(place.cell))
        return [Patch(place.start + one, place.start + two, self._new_id), note]

    def _in_lines(self, place: Placed, *, own: bool) -> list[Patch]:
        cell, document, start = place
        if self._old_id not in cell.text:
            return []
        kept = Counter() if own or self._trunk is None else Counter(self._trunk.get(cell.id, ()))
        patches: list[Patch] = []
        at = cell.text.find("\n") + 1 or len(cell.text)
        for line in _lines(cell.text[at:]):
            found = [match for match in MENTION.finditer(line) if match[0] == self._old_id]
            if kept[line] > 0:
                kept[line] -= 1
            elif found and not may_hold_notes(line):
                below_note = document is self._place.document and start + at > self._place.start
                where = f"{document.name}:{document.lines.position(start + at)[0] + below_note}"
                paired = None if own or self._trunk is not None else self._paired(cell, line)
                if own or self._trunk is not None or paired:
                    self._mentions.append(where)
                    patches += [Patch(start + at + m.start(), start + at + m.end(), self._new_id) for m in found]
                elif paired is None:
                    self._unclear.append(where)
            at += len(line)
        return patches

    def _paired(self, writer: Cell, line: str) -> bool | None:
        """Whether a line that supersedes means the cell that moves, as told by the other half; None: it is not told."""
        key, relation, *_ = [*line.split(), "", ""]
        if key != "link" or relation not in INVERSES:
            return None

        def answers(cell: Cell) -> bool:
            return any(link[:2] == (INVERSES[relation], writer.id) for link in cell.links)

        moves, stays = answers(self._place.cell), any(map(answers, self._keepers))
        return moves if moves != stays else None


def _lines(text: str) -> list[str]:
    """Return the lines of ``text``, each with its line end."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])
