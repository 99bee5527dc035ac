"""What lies between two states of a memory, as typed changes, cell by cell. Pure: documents in, values out.

Cells are matched by ID over all files, so a cell that moved to another file is the same cell. Equal cell text is one
object (mneme/format/parser.py), so what did not change is told by identity and costs next to nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from mneme.format import ids
from mneme.format.dates import parse_date
from mneme.format.model import Cell, Document, Link, Placed
from mneme.format.vocabulary import DEFAULT_CONFIDENCE, RELATIONS, STATES, TRANSITIONS
from mneme.history.content import CONTENT, content, content_key, is_repair
from mneme.history.notes import is_redaction


class Kind(StrEnum):
    """What kind of change; those that the format forbids are in :data:`VIOLATIONS`."""

    ADDED = "added"
    REMOVED = "removed"
    RENUMBERED = "renumbered"
    SWAPPED = "identity-swapped"
    MOVED = "moved"
    EDITED = "content-edited"
    REPAIRED = "repaired"
    REDACTED = "redacted"
    STATE = "state"
    ILLEGAL = "illegal-transition"
    REAFFIRMED = "reaffirmed"
    SEEN_BACK = "seen-moved-back"
    FIELD = "field"
    LINK_ADDED = "link-added"
    LINK_WEIGHT = "link-weight"
    LINK_REMOVED = "link-removed"


VIOLATIONS = frozenset({Kind.REMOVED, Kind.SWAPPED, Kind.EDITED, Kind.ILLEGAL, Kind.SEEN_BACK, Kind.LINK_REMOVED})


class Difference(NamedTuple):
    """One thing that differs between two versions of a cell: which field, and both values as text."""

    kind: Kind
    field: str
    before: str
    after: str
    number: int = -1
    """For a link: its number in the new version, or in the old one when it is gone."""


class Change(NamedTuple):
    """What became of one cell: ``old`` is None for a new one, ``new`` for one that is gone.

    ``kind`` is ADDED, REMOVED, RENUMBERED, SWAPPED, MOVED (nothing else), or the kind of its first difference.
    """

    kind: Kind
    old: Placed | None
    new: Placed | None
    differences: tuple[Difference, ...] = ()
    moved: bool = False
    """Whether it stands in another file, or elsewhere among its neighbours."""

    @property
    def place(self) -> Placed:
        """Where it is, or was."""
        place = self.new or self.old
        assert place is not None
        return place

    @property
    def forbidden(self) -> bool:
        """Whether the format does not allow it."""
        return self.kind in VIOLATIONS or any(difference.kind in VIOLATIONS for difference in self.differences)


Legal = Callable[[str, str], bool]
"""Whether one state may become another."""


def one_step(before: str, after: str) -> bool:
    """Whether the format allows this change of state."""
    return after in TRANSITIONS[before]


def many_steps(before: str, after: str) -> bool:
    """Whether allowed changes of state lead from one to the other."""
    reached = set(TRANSITIONS[before])
    for _ in STATES:
        reached |= {state for known in reached for state in TRANSITIONS[known]}
    return after in reached


def differences(old: Cell, new: Cell, legal: Legal = one_step) -> list[Difference]:
    """Return how ``new`` differs from ``old``, an earlier version of it: content first, then state, then links."""
    if old is new or old[1:10] == new[1:10]:
        return []
    found = []
    for name in CONTENT:
        before, after = content(old, name), content(new, name)
        if before != after:
            kind = Kind.EDITED
            if is_repair(old, name, before, after):
                kind = Kind.REPAIRED
            elif is_redaction(old, new, name, after):
                kind = Kind.REDACTED
            found.append(Difference(kind, name, "\n".join(before), "\n".join(after)))
    return [*found, *_state_differences(old, new, legal), *_link_differences(old, new)]


def _state_differences(old: Cell, new: Cell, legal: Legal) -> Iterable[Difference]:
    before, after = old.status, new.status
    if before == after:
        return
    if before.state != after.state:
        kind = Kind.REPAIRED
        if before.state in TRANSITIONS:  # an unknown state is another rule's business
            known = after.state in TRANSITIONS
            kind = Kind.ILLEGAL if known and not legal(before.state, after.state) else Kind.STATE
        yield Difference(kind, "state", before.state, after.state)
    if before.seen != after.seen:
        was, now = parse_date(before.seen), parse_date(after.seen)
        kind = Kind.REPAIRED
        if was:
            kind = Kind.FIELD if now is None else Kind.REAFFIRMED if now > was else Kind.SEEN_BACK
        yield Difference(kind, "seen", before.seen, after.seen)
    for name, usual in (("conf", DEFAULT_CONFIDENCE), ("imp", ""), ("hot", "")):
        one, other = getattr(before, name) or usual, getattr(after, name) or usual
        if one != other:
            yield Difference(Kind.FIELD, name, one, other)
    if before.refs != after.refs:
        yield Difference(Kind.FIELD, "ref", " ".join(before.refs), " ".join(after.refs))


def _link_differences(old: Cell, new: Cell) -> Iterable[Difference]:
    if old.links == new.links:
        return
    before, after = _by_end(old.links), _by_end(new.links)
    for end, (index, link) in before.items():
        if end not in after:
            if not _respelled(link, new.links):
                yield Difference(Kind.LINK_REMOVED, "link", shown(link), "", index)
        else:
            now_index, now = after[end]
            if _lasting(link) != _lasting(now):
                yield Difference(Kind.LINK_REMOVED, "link", shown(link), shown(now), now_index)
            elif link.attributes != now.attributes:
                yield Difference(Kind.LINK_WEIGHT, "link", shown(link), shown(now), now_index)
    for end, (index, link) in after.items():
        if end not in before:
            yield Difference(Kind.LINK_ADDED, "link", "", shown(link), index)


def _by_end(links: Sequence[Link]) -> dict[tuple[str, str], tuple[int, Link]]:
    """Return links by relation and target; of a repeated one, the first."""
    found: dict[tuple[str, str], tuple[int, Link]] = {}
    for index, link in enumerate(links):
        found.setdefault((link.relation, link.target), (index, link))
    return found


def _lasting(link: Link) -> tuple[tuple[str, str], ...]:
    """Return the attributes that never change: all but the weight."""
    return tuple(sorted(pair for pair in link.attributes if pair[0] != "weight"))


def _respelled(link: Link, now: Sequence[Link]) -> bool:
    """Whether a link that no reader understood is there in a form that can be read: a repair."""
    if link.relation not in RELATIONS and any(
        other.target == link.target and other.relation in RELATIONS for other in now
    ):
        return True
    meant = ids.canonical(link.target)
    return not ids.is_id(link.target) and any((link.relation, meant) == other[:2] for other in now)


def shown(link: Link) -> str:
    """Return ``link`` as it would be written."""
    return " ".join([link.relation, link.target, *[word for pair in link.attributes for word in pair]])


# --- two whole states -----------------------------------------------------------------------------------


class Matched(NamedTuple):
    """Which cell became which. Cells of equal text in both states are left out."""

    kept: list[tuple[list[Placed], Placed]]
    """Every cell that is there now, with its earlier versions: more than one only where an ID was taken twice."""
    added: list[Placed]
    removed: list[Placed]
    renumbered: list[tuple[Placed, Placed]]
    """Cells known by what they say: the ID is another one, the old ID is gone."""


def match(past: Sequence[Document], present: Sequence[Document]) -> Matched:
    """Match the cells of two states by ID, and what is then left over by content."""
    before = {id(cell) for document in past for cell in document.cells}
    now = {id(cell) for document in present for cell in document.cells}
    old, new = _by_id(past, now), _by_id(present, before)
    kept = [(old[cell_id], place) for cell_id, places in new.items() if cell_id and cell_id in old for place in places]
    added = [place for cell_id, places in new.items() if not cell_id or cell_id not in old for place in places]
    removed = [place for cell_id, places in old.items() if not cell_id or cell_id not in new for place in places]
    if added or removed:
        unchanged = {cell.id for document in present for cell in document.cells if id(cell) in before}
        added = [place for place in added if place.cell.id not in unchanged]
        removed = [place for place in removed if place.cell.id not in unchanged]
    renumbered = _renumbered(removed, added)
    gone, come = {id(one.cell) for one, _ in renumbered}, {id(other.cell) for _, other in renumbered}
    return Matched(
        kept,
        [place for place in added if id(place.cell) not in come],
        [place for place in removed if id(place.cell) not in gone],
        renumbered,
    )


def _by_id(documents: Sequence[Document], common: set[int]) -> dict[str, list[Placed]]:
    """Return the cells of ``documents`` that are not among the ``common`` ones, by ID."""
    found: dict[str, list[Placed]] = {}
    for document in documents:
        for cell, start in zip(document.cells, document.starts, strict=True):
            if id(cell) not in common:
                found.setdefault(cell.id, []).append(Placed(cell, document, start))
    return found


def _renumbered(removed: Sequence[Placed], added: Sequence[Placed]) -> list[tuple[Placed, Placed]]:
    if not removed or not added:
        return []
    waiting: dict[str, list[Placed]] = {}
    for place in added:
        waiting.setdefault(content_key(place.cell), []).append(place)
    pairs = []
    for place in removed:
        candidates = waiting.get(content_key(place.cell))
        if candidates:
            pairs.append((place, candidates.pop(0)))
    return pairs


def swaps(pairs: Iterable[tuple[Cell, Cell]]) -> dict[str, str]:
    """Return, of cells (as they were, as they are) that exchanged what they say, ID to the ID whose content it has."""
    edited = [(old, new) for old, new in pairs if content_key(old) != content_key(new)]
    owner = {content_key(old): old.id for old, _ in edited}
    source = {new.id: owner[key] for _, new in edited if (key := content_key(new)) in owner}
    found: dict[str, str] = {}
    for start in source:
        path = [start]
        while (following := source.get(path[-1])) is not None and following not in path:
            path.append(following)
        if following == start:
            found |= {cell_id: source[cell_id] for cell_id in path}
    return found


def compare(past: Sequence[Document], present: Sequence[Document], legal: Legal = one_step) -> list[Change]:
    """Return everything that became of the cells of ``past``, and the new ones: in the order of files and cells.

    Both are all files that are not equal; a cell that was given twice is compared with its nearest earlier version.
    """
    matched = match(past, present)
    kept = {(id(new.document), new.start): (olds, new) for olds, new in matched.kept}
    exchanged = swaps((olds[0].cell, new.cell) for olds, new in matched.kept)
    before = {
        cell.id: place for document in reversed(past) for place in reversed(document.placed) if (cell := place.cell)
    }
    shifted = _shifted(past, present)
    found: list[Change] = []
    for document in present:
        for new in document.placed:
            key = (id(document), new.start)
            old = before.get(new.cell.id)
            if key in kept:
                olds, _ = kept[key]
                old, own = min(
                    ((one, differences(one.cell, new.cell, legal)) for one in olds), key=lambda pair: len(pair[1])
                )
            elif old is None or old.cell is not new.cell:
                continue  # new, or a second copy
            else:
                own = []
            moved = old.document.name != document.name or new.cell.id in shifted.get(document.name, ())
            if new.cell.id in exchanged:
                found.append(Change(Kind.SWAPPED, old, new, (), moved))
            elif own or moved:
                found.append(Change(own[0].kind if own else Kind.MOVED, old, new, tuple(own), moved))
    found += [Change(Kind.ADDED, None, place) for place in matched.added]
    found += [Change(Kind.REMOVED, place, None) for place in matched.removed]
    found += [Change(Kind.RENUMBERED, old, new) for old, new in matched.renumbered]
    return sorted(found, key=lambda change: (change.place.document.name, change.place.start, change.new is None))


def _shifted(past: Sequence[Document], present: Sequence[Document]) -> dict[str, set[str]]:
    """Return, by file, the cells that stand elsewhere among those that the file had before and has now: the fewest."""
    order = {document.name: {cell.id: at for at, cell in enumerate(document.cells)} for document in past}
    found: dict[str, set[str]] = {}
    for document in present:
        places = order.get(document.name, {})
        common = list(dict.fromkeys(cell.id for cell in document.cells if cell.id in places))
        if [places[cell_id] for cell_id in common] != sorted(places[cell_id] for cell_id in common):
            found[document.name] = set(common) - _longest_run([(places[cell_id], cell_id) for cell_id in common])
    return found


def _longest_run(items: Sequence[tuple[int, str]]) -> set[str]:
    """Return the IDs of a longest increasing subsequence (patience sorting)."""
    tops: list[int] = []
    piles: list[int] = []
    previous: list[int] = []
    for index, (place, _) in enumerate(items):
        pile = bisect_left(tops, place)
        previous.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            piles.append(index)
        else:
            tops[pile], piles[pile] = place, index
    run: set[str] = set()
    at = piles[-1] if piles else -1
    while at >= 0:
        run.add(items[at][1])
        at = previous[at]
    return run
