"""Merges three versions of a memory file, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from mneme.format.dates import parse_date
from mneme.format.edits import newline_of
from mneme.format.ids import number
from mneme.format.model import Cell, Document
from mneme.format.parser import parse
from mneme.history.merge.cell import merge_cell
from mneme.history.merge.content import same_content
from mneme.history.merge.forks import forks
from mneme.history.merge.identity import Clash, Known, identify
from mneme.history.merge.items import Item, Side, split, split_lines, unended
from mneme.history.merge.lines import Piece, Region, joined
from mneme.history.merge.order import merge_order
from mneme.history.merge.plain import merge_plainly
from mneme.history.merge.renumber import Sides, renumbered
from mneme.history.merge.result import Merged
from mneme.history.merge.values import Texts, one_newline, three_way
from mneme.text.source import BOM
from mneme.text.visible import quote

_ALONE = Known()


def merge(base: str, ours: str, theirs: str, known: Known = _ALONE) -> Merged:
    """Merge two texts that both come from ``base``. Which is ours matters only for the order within a conflict."""
    if theirs in (ours, base):
        return Merged((ours,))
    if ours == base:
        return Merged((theirs,))
    swapped = theirs < ours
    one, two = (theirs, ours) if swapped else (ours, theirs)
    merged = _Merge(one_newline(base, one, two), known).run()
    if swapped:
        turned = [
            Region(piece[0], piece[2], piece[1]) if isinstance(piece, Region) else piece for piece in merged.pieces
        ]
        return merged._replace(pieces=tuple(turned))
    return merged


class _Merge:
    """One merge; the two sides come in the order of their texts."""

    def __init__(self, texts: Texts, known: Known) -> None:
        self._texts = texts
        newline = next((newline_of(text) for text in texts if "\n" in text), "\n")
        self._sides: tuple[Side, Side, Side] = (
            split(texts[0], newline), split(texts[1], newline), split(texts[2], newline)
        )  # fmt: skip
        self._known = known
        self._notes: list[str] = []

    def run(self) -> Merged:
        lists: Sides = (self._sides[0].items, self._sides[1].items, self._sides[2].items)
        identities = identify(*lists, self._known)
        self._items, counts = renumbered(lists, identities)
        self._keys = _keys(self._items, [identity.places for identity in identities.all])
        self._at = [{key: at for at, key in enumerate(keys)} for keys in self._keys]
        base, one, two = self._keys
        order = merge_order(base, one, two, self._gone(), self._rank)
        merged = {key: self._merge_item(key) for key in order}
        pieces = self._put_together(order, merged)
        document = parse(_one_of(pieces))
        expected = [cell for key in order for cell in self._cells(key, merged[key])]
        strays = sum(_is_stray(self._left(key)) for key in order)
        if [_says(cell) for cell in document.cells] != [_says(cell) for cell in expected] or (
            bool(strays) != bool(document.strays)
        ):
            return merge_plainly(self._texts)
        notes = [_about_clash(clash, counts[clash.new_id]) for clash in identities.clashes]
        return Merged(tuple(pieces), tuple(identities.clashes), (*notes, *self._notes, *self._about_forks(document)))

    # --- items ------------------------------------------------------------------------------------------

    def _item(self, side: int, key: int) -> Item | None:
        at = self._at[side].get(key)
        return None if at is None else self._items[side][at]

    def _left(self, key: int) -> Item:
        """Return an item that at least one side has."""
        item = self._item(1, key) or self._item(2, key)
        assert item is not None
        return item

    def _gone(self) -> set[int]:
        """Return the keys that one side took away and the other left as they were."""
        gone = set()
        for key in self._keys[0]:
            if (key in self._at[1]) == (key in self._at[2]):
                continue
            old = self._item(0, key)
            assert old is not None
            if _unchanged(old, self._left(key)):
                gone.add(key)
        return gone

    def _merge_item(self, key: int) -> list[Piece]:
        old, one, two = (self._item(side, key) for side in range(3))
        if one is not None and two is not None:
            if one.cell is None or one.text == two.text:
                return [one.text]
            merged = merge_cell(old, one, two)
            self._notes += [f"{one.cell.id}: {words}" for words in merged.overruled]
            return merged.pieces
        if old is not None:  # taken away by one, changed by the other
            return [Region(old.text, one.text if one else "", two.text if two else "")]
        return [self._left(key).text]

    def _cells(self, key: int, pieces: Sequence[Piece]) -> Sequence[Cell]:
        """Return the cells that merged pieces of one item must read back as."""
        item = self._left(key)
        if list(pieces) == [item.text]:
            return () if item.cell is None else (item.cell,)
        return parse(_one_of(pieces)).cells

    def _rank(self, key: int) -> tuple[object, ...] | None:
        """Return what a new cell is ordered by: the day it was established, then its ID."""
        item = self._left(key)
        if item.cell is None:
            return (date.min, item.text) if _is_stray(item) else None
        found = number(item.cell.id)
        prefix, _, suffix = item.cell.id.partition("-")
        day = parse_date(item.cell.since) or date.max
        return day, found.prefix if found else prefix, found.value if found else 0, suffix, item.text

    # --- around the items ---------------------------------------------------------------------------------

    def _put_together(self, order: Sequence[int], merged: dict[int, list[Piece]]) -> list[Piece]:
        pieces: list[Piece] = []
        previous: int | None = None
        for key in order:
            pieces.append(self._gap(previous, key))
            pieces += merged[key]
            previous = key
        tails = [side.tail for side in self._sides]
        tail = three_way(tails[0], tails[1], tails[2], choose=_longer)
        pieces.append(tail or "")
        pieces = joined(pieces)
        ends = [side.ended if text.strip(BOM) else None for side, text in zip(self._sides, self._texts, strict=True)]
        last = pieces[-1] if pieces else None
        if isinstance(last, str) and not tail and not three_way(ends[0], ends[1], ends[2], choose=max):
            pieces[-1] = unended(last)
        marks = [side.bom for side in self._sides]
        return joined([BOM, *pieces] if three_way(marks[0], marks[1], marks[2], choose=max) else pieces)

    def _gap(self, previous: int | None, key: int) -> str:
        """Return the blank lines before an item: as the texts have them; one where none says it."""
        known: list[str | None] = []
        joined_so: set[str] = set()
        for at, keys, items in zip((places.get(key) for places in self._at), self._keys, self._items, strict=True):
            if at is None or (at == 0) != (previous is None):
                known.append(None)
            else:
                known.append(items[at].gap)
                if at > 0 and keys[at - 1] == previous:
                    joined_so.add(items[at].gap)
        gap = three_way(known[0], known[1], known[2], choose=_longer)
        if previous is None:
            return gap or ""
        if gap is None or (not gap and gap not in joined_so and self._ends_in_comment(previous)):
            return min(self._sides[1].newline, self._sides[2].newline)
        return gap

    def _ends_in_comment(self, key: int) -> bool:
        item = self._left(key)
        return item.cell is None or split_lines(item.text)[-1].startswith("#")

    # --- what to say of it --------------------------------------------------------------------------------

    def _about_forks(self, document: Document) -> list[str]:
        """Name the cells that each side superseded by another one."""
        known = [forks(side.items) for side in self._sides[1:]]
        return [
            f"{old} is now superseded by {len(new)} live cells: {', '.join(sorted(new))}"
            for old, new in sorted(forks(split(document.text).items).items())
            if len(new) > 1 and not any(new <= before.get(old, set()) for before in known)
        ]


def _keys(items: Sides, cells: Sequence[Sequence[int | None]]) -> list[list[int]]:
    """Return a number for each item of each text, equal where they are the same: cells as told, paragraphs by text."""
    keys: list[dict[int, int]] = [{}, {}, {}]
    for key, places in enumerate(cells):
        for side, at in enumerate(places):
            if at is not None:
                keys[side][at] = key
    known: dict[tuple[str, int], int] = {}
    for side, own in enumerate(items):
        counts: dict[str, int] = {}
        for at, item in enumerate(own):
            if item.cell is None:
                counts[item.text] = counts.get(item.text, 0) + 1
                keys[side][at] = known.setdefault((item.text, counts[item.text]), len(cells) + len(known))
    return [[own[at] for at in range(len(own))] for own in keys]


def _unchanged(old: Item, item: Item) -> bool:
    """Whether two items say the same."""
    if old.text == item.text:
        return True
    if old.cell is None or item.cell is None or old.text[: old.head] != item.text[: item.head]:
        return False
    same = same_content(old.cell, item.cell) and old.cell.status == item.cell.status
    return same and old.cell.links == item.cell.links and _words(old) == _words(item)


def _is_stray(item: Item) -> bool:
    """Whether an item is text that belongs to no cell and must stand before the first."""
    return item.cell is None and not all(line.startswith("#") for line in split_lines(item.text))


def _says(cell: Cell) -> tuple[object, ...]:
    return cell[1:10], [oddity.name for oddity in cell.oddities]


def _words(item: Item) -> Counter[tuple[str, ...]]:
    """Return the lines of an item, whatever their order and spacing: the ones that nobody reads are there too."""
    return Counter(words for line in split_lines(item.text) if (words := tuple(line.split())))


def _longer(one: str, two: str) -> str:
    return max(one, two, key=lambda text: (len(text), text))


def _one_of(pieces: Sequence[Piece]) -> str:
    """Return the text with one side's version in place of each conflict."""
    return "".join([piece if isinstance(piece, str) else piece.one or piece.two for piece in pieces])


def _about_clash(clash: Clash, mentions: int) -> str:
    also = f", with {mentions} mention{'s' * (mentions != 1)} of it" if mentions else ""
    return (
        f"{clash.moved.id} was given twice: {quote(clash.keeper.gist)} keeps it ({clash.reason}), "
        f"{quote(clash.moved.gist)} is now {clash.new_id}{also}"
    )
