"""Hot memory: ``add``, ``replace``, ``remove`` as hosts know them, done to the cells; the files follow.

Every step takes in first what somebody else did there, so that nothing of it is lost, then changes the text, then
writes the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from mneme.bridge.hot.records import IMPORTANCE, NORMAL, TARGETS, importance_of, item
from mneme.errors import EditError, ExitCode, MnemeError, UsageError
from mneme.format.edits import check_transition
from mneme.format.entry import ITEM_LIMIT, Entry, entry_text, inert, is_hot, normalise, used_bytes
from mneme.format.vocabulary import WORKING_STATES
from mneme.memory import absorb
from mneme.memory.absorb import Change, View, storable
from mneme.memory.draft import Draft, change
from mneme.memory.hot_files import Cells, Files, HotFolder, Ledger, Moved, Planned
from mneme.memory.hot_pen import Hand, Pen, cells_of
from mneme.memory.hot_request import CapacityError, Pending, request_of
from mneme.memory.projection import NAMES
from mneme.text.create_lock import PATIENCE
from mneme.text.visible import quote
from mneme.workspace import Workspace

_ATTEMPTS = 5
Made = TypeVar("Made")


class NoMatch(MnemeError):
    """No entry holds the text."""

    exit_code = ExitCode.NO_MATCH


class Ambiguous(MnemeError):
    """More than one entry holds the text."""

    exit_code = ExitCode.AMBIGUOUS


class Synced(NamedTuple):
    """What was taken in, which files were (or, in a dry run, would be) written, and what they hold."""

    changes: list[Change]
    written: list[str]
    planned: Planned


class Done(NamedTuple):
    """What a verb did; ``before`` and ``after`` are entries as they stood and stand, empty where there is none."""

    action: str
    target: str
    message: str
    id: str = ""
    before: str = ""
    after: str = ""
    used: int = 0
    limit: int = 0
    entry_count: int = 0
    synced: tuple[Change, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return the result as hosts know it, with the ID of the cell."""
        data: dict[str, Any] = {
            "success": True, "message": self.message, "target": self.target, "entryCount": self.entry_count,
            "usage": {"used": self.used, "limit": self.limit}, "id": self.id,
        }  # fmt: skip
        match self.action:
            case "add":
                data["added"] = self.after
            case "replace":
                data["replaced"] = {"from": self.before, "to": self.after}
            case _:
                data["removed"] = self.before
        return data


class Runtime:
    """Hot memory of one workspace, with its files below ``base``."""

    def __init__(
        self, workspace: Workspace, base: Path, environ: Mapping[str, str], hand: Hand, *, patience: float = PATIENCE
    ) -> None:
        self.workspace = workspace
        self.hand = hand
        self.folder = HotFolder(workspace, base, environ, patience=patience)

    # --- both ways -----------------------------------------------------------------------------------------

    def sync(self, *, dry_run: bool = False) -> Synced:
        """Take in what somebody else did, and bring the files up to date; in a dry run, only say so.

        Raises:
            MnemeError: something cannot be read or written; what somebody wrote is where it was, or in the text.
        """
        if dry_run:
            files, draft = self.folder.read(), Draft.read(self.workspace)
            changes = self._found(files, draft)
            pen = Pen(draft, self.hand)
            changes = self._take_in(changes, pen)
            planned = self._plan(pen.cells(), files)
            return Synced(changes, self.folder.behind(files, planned), planned)
        with self.folder.locked():
            return self._sync()

    def _sync(self) -> Synced:
        every: list[Change] = []
        for _ in range(_ATTEMPTS):
            files, draft = self.folder.read(), Draft.read(self.workspace)
            cells = cells_of(draft)
            if self._found(files, draft):
                changes, cells = self._change(partial(self._absorb, files))
                every += changes
            planned = self._plan(cells, files)
            try:
                return Synced(every, self.folder.write(files, planned), planned)
            except Moved:
                continue
        raise EditError(
            f"{self.folder.folder}: another program keeps writing there; the text holds what was taken in",
            "run the command again",
        )

    def _absorb(self, files: Files, pen: Pen) -> list[Change]:
        return self._take_in(self._found(files, pen.draft), pen)

    def _found(self, files: Files, draft: Draft) -> list[Change]:
        return absorb.compare(files, View(cells_of(draft), self.workspace.config))

    def _take_in(self, changes: list[Change], pen: Pen) -> list[Change]:
        return [self._take_one(one, pen) for one in changes]

    def _take_one(self, one: Change, pen: Pen) -> Change:
        text = storable(one.content)
        place = pen.draft.place(one.id) if one.id else None
        state = self.workspace.config.agent_state if one.source == absorb.JSON_NAME else "live"
        match one.kind:
            case absorb.ADDED:
                return one._replace(new_id=pen.new(one.target, text, one.importance, source=one.source, state=state))
            case absorb.REPLACED if place is not None:
                return one._replace(new_id=pen.succeed(one.target, [place], text, one.importance, source=one.source))
            case absorb.ASIDE:
                return one._replace(
                    new_id=pen.new(one.target, text, one.importance, source=one.source, state="proposed", beside=place)
                )
            case absorb.VANISHED if place is not None:
                pen.set(place, "hot", "no")
            case absorb.RESTORED if place is not None:
                pen.set(place, "hot", "yes")
            case absorb.WEIGHED if place is not None:
                pen.weigh(place, one.importance)
        return one

    def _change(self, make: Callable[[Pen], Made]) -> tuple[Made, Cells]:
        def plan(draft: Draft) -> tuple[Made, Cells]:
            pen = Pen(draft, self.hand)
            return make(pen), pen.cells()

        return change(self.workspace, plan)

    def _plan(self, cells: Cells, files: Files) -> Planned:
        return self.folder.plan(cells, files, *self.hand.moment)

    # --- verbs ---------------------------------------------------------------------------------------------

    def add(self, target: str, content: str, importance: str = NORMAL) -> Done:
        """Add an entry; one that says the same is there already: then nothing is written.

        Raises:
            UsageError: the content cannot be an entry, there is no such target or importance.
            CapacityError: the target would be larger than it may be.
        """
        _check(target, importance)
        text = item(content)

        def make(pen: Pen, planned: Planned) -> Done:
            for entry in planned.hot[target]:
                if text in _texts(entry, pen):
                    return Done("add", target, "already exists", entry.id, after=entry.text)
            view = View(cells_of(pen.draft), self.workspace.config)
            held = view.by_gist.get((target, inert(text)))
            if held is not None:
                place, status = pen.draft.place(held.id), held.status
                known = status.hot != "no" and (status.state in WORKING_STATES or self._state() == status.state)
                if known:  # personal, and not in files that git may share; or proposed already
                    return Done("add", target, "already exists", held.id, after=_entry(pen, held.id))
                if status.hot == "no":
                    pen.set(place, "hot", "yes")
                if status.state == "proposed":
                    pen.set(place, "state", "live")
                pen.weigh(place, importance)
                new = held.id
            else:
                new = pen.new(target, text, importance, state=self._state())
            self._refuse_overflow(pen, planned, target, Pending(text, importance, personal=self.hand.personal))
            proposed = held is None and self._state() == "proposed"
            message = "proposed: it enters hot memory once it is accepted" if proposed else "added"
            return Done("add", target, message, new, after=_entry(pen, new))

        return self._do(target, make)

    def replace(self, target: str, old_text: str, content: str, importance: str = "") -> Done:
        """Replace the one entry that holds ``old_text``: a new cell supersedes its cell.

        Raises:
            UsageError: as :meth:`add`.
            NoMatch: no entry holds it.
            Ambiguous: more than one does.
            CapacityError: the target would grow, and be larger than it may be.
        """
        _check(target, importance or NORMAL)
        old, text = _old_text(old_text), item(content)

        def make(pen: Pen, planned: Planned) -> Done:
            entry = self._match(pen, planned, target, old)
            place = pen.draft.place(entry.id)
            kept = importance or importance_of(entry.importance)
            if normalise(place.cell.gist) == text:
                pen.weigh(place, kept)
                pen.confirm(place)
                return Done(
                    "replace", target, "confirmed: it says that already", entry.id, entry.text, _entry(pen, entry.id)
                )
            new = pen.succeed(target, [place], text, kept)
            self._refuse_overflow(pen, planned, target, Pending(text, kept, entry.id))
            return Done("replace", target, "replaced", new, entry.text, _entry(pen, new))

        return self._do(target, make)

    def remove(self, target: str, old_text: str) -> Done:
        """Remove the one entry that holds ``old_text``: its cell is retired.

        Raises:
            NoMatch: no entry holds it.
            Ambiguous: more than one does.
        """
        _check(target, NORMAL)
        old = _old_text(old_text)

        def make(pen: Pen, planned: Planned) -> Done:
            entry = self._match(pen, planned, target, old)
            place = pen.draft.place(entry.id)
            check_transition(place.cell, "retired")
            pen.set(place, "state", "retired")
            return Done("remove", target, "removed", entry.id, before=entry.text)

        return self._do(target, make)

    def show(self) -> Planned:
        """Return what hot memory holds by the text; nothing is written, and nothing taken in."""
        return self._plan(cells_of(Draft.read(self.workspace)), self.folder.read())

    def request(self, target: str) -> dict[str, Any]:
        """Return the request for a compaction of a target as it stands.

        Raises:
            UsageError: there is nothing to compact.
        """
        _check(target, NORMAL)
        with self.folder.locked():
            planned = self._sync().planned
            cells = {cell.id: cell for cell, _ in cells_of(Draft.read(self.workspace))}
            return request_of(planned, cells, target, self.folder.limits[target])

    def commit(self, target: str, make: Callable[[Pen, Planned], Done]) -> Done:
        """Take in what somebody else did, let ``make`` change the cells, and write the files."""
        return self._do(target, make)

    def _do(self, target: str, make: Callable[[Pen, Planned], Done]) -> Done:
        with self.folder.locked():
            synced = self._sync()
            files = self.folder.read()
            done, _ = self._change(lambda pen: make(pen, self._plan(cells_of(pen.draft), files)))
            after = self._sync()
        planned = after.planned
        return done._replace(
            used=planned.used(target), limit=self.folder.limits[target], entry_count=len(planned.hot[target]),
            synced=(*synced.changes, *after.changes),
        )  # fmt: skip

    def planned_after(self, pen: Pen) -> Planned:
        """Return what hot memory will hold by what is in a draft."""
        return self._plan(pen.cells(), Files(dict.fromkeys((*NAMES.values(), absorb.JSON_NAME)), [], Ledger()))

    def _state(self) -> str:
        return self.workspace.config.agent_state if self.hand.writer.agent else "live"

    def _refuse_overflow(self, pen: Pen, planned: Planned, target: str, pending: Pending) -> None:
        after = self.planned_after(pen)
        used, projected, limit = planned.used(target), after.used(target), self.folder.limits[target]
        if projected <= limit or projected <= used:
            return
        cells = {cell.id: cell for cell, _ in cells_of(pen.draft)}
        room = used_bytes([pending.content]) <= limit and len(planned.hot[target]) > bool(pending.excluded)
        request = request_of(planned, cells, target, limit, pending, projected) if room else None
        raise CapacityError(target, used, projected, limit, request)

    def _match(self, pen: Pen, planned: Planned, target: str, old: str) -> Entry:
        entries = planned.hot[target]
        whole = [entry for entry in entries if old in _texts(entry, pen)]
        said = [entry for entry in entries if any(old in text for text in _texts(entry, pen)[1:])]
        found = whole if len(whole) == 1 else said or [entry for entry in entries if old in entry.text]
        if not found:
            raise NoMatch(f"no entry of {target} holds {quote(old, 60)}", "mneme runtime show lists them")
        if len(found) > 1:
            names = ", ".join(entry.id for entry in found[:5])
            raise Ambiguous(
                f"{len(found)} entries of {target} hold {quote(old, 60)}: {names}; nothing was changed",
                "give more of the text, or the ID",
            )
        return found[0]


def _texts(entry: Entry, pen: Pen) -> tuple[str, str, str]:
    """Return what an entry is, and what it says: as it stands there, and as the cell has it."""
    gist = pen.draft.place(entry.id).cell.gist
    return entry.text, normalise(gist), inert(gist)


def _entry(pen: Pen, cell_id: str) -> str:
    cell = next(cell for cell, _ in pen.cells() if cell.id == cell_id)
    text = entry_text(cell.id, cell.gist, stale=cell.status.state == "stale")
    if is_hot(cell) and len(text.encode("utf-8", "surrogatepass")) > ITEM_LIMIT:
        raise UsageError(
            f"the entry would have {len(text.encode('utf-8'))} bytes with its ID, and one has at most {ITEM_LIMIT}",
            "keep the text in a file, and remember what it says and where it is",
        )
    return text


def _check(target: str, importance: str) -> None:
    if target not in TARGETS:
        raise UsageError(f"there is no target {quote(target)}", f"one of: {', '.join(TARGETS)}")
    if importance not in IMPORTANCE:
        raise UsageError(f"there is no importance {quote(importance)}", f"one of: {', '.join(reversed(IMPORTANCE))}")


def _old_text(text: str) -> str:
    old = normalise(text)
    if not old:
        raise UsageError(
            "the old text is required, and it is empty", "give a part of the entry that is meant, or its ID"
        )
    return old
