"""The guard: what a memory may not do to what git has of it already. Pure: documents in, values out.

A cell is held against every parent it could come from (one, or several while merging). Equal to, or a legal step from,
any of them is fine. What the documents do not tell is asked of :class:`Past`, and only when an answer hangs on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mneme.format import ids
from mneme.format.digest import anonymous_digest
from mneme.format.model import Cell, Document, Placed
from mneme.format.vocabulary import TRANSITIONS
from mneme.history.changes import Difference, Kind, Legal, differences, match, one_step, shown, swaps
from mneme.history.meanings import MENTION, Meanings, left_behind, masked
from mneme.history.notes import may_hold_notes, notes

if TYPE_CHECKING:
    from mneme.history.doubt import Judged
    from mneme.history.would_be import WouldBe


class Verdict(StrEnum):
    """What is wrong; each is the name of a lint rule."""

    EDITED = "content-edited"
    DELETED = "cell-deleted"
    FILE_DELETED = "file-deleted"
    REUSED = "id-reused"
    ILLEGAL = "illegal-transition"
    SEEN_BACK = "seen-moved-back"
    SWAPPED = "identity-swapped"
    LINK_REMOVED = "link-removed"
    LEFT_BEHIND = "mention-left-behind"


_VERDICTS = {
    Kind.EDITED: Verdict.EDITED,
    Kind.LINK_REMOVED: Verdict.LINK_REMOVED,
    Kind.ILLEGAL: Verdict.ILLEGAL,
    Kind.SEEN_BACK: Verdict.SEEN_BACK,
}
_LASTING = frozenset({Kind.EDITED, Kind.LINK_REMOVED})
"""What an earlier version can put right, and what the amend window allows."""

SMALL = 0.8
"""How alike two versions must be (twice the matching characters over all) for an edit to count as that of a typo."""

_FINAL = frozenset(state for state, following in TRANSITIONS.items() if not following)
"""States in which a cell ends."""


class Earlier(NamedTuple):
    """A cell as history held it, and the commit that shows it (abbreviated)."""

    cell: Cell
    commit: str


class Parent(NamedTuple):
    """One earlier state, as far as it differs from the present one.

    ``documents``: its versions of the files that differ or are gone. ``fresh``: the names of the present files that are
    not as it has them (None: all); every other present file is equal in both. ``whole``: none of its cells may be lost.
    """

    name: str
    documents: Sequence[Document]
    fresh: Collection[str] | None
    whole: bool = True
    recent: bool = False
    """Whether it is what the judged commits made themselves: new cells, as they were first."""


def _no_ids(_ids: Collection[str]) -> Collection[str]:
    return ()


def _none(_ids: Collection[str]) -> Mapping[str, Sequence[Earlier]]:
    return {}


def _no_names(_documents: Sequence[Document]) -> Collection[str]:
    return ()


@dataclass
class Past:
    """What git knows of one workspace; the functions are called when an answer hangs on them."""

    parents: Sequence[Parent]
    others: Callable[[], Sequence[Document]] = tuple
    """The files of the workspace that are not among the documents that are judged."""
    lapsed: Callable[[Collection[str]], Mapping[str, Sequence[Earlier]]] = _none
    """Of new IDs, the ones that some reachable commit held, with the cells that had them last."""
    versions: Callable[[Collection[str]], Mapping[str, Sequence[Earlier]]] = _none
    """Earlier versions of cells: putting one back undoes an edit and is none."""
    forked: Callable[[], Sequence[Document]] = tuple
    """Where several parents parted: their files as they were then."""
    unpublished: Callable[[Collection[str]], Collection[str]] = _no_ids
    """Of these IDs, the ones whose content may still be edited (``amend-window``)."""
    legal: Legal = one_step
    merging: bool = False
    """Whether several branches are being brought together: then a cell may be given a new number."""
    limited: bool = False
    """Whether only some files are judged; what became of the others is not told."""
    blind: bool = False
    """Whether a present file could not be read: then nothing is called lost, since it may be in there."""
    evidence: Callable[[Sequence[Placed]], Judged] | None = None
    """What speaks against live cells: the code they lean on. None where the present is no work tree and no index."""
    unions: Callable[[Sequence[Document]], Collection[str]] = _no_names
    """The names of the files that git merges by union."""
    would_be: Callable[[], WouldBe | None] | None = None
    """What the judged branch would merge to; None where there is nothing to merge, or it could not be told."""


class Violation(NamedTuple):
    """Something that the format forbids. ``place``: where it shows; for what is gone, where it used to stand.

    ``related``: IDs: whose content it has now, its new ID, or the cells that a deleted file held. ``span``: where in
    the cell it shows, when that is one place.
    """

    verdict: Verdict
    place: Placed
    old: Cell
    source: str
    differences: tuple[Difference, ...] = ()
    related: tuple[str, ...] = ()
    span: tuple[int, int] = (0, 0)


def judge(documents: Sequence[Document], past: Past) -> list[Violation]:
    """Return what ``documents`` did to the cells of ``past`` and may not do. Personal files have no past."""
    shared = [document for document in documents if not document.personal]
    if past.limited:
        names = {document.name for document in shared}
        if all(parent.fresh is not None and names.isdisjoint(parent.fresh) for parent in past.parents):
            return []  # these files are as they were
    return _Guard(shared, past).violations()


Place = tuple[int, int]
"""Which cell: its document's identity, and where it begins."""


def _key(place: Placed) -> Place:
    return id(place.document), place.start


class _Wrong(NamedTuple):
    old: Cell
    new: Placed
    differences: list[Difference]


class _View:
    """The present as one parent sees it."""

    def __init__(self, parent: Parent, present: Sequence[Document], legal: Legal, declared: Mapping[str, str]) -> None:
        self.parent = parent
        self._legal = legal
        names = parent.fresh
        fresh = [document for document in present if names is None or document.name in names]
        found = match(parent.documents, fresh)
        added, removed, renumbered = found.added, found.removed, found.renumbered
        if names is not None and (added or removed or renumbered):
            equal = {cell.id for document in present if document.name not in names for cell in document.cells}
            added = [place for place in added if place.cell.id not in equal]
            removed = [place for place in removed if place.cell.id not in equal]
            renumbered = [pair for pair in renumbered if pair[0].cell.id not in equal and pair[1].cell.id not in equal]
        self.removed = removed
        self.renumbered = renumbered
        self.new = {_key(place): place for place in [*added, *[new for _, new in renumbered]]}
        self.kept = [*found.kept, *self._repaired_ids()]
        self.renames = dict(declared)
        self.wrong = self._judge()
        self._present = present

    def _repaired_ids(self) -> Iterator[tuple[list[Placed], Placed]]:
        """Take a cell whose ID only looked like one, and the cell that has the ID it meant, for the same."""
        odd = [place for place in self.removed if not ids.is_id(place.cell.id)]
        by_id = {place.cell.id: place for place in self.new.values()} if odd else {}
        for place in odd:
            now = by_id.pop(ids.canonical(place.cell.id), None)
            if now is not None:
                self.removed.remove(place)
                del self.new[_key(now)]
                yield [place], now

    def _judge(self) -> dict[Place, _Wrong]:
        wrong: dict[Place, _Wrong] = {}
        fine: set[str] = set()
        for olds, new in self.kept:
            if any(oddity.name == "conflict-marker" for oddity in new.cell.oddities):
                continue  # an error by itself, and what it says is not decided yet
            found = min((_Wrong(old.cell, new, self.offences(old.cell, new.cell)) for old in olds), key=_weight)
            if found.differences:
                wrong[_key(new)] = found
            else:
                fine.add(new.cell.id)
        # Beside an untouched cell, another one with its ID is a duplicate, which is another rule's business.
        return {key: entry for key, entry in wrong.items() if entry.new.cell.id not in fine}

    def offences(self, old: Cell, new: Cell) -> list[Difference]:
        """Return how ``new`` differs from ``old`` and must not."""
        return [
            difference
            for difference in differences(old, new, self._legal)
            if difference.kind in _VERDICTS and not self._excused(new, difference)
        ]

    def _excused(self, new: Cell, difference: Difference) -> bool:
        """Whether the difference is only that cells were renumbered."""
        if not self.renames:
            return False
        if difference.kind is Kind.EDITED:
            return self.modulo(difference.before) == self.modulo(difference.after)
        if difference.kind is Kind.LINK_REMOVED:
            return self.modulo(difference.before) in {self.modulo(shown(link)) for link in new.links}
        return False

    def modulo(self, text: str) -> str:
        """Return ``text`` with new IDs for old ones, where cells were renumbered."""
        return MENTION.sub(lambda match: self.renames.get(match[0], match[0]), text)

    def rename(self, pairs: Mapping[str, str]) -> None:
        """Judge again, knowing which cells got other IDs."""
        if not pairs.items() <= self.renames.items():
            self.renames |= pairs
            self.wrong = self._judge()

    def holds(self, place: Placed) -> bool:
        """Whether this parent has the cell as it stands, or one that it may have come from."""
        return _key(place) not in self.wrong and _key(place) not in self.new

    def having(self, cell_id: str) -> Sequence[Cell]:
        """Return the cells that this parent has under an ID."""
        return self._by_id.get(cell_id, ())

    @cached_property
    def _by_id(self) -> dict[str, list[Cell]]:
        fresh = self.parent.fresh
        equal = [] if fresh is None else [document for document in self._present if document.name not in fresh]
        found: dict[str, list[Cell]] = {}
        for document in (*self.parent.documents, *equal):
            for cell in document.cells:
                found.setdefault(cell.id, []).append(cell)
        return found

    @cached_property
    def new_by_content(self) -> dict[str, Placed]:
        """The cells that this parent does not have, by what they say, IDs in it left out."""
        return {masked(place.cell): place for place in self.new.values()}


def _weight(wrong: _Wrong) -> int:
    return len(wrong.differences)


def _is_small(difference: Difference) -> bool:
    """Whether an edit could be that of a typo: most of the text is as it was."""
    if difference.kind is not Kind.EDITED:
        return True
    from difflib import SequenceMatcher

    return SequenceMatcher(None, difference.before, difference.after, autojunk=False).ratio() >= SMALL


class _Guard:
    def __init__(self, documents: Sequence[Document], past: Past) -> None:
        self._past = past
        self._judged = documents
        self._present = [*documents, *past.others()]
        declared = {old: place.cell.id for old, (place, _) in self._declared.items()}
        self._views = [_View(parent, self._present, past.legal, declared) for parent in past.parents]

    @cached_property
    def _declared(self) -> dict[str, tuple[Placed, str]]:
        """The cells that say in a comment which ID they had, by that ID, with the digest of what they said."""
        return {
            old: (place, note.digest)
            for document in self._present
            if may_hold_notes(document.text)
            for place in document.placed
            for note in notes(place.cell)
            if note.what == "renumbered"
            for old in note.names
        }

    def _gave_way(self, old: Cell) -> bool:
        """Whether a comment tells under which new ID the cell lives on."""
        place, digest = self._declared.get(old.id, (None, ""))
        return place is not None and digest == anonymous_digest(old) and masked(place.cell) == masked(old)

    def violations(self) -> list[Violation]:
        if len(self._views) > 1:
            self._find_renumbered()
        found = [*self._changed(), *self._gone(), *self._reused(), *self._left_behind()]
        if self._past.limited:
            names = {document.name for document in self._judged}
            found = [violation for violation in found if violation.place.document.name in names]
        return found

    # --- several parents ------------------------------------------------------------------------------------

    def _find_renumbered(self) -> None:
        """Find the cells that gave way: their ID is another cell's now, and they live on under a new one."""
        for view in self._views:
            pairs = {old.cell.id: new.cell.id for old, new in view.renumbered}
            for old, _ in self._strays(view):
                twin = self._twin(view, old)
                if twin:
                    pairs[old.id] = twin
            view.rename(pairs)

    def _strays(self, view: _View) -> list[tuple[Cell, Placed]]:
        """Return the cells of a parent that are not what stands under their ID now, with what does, rightly."""
        found = []
        for document in view.parent.documents:
            for old in document.cells:
                places = self._by_id.get(old.id, ())
                if id(old) in self._objects or not places:
                    continue
                if all(any(entry.kind is Kind.EDITED for entry in view.offences(old, now.cell)) for now in places):
                    found += [(old, places[0])] if self._held(places[0]) else []
        return found

    def _twin(self, view: _View, old: Cell) -> str:
        """Return the ID under which a cell lives on; empty when it does not."""
        said = masked(old)
        if not view.parent.recent:
            now = view.new_by_content.get(said)
            return now.cell.id if now else ""
        return next((cell_id for cell_id in self._by_content.get(said, ()) if cell_id != old.id), "")

    @cached_property
    def _objects(self) -> set[int]:
        return {id(cell) for document in self._present for cell in document.cells}

    @cached_property
    def _by_id(self) -> dict[str, list[Placed]]:
        found: dict[str, list[Placed]] = {}
        for document in self._present:
            for place in document.placed:
                found.setdefault(place.cell.id, []).append(place)
        return found

    @cached_property
    def _by_content(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for cell_id, places in self._by_id.items():
            found.setdefault(masked(places[0].cell), []).append(cell_id)
        return found

    def _held(self, place: Placed) -> bool:
        return any(view.holds(place) for view in self._views)

    def _ousted(self) -> Iterator[Violation]:
        """Tell of cells whose number another cell took, and that are nowhere else: bringing both together lost them."""
        for view in self._views:
            if view.parent.recent or (self._past.merging and view.parent.whole):
                for old, now in self._strays(view):
                    if not self._twin(view, old) and not self._forked(old) and not self._gave_way(old):
                        yield Violation(Verdict.DELETED, now, old, view.parent.name, (), (old.id,))

    def _forked(self, cell: Cell) -> bool:
        """Whether the cell was there before the parents parted: then one of them changed it, and the other is right."""
        return cell.id in self._forked_ids

    @cached_property
    def _forked_ids(self) -> set[str]:
        return {cell.id for document in self._past.forked() for cell in document.cells}

    def _left_behind(self) -> Iterator[Violation]:
        """Tell of mentions that mean a cell which gave way, in files that the branches did not both change."""
        views = [view for view in self._views if not view.parent.recent]
        if len(views) < 2:
            return
        pairs = {pair for view in views for pair in view.renames.items() if pair[0] in self._by_id}
        for old, new in sorted(pairs):
            if new not in self._by_id:
                continue
            keeper, moved = self._by_id[old][0].cell, self._by_id[new][0].cell
            meanings = Meanings([view.having for view in views], keeper, moved)
            for place, mention in left_behind(self._present, meanings, old):
                span = mention.start, mention.end
                yield Violation(Verdict.LEFT_BEHIND, place, moved, views[-1].parent.name, (), (old, new), span)

    # --- cells that are there -------------------------------------------------------------------------------

    def _changed(self) -> list[Violation]:
        guilty: dict[Place, tuple[_View, _Wrong]] = {}
        for view in self._views:
            for key, wrong in view.wrong.items():
                if key not in guilty and not self._held(wrong.new) and not self._gave_way(wrong.old):
                    guilty[key] = view, wrong
        if not guilty:
            return []
        guilty = self._without_amends(guilty)
        found: list[Violation] = []
        for view in self._views:
            own = [wrong for other, wrong in guilty.values() if other is view]
            found += _worded(view, own)
        return found

    def _without_amends(self, guilty: dict[Place, tuple[_View, _Wrong]]) -> dict[Place, tuple[_View, _Wrong]]:
        """Leave out edits that put an earlier version back, and those that the amend window allows."""
        edited = {
            wrong.new.cell.id
            for _, wrong in guilty.values()
            if any(difference.kind in _LASTING for difference in wrong.differences)
        }
        if not edited:
            return guilty
        free = set(self._past.unpublished(edited))
        earlier = self._past.versions(edited)
        left = {}
        for key, (view, wrong) in guilty.items():
            cell_id = wrong.new.cell.id
            kinds = {Kind.EDITED} if cell_id in free and all(map(_is_small, wrong.differences)) else set()
            for version in earlier.get(cell_id, ()):
                again = {difference.kind for difference in view.offences(version.cell, wrong.new.cell)}
                if not again & _LASTING:
                    kinds = set(_LASTING)
            rest = [difference for difference in wrong.differences if difference.kind not in kinds]
            if rest:
                left[key] = view, wrong._replace(differences=rest)
        return left

    # --- cells that are gone --------------------------------------------------------------------------------

    def _gone(self) -> list[Violation]:
        if self._past.blind:
            return []
        found = list(self._ousted()) if len(self._views) > 1 else []
        lost: dict[str, tuple[_View, Placed]] = {}
        for view in self._views:
            if not view.parent.whole:
                continue
            for old in view.removed:
                if old.cell.id and not self._gave_way(old.cell) and not self._let_go(view, old.cell):
                    lost.setdefault(old.cell.id, (view, old))
            for old, new in view.renumbered:
                if not self._may_renumber(view, old, new):
                    renamed = (new.cell.id,)
                    found.append(Violation(Verdict.DELETED, new, old.cell, view.parent.name, (), renamed))
        return [*found, *self._told(lost)]

    def _told(self, lost: Mapping[str, tuple[_View, Placed]]) -> Iterator[Violation]:
        """Tell of each lost cell where it stood; of a file that is gone with all its cells, once."""
        there = {document.name: document for document in self._present}
        files: dict[str, list[Placed]] = {}
        for _, old in lost.values():
            files.setdefault(old.document.name, []).append(old)
        whole = {name for name, places in files.items() if name not in there and _all_lost(places, lost)}
        told = set()
        for view, old in lost.values():
            name = old.document.name
            if name not in whole:
                place = Placed(old.cell, *_used_to_stand(old, there.get(name)))
                yield Violation(Verdict.DELETED, place, old.cell, view.parent.name)
            elif name not in told:
                told.add(name)
                held = tuple([place.cell.id for place in files[name]])
                place = Placed(old.cell, *_used_to_stand(old, None))
                yield Violation(Verdict.FILE_DELETED, place, old.cell, view.parent.name, (), held)

    def _let_go(self, view: _View, cell: Cell) -> bool:
        """Whether another parent had let go of a cell that was there before the parents parted."""
        others = [other for other in self._views if other is not view and other.parent.whole]
        return any(cell.id not in _held_ids(other) for other in others) and self._forked(cell)

    def _may_renumber(self, view: _View, old: Placed, new: Placed) -> bool:
        """Whether a cell may have a new ID: the old one was none, was taken twice, or a comment tells of it."""
        if not ids.is_id(old.cell.id) or self._past.merging or self._gave_way(old.cell):
            return True
        if view.parent.recent and any(
            masked(earlier.cell) != masked(old.cell)
            for earlier in self._past.lapsed({old.cell.id}).get(old.cell.id, ())
        ):
            return True
        number = ids.number(old.cell.id)
        twins = [
            cell
            for document in [*view.parent.documents, *self._present]
            for cell in document.cells
            if cell is not old.cell and cell.id != new.cell.id
            and (cell.id == old.cell.id or (number is not None and ids.number(cell.id) == number))
        ]  # fmt: skip
        return bool(twins)

    # --- cells that are new ---------------------------------------------------------------------------------

    def _reused(self) -> list[Violation]:
        if not self._views:
            return []
        older = [view for view in self._views if not view.parent.recent]
        keys = set.intersection(*[set(view.new) for view in older])
        fresh = {key: place for key, place in older[0].new.items() if key in keys and place.cell.id}
        if not fresh:
            return []
        held = self._past.lapsed({place.cell.id for place in fresh.values()})
        found = []
        for place in fresh.values():
            earlier = held.get(place.cell.id, ())
            if earlier and not any(masked(entry.cell) == masked(place.cell) for entry in earlier):
                found.append(Violation(Verdict.REUSED, place, earlier[0].cell, earlier[0].commit))
        return found


def _held_ids(view: _View) -> set[str]:
    return {cell.id for document in view.parent.documents for cell in document.cells}


def _all_lost(places: Sequence[Placed], lost: Mapping[str, object]) -> bool:
    return all(cell.id in lost for cell in places[0].document.cells)


def _used_to_stand(old: Placed, now: Document | None) -> tuple[Document, int]:
    """Return where a lost cell stood: before the next cell that is still there, else at the end of the file."""
    if now is None:
        return Document("", (), (), (), name=old.document.name), 0
    starts = {cell.id: start for cell, start in zip(now.cells, now.starts, strict=True)}
    for cell, start in zip(old.document.cells, old.document.starts, strict=True):
        if start > old.start and cell.id in starts:
            return now, starts[cell.id]
    return now, max(now.preamble_start, len(now.text.rstrip("\r\n")))


def _worded(view: _View, wrong: Sequence[_Wrong]) -> Iterator[Violation]:
    """Group differences by what they are called; cells that exchanged their contents are one thing."""
    exchanged = swaps([(entry.old, entry.new.cell) for entry in wrong])
    for entry in wrong:
        cell_id, name = entry.new.cell.id, view.parent.name
        kinds = {difference.kind for difference in entry.differences}
        if cell_id in exchanged:
            yield Violation(Verdict.SWAPPED, entry.new, entry.old, name, (), (exchanged[cell_id],))
        elif {Kind.EDITED, Kind.ILLEGAL} <= kinds and entry.old.status.state in _FINAL:
            yield Violation(Verdict.REUSED, entry.new, entry.old, name)
        else:
            for kind, verdict in _VERDICTS.items():
                own = tuple([difference for difference in entry.differences if difference.kind is kind])
                if own:
                    yield Violation(verdict, entry.new, entry.old, name, own)
