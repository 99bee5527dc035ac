"""Which cells of the three texts are one and the same, and who gives way where two cells have one number.

A cell is known by its ID and its content. Where the ID differs, equal content under an ID that is new on that side
means that the cell was renumbered there; where the content differs, the same ID means that it was edited. What is left
is new. Of two new cells with one number, the one that the trunk holds keeps it, else the one with the earlier
``since``, then the one with the smaller content digest: never "ours" or "theirs".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from mneme.format.dates import parse_date
from mneme.format.digest import anonymous_digest, canonical_form, content_digest
from mneme.format.ids import MIN_DIGITS, Number, canonical, is_id, number
from mneme.format.model import Cell
from mneme.history.merge.content import same_content
from mneme.history.merge.items import Item

MENTION = re.compile(r"(?<![A-Za-z0-9_-])[A-Z][A-Z0-9]*-[a-z0-9]+(?![A-Za-z0-9_-])")
"""An ID in any text."""


class Known(NamedTuple):
    """What the repository knows besides the three texts. Asked only when a number was taken twice."""

    holds: Callable[[Cell], bool] = lambda _cell: False
    """Whether the trunk has this cell under this ID."""
    used: Callable[[], Iterable[str]] = tuple
    """IDs that are taken elsewhere: no cell is given one of them."""
    given: Callable[[Cell], str] = lambda _cell: ""
    """The ID that this cell was given when it had to give way before, and no other cell got since; else empty."""
    reserved: Callable[[], Iterable[str]] = tuple
    """IDs that were given to cells which no commit holds yet."""
    sure: bool = True
    """Whether the base is known. If not, two new cells with one ID may be one that was edited: then that is assumed."""


class Clash(NamedTuple):
    """Two cells had one ID: ``keeper`` keeps it, for ``reason``; ``moved`` is now ``new_id``. Cells as they were."""

    keeper: Cell
    moved: Cell
    new_id: str
    reason: str


@dataclass
class Identity:
    """One cell: where its items stand in base, one and two (None: not there), and the ID it has in the end."""

    places: list[int | None]
    id: str = ""

    @property
    def is_old(self) -> bool:
        """Whether the base has it."""
        return self.places[0] is not None


@dataclass
class Identities:
    """All cells of the three texts; for each side the new IDs of its old ones, where they are not the same."""

    all: list[Identity]
    renamed: tuple[dict[str, str], ...]
    clashes: list[Clash]


def identify(base: Sequence[Item], one: Sequence[Item], two: Sequence[Item], known: Known) -> Identities:
    """Find out which cells are the same, and give new numbers where one was taken twice."""
    return _Finder((base, one, two), known).find()


class _Finder:
    def __init__(self, sides: tuple[Sequence[Item], Sequence[Item], Sequence[Item]], known: Known) -> None:
        self._cells = [{at: item.cell for at, item in enumerate(side) if item.cell is not None} for side in sides]
        self._known = known

    def find(self) -> Identities:
        base, one, two = self._cells
        matches = _match(base, one, two), _match(base, two, one)
        found = [Identity([at, matches[0].get(at), matches[1].get(at)]) for at in base]
        self._settle_old(found)
        taken = set(matches[0].values()), set(matches[1].values())
        ones = [at for at in one if at not in taken[0]]
        twos = [at for at in two if at not in taken[1]]
        new = [Identity([None, at, None]) for at in ones] + [Identity([None, None, at]) for at in twos]
        result = Identities([], ({}, {}, {}), [])
        result.all = found + (self._pair(new, result) if ones and twos else new)
        for identity in result.all:
            identity.id = identity.id or next(self._ids(identity))
        self._settle_clashes(result)
        self._collect_renamed(result)
        return result

    def _cell(self, identity: Identity) -> Cell:
        """Return the cell of an identity, from the base rather than from a side."""
        return next(self._cells[side][at] for side, at in enumerate(identity.places) if at is not None)

    def _ids(self, identity: Identity) -> Iterator[str]:
        return (self._cells[side][at].id for side, at in enumerate(identity.places) if at is not None)

    def _settle_old(self, identities: Iterable[Identity]) -> None:
        """Give cells of the base their ID: a new one where a side renumbered them."""
        for identity in identities:
            at, *places = identity.places
            assert at is not None
            old = self._cells[0][at]
            cells = [self._cells[side][place] for side, place in enumerate(places, 1) if place is not None]
            moved = {cell.id: cell for cell in cells if cell.id != old.id}
            identity.id = min(moved, key=lambda token: self._claim(moved[token])) if moved else old.id

    def _claim(self, cell: Cell) -> tuple[object, ...]:
        """Return what a cell's claim to its ID is ordered by: the smallest has it."""
        return not self._known.holds(cell), parse_date(cell.since) or date.max, content_digest(cell)

    # --- new on both sides ----------------------------------------------------------------------------

    def _pair(self, new: list[Identity], result: Identities) -> list[Identity]:
        """Join cells that both sides added: one ID and one content, or one ID and one gist; or renumbered before."""
        ones = [identity for identity in new if identity.places[1] is not None]
        twos = [identity for identity in new if identity.places[1] is None]

        def rename(one: Identity, two: Identity) -> None:
            result.clashes += self._rename(one, two)

        for same in (same_content, _same_but_edited if self._known.sure else _any):
            _join(ones, twos, self._cell, lambda cell: str(_number(cell)), same, rename)
        taken = [{_number(cell) for cell in cells.values()} for cells in self._cells[1:]]
        numbers = {
            own
            for identity in (*ones, *twos)
            if identity.places.count(None) == 2
            and (own := _number(self._cell(identity))) in taken[0 if identity.places[1] is None else 1]
        }
        if numbers:  # taken twice: perhaps one of the sides has given one of them another number since
            for signature in (_anonymous, _shape):
                _join(
                    ones, twos, self._cell, signature,
                    lambda mine, other: (
                        (_number(mine) in numbers) != (_number(other) in numbers) and _mention_alike(mine, other)
                    ), rename,
                )  # fmt: skip
        return ones + [identity for identity in twos if identity.places[1] is None]

    def _rename(self, one: Identity, two: Identity) -> Iterator[Clash]:
        """Give two new cells that are one the ID of which no other cell has the number."""
        mine, other = self._cell(one), self._cell(two)
        if mine.id == other.id:
            return
        rivals = {
            _number(cell): cell
            for cell in (*self._cells[1].values(), *self._cells[2].values())
            if cell is not mine and cell is not other
        }
        both = sorted((mine, other), key=lambda cell: (_number(cell) in rivals, self._claim(cell), cell.id))
        one.id = both[0].id
        rival = rivals.get(_number(both[1]))
        if rival is not None:
            yield Clash(rival, both[1], one.id, "the other has a number of its own already")

    # --- one number, two cells --------------------------------------------------------------------------

    def _settle_clashes(self, result: Identities) -> None:
        groups: dict[Number | str, list[Identity]] = {}
        for identity in result.all:
            groups.setdefault(_number_of(identity.id), []).append(identity)
        losers: list[tuple[Identity, Identity, str]] = []
        for group in groups.values():
            if len(group) > 1:
                losers += self._losers(group)
        if not losers:
            return
        losers.sort(key=lambda loser: self._turn(self._cell(loser[0])))
        numbers = _Free(self._all_ids(), [*self._known.used(), *self._known.reserved()])
        for identity, keeper, reason in losers:
            moved = self._cell(identity)
            identity.id = numbers.give(moved, self._known.given(moved))
            result.clashes.append(Clash(self._cell(keeper), moved, identity.id, reason))

    def _turn(self, cell: Cell) -> tuple[object, ...]:
        """Return in which order new numbers are given: to older cells first, then as they were numbered."""
        _, since, digest = self._claim(cell)
        found = number(cell.id)
        return since, _prefix(cell), found.value if found else 0, digest

    def _losers(self, group: list[Identity]) -> Iterator[tuple[Identity, Identity, str]]:
        """Yield who must give way to whom, and why. What one side alone did to itself is left to the linter."""
        ranked = sorted(
            group, key=lambda own: (not own.is_old, not is_id(own.id), self._claim(self._cell(own)))
        )  # fmt: skip
        kept: list[Identity] = []
        for identity in ranked:
            rival = next((other for other in kept if not self._share_a_side(identity, other)), None)
            if rival is None or not is_id(identity.id):
                kept.append(identity)
            else:
                yield identity, rival, self._reason(rival, identity)

    def _share_a_side(self, one: Identity, two: Identity) -> bool:
        """Whether one of the texts has both under one number already."""
        return any(
            mine is not None and other is not None and _number(cells[mine]) == _number(cells[other])
            for cells, mine, other in zip(self._cells, one.places, two.places, strict=True)
        )

    def _reason(self, keeper: Identity, loser: Identity) -> str:
        mine, other = self._claim(self._cell(keeper)), self._claim(self._cell(loser))
        if keeper.is_old:
            return "it was there before"
        if mine[0] != other[0]:
            return "the trunk holds it"
        return "it is older" if mine[1] != other[1] else "its digest is smaller"

    def _all_ids(self) -> Iterator[str]:
        for cells in self._cells:
            for cell in cells.values():
                yield cell.id
                for link in cell.links:
                    yield link.target
                yield from MENTION.findall(cell.text)

    def _collect_renamed(self, result: Identities) -> None:
        for identity in result.all:
            for side, at in enumerate(identity.places):
                if at is not None and (was := self._cells[side][at].id) != identity.id:
                    result.renamed[side][was] = identity.id
        for side, renamed in enumerate(result.renamed):
            if renamed:  # an ID that a side gives to two cells says of no mention which one is meant
                counted = Counter(cell.id for cell in self._cells[side].values())
                for was in [token for token in renamed if counted[token] > 1]:
                    del renamed[was]


def _match(base: dict[int, Cell], side: dict[int, Cell], other: dict[int, Cell]) -> dict[int, int]:
    """Return which cell of a side each cell of the base is; those that are gone are missing."""
    matched: dict[int, int] = {}
    by_id: dict[str, list[int]] = {}
    for at, cell in side.items():
        if cell.id in by_id:
            by_id[cell.id].append(at)
        else:
            by_id[cell.id] = [at]
    left: list[int] = []
    for at, old in base.items():
        places = by_id.get(old.id, ())
        place = next((place for place in places if side[place] is old or same_content(side[place], old)), None)
        if place is None:
            left.append(at)
        else:
            matched[at] = place
            by_id[old.id].remove(place)
    if not left:
        return matched
    rest = [at for places in by_id.values() for at in places]
    ids = {_number(cell) for cell in base.values()}
    elsewhere = {cell.id: cell for cell in other.values()}
    for signature in (_anonymous, _shape):
        fresh = [place for place in rest if _number(side[place]) not in ids]
        matched.update(
            (at, place)
            for at, place in _unique_pairs(left, fresh, base, side, signature)
            if _is_renumbered(base[at], side[place], elsewhere)
        )
        taken = set(matched.values())
        left, rest = [at for at in left if at not in matched], [place for place in rest if place not in taken]
    matched.update(_unique_pairs([at for at in left if base[at].id], rest, base, side, lambda cell: cell.id))
    return matched


def _is_renumbered(old: Cell, new: Cell, elsewhere: dict[str, Cell]) -> bool:
    """Whether a cell is another one renumbered: the other side has it under one of the two IDs, and not under both."""
    twin = elsewhere.get(new.id)
    has_new = twin is not None and _shape(twin) == _shape(new)
    return (old.id in elsewhere) != has_new


def _unique_pairs(
    left: Sequence[int],
    rest: Sequence[int],
    base: dict[int, Cell],
    side: dict[int, Cell],
    signature: Callable[[Cell], str],
) -> list[tuple[int, int]]:
    """Return the pairs of cells whose signature no other one has."""
    if not left or not rest:
        return []
    olds, news = _grouped(left, base, signature), _grouped(rest, side, signature)
    pairs = [(olds[token][0], news[token][0]) for token in olds if len(olds[token]) == len(news.get(token, ())) == 1]
    return [(at, place) for at, place in pairs if _mention_alike(base[at], side[place])]


def _grouped(places: Sequence[int], cells: dict[int, Cell], signature: Callable[[Cell], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at in places:
        found.setdefault(signature(cells[at]), []).append(at)
    return found


def _join(
    ones: list[Identity],
    twos: list[Identity],
    cell_of: Callable[[Identity], Cell],
    signature: Callable[[Cell], str],
    same: Callable[[Cell, Cell], bool],
    then: Callable[[Identity, Identity], None],
) -> None:
    """Make one of each two new cells with one signature that are the ``same``."""
    waiting: dict[str, list[Identity]] = {}
    for two in twos:
        if two.places[1] is None:
            waiting.setdefault(signature(cell_of(two)), []).append(two)
    for one in ones:
        if one.places[2] is not None:
            continue
        candidates = waiting.get(signature(cell_of(one)), [])
        for two in candidates:
            if same(cell_of(one), cell_of(two)):
                candidates.remove(two)
                then(one, two)
                one.places[2] = two.places[2]
                two.places[1] = one.places[1]
                break


def _same_but_edited(one: Cell, two: Cell) -> bool:
    """Whether two new cells with one number are one that was edited, rather than two that met."""
    return (bool(one.gist) and one.gist == two.gist) or _shape(one) == _shape(two)


def _anonymous(cell: Cell) -> str:
    """Return what is equal for a cell and the same one renumbered, which keeps its prefix."""
    return f"{_prefix(cell)} {canonical_form(cell, with_id=False)}"


def _shape(cell: Cell) -> str:
    """Return the same with every ID in it left out: no renumbering, of whatever cell, changes anything in it."""
    return MENTION.sub("#", _anonymous(cell))


def _mention_alike(one: Cell, two: Cell) -> bool:
    """Whether two cells mention themselves in the same places: one that was renumbered does."""
    if one.id == two.id:
        return True
    mine, other = (MENTION.findall(canonical_form(cell, with_id=False)) for cell in (one, two))
    return [token == one.id for token in mine] == [token == two.id for token in other]


def _any(_one: Cell, _two: Cell) -> bool:
    return True


def _prefix(cell: Cell) -> str:
    return canonical(cell.id).partition("-")[0]


def _number(cell: Cell) -> Number | str:
    return _number_of(cell.id)


def _number_of(token: str) -> Number | str:
    """Return what must be unique of an ID: DEC-42 and DEC-0042 are one number."""
    return number(token) or token


class _Free:
    """Hands out IDs that nobody has."""

    def __init__(self, here: Iterable[str], elsewhere: Iterable[str]) -> None:
        self._here = set(here)
        self._used = self._here | set(elsewhere)
        self._largest: dict[str, int] = {}
        for token in self._used:
            found = number(token)
            if found:
                self._largest[found.prefix] = max(found.value, self._largest.get(found.prefix, 0))

    def give(self, cell: Cell, before: str) -> str:
        """Return ``before`` unless a text has it; else the next number, or a suffix made of the content."""
        given = before if before and before not in self._here else self._next_for(cell)
        self._here.add(given)
        self._used.add(given)
        return given

    def _next_for(self, cell: Cell) -> str:
        prefix = cell.id.partition("-")[0]
        if number(cell.id):
            self._largest[prefix] = self._largest.get(prefix, 0) + 1
            return f"{prefix}-{self._largest[prefix]:0{MIN_DIGITS}d}"
        return next(token for token in _derived(prefix, cell) if token not in self._used)


def _derived(prefix: str, cell: Cell) -> Iterator[str]:
    import hashlib

    seed = anonymous_digest(cell)
    while True:
        seed = hashlib.sha256(seed.encode()).hexdigest()
        yield f"{prefix}-{'abcdefghjkmnpqrs'[int(seed[0], 16)]}{seed[1:8]}"
