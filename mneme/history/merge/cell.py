"""One cell in three texts. State is settled first and written into all three; then the lines are merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mneme.errors import EditError
from mneme.format.edits import is_blank, link_key, set_field
from mneme.format.grammar import the_grammar
from mneme.format.model import Cell, Field, Placed
from mneme.format.parser import parse, parse_cell
from mneme.format.vocabulary import BLANKS, PAIR_KEYS
from mneme.history.merge.content import differing, links_kept, violated
from mneme.history.merge.items import Item, split_lines
from mneme.history.merge.lines import Hunk, Piece, Region, common, merge_lines
from mneme.history.merge.state import FIELDS, Settled, broken, settle
from mneme.text.patch import Patch, apply


class MergedCell(NamedTuple):
    """The merged text with its conflicts, and which changes of state gave way to others."""

    pieces: list[Piece]
    overruled: tuple[str, ...] = ()


def merge_cell(base: Item | None, one: Item, two: Item) -> MergedCell:
    """Merge one cell. ``base`` is None when both sides added it. Swapping the sides swaps those of conflicts."""
    if one.text == two.text:
        return MergedCell([one.text])
    cells = _cell(one), _cell(two)
    before = _cell(base) if base else None
    edited = _edited(before, *cells)
    if base is not None and not any(edited):
        if one.text == base.text:
            return MergedCell([two.text])
        if two.text == base.text:
            return MergedCell([one.text])
    settled = settle(before.status if before else None, cells[0].status, cells[1].status)
    if before is not None and settled.broken:
        edited = tuple(
            kinds | ({"pairs"} if broken(before.status, cell.status) else set())
            for kinds, cell in zip(edited, cells, strict=True)
        )
    try:
        mine, theirs = (split_lines(_with_state(item, settled)) for item in (one, two))
        old = split_lines(_with_state(base, settled)) if base else common(mine, theirs)
    except EditError:  # two values for one field
        mine, theirs = split_lines(one.text), split_lines(two.text)
        old = split_lines(base.text) if base else common(mine, theirs)
        if cells[0].status != cells[1].status:
            edited = tuple(kinds | {"pairs"} for kinds in edited)
    kinds = _Kinds((base, one, two), (old, mine, theirs))
    pieces = merge_lines(old, mine, theirs, _Decider(kinds, edited), kinds.of)
    if any(isinstance(piece, Region) for piece in pieces):
        return MergedCell(pieces, settled.overruled)
    text = _without_surplus("".join(piece for piece in pieces if isinstance(piece, str)), mine, theirs, kinds)
    if any(edited) or not _holds(text, before, *cells, settled):
        return MergedCell([Region(base.text if base else "", one.text, two.text)])
    return MergedCell([text], settled.overruled)


def _cell(item: Item) -> Cell:
    return parse_cell(item.text[item.head :])


def _edited(before: Cell | None, one: Cell, two: Cell) -> tuple[frozenset[str], ...]:
    """Return for each side the kinds of lines that it must not have changed as it did."""
    if before is None:
        both = differing(one, two)
        return both, both
    edits = violated(before, one), violated(before, two)
    if any(edits):
        agreed = _CONTENT - differing(one, two)  # what both made the same of a line needs no decision
        if links_kept(one.links, two.links) and links_kept(two.links, one.links):
            agreed |= {"link"}
        edits = edits[0] - agreed, edits[1] - agreed
    return edits


# --- state --------------------------------------------------------------------------------------------


def _with_state(item: Item, settled: Settled) -> str:
    """Return the item's text with the settled state in it; what a side broke stays as that side has it."""
    text = item.text[item.head :]
    for name in FIELDS:
        if name in settled.broken:
            continue
        document = parse(text)
        place = document.placed[0]
        want, have = getattr(settled.status, name), getattr(place.cell.status, name)
        if want == have:
            continue
        text = apply(text, set_field(place, name, want) if want else _without_field(place, name))
    return item.text[: item.head] + text


def _without_field(place: Placed, name: str) -> list[Patch]:
    """Take every ``name`` and its value off the state lines; a line that holds nothing else goes."""
    text = place.cell.text
    patches = []
    for field in place.cell.fields:
        if field.name != name:
            continue
        key = field.line + len(text[field.line : field.start].rstrip(BLANKS)) - len(name)
        if text[field.line : key].strip(BLANKS):
            patches.append(Patch(field.line + len(text[field.line : key].rstrip(BLANKS)), field.end, ""))
        elif rest := _next_pair(place.cell, field):
            patches.append(Patch(key, rest, ""))
        else:
            patches.append(Patch(field.line, text.find("\n", field.end) + 1, ""))
    return patches


def _next_pair(cell: Cell, field: Field) -> int:
    """Return where the key of the next pair on the line begins; 0 when there is none."""
    for other in cell.fields:
        if other.line == field.line and other.start > field.start and other.name in PAIR_KEYS:
            return other.line + len(cell.text[other.line : other.start].rstrip(BLANKS)) - len(other.name)
    return 0


# --- lines --------------------------------------------------------------------------------------------


class _Kinds:
    """What the lines of the three texts are: the grammar's names without strict and odd, in lower case."""

    def __init__(self, items: Sequence[Item | None], texts: Sequence[Sequence[str]]) -> None:
        self._known: dict[str, str] = {}
        grammar = the_grammar()
        for item, lines in zip(items, texts, strict=True):
            if item is None:
                continue
            text = "".join(lines)[item.head :]
            matches = list(grammar.line.finditer(text))
            plan = grammar.plan(tuple([match.lastgroup for match in matches]), text)
            for match, kind in zip(matches, plan, strict=True):
                self._known[match[0]] = kind.removesuffix("_ODD").lower()

    def of(self, line: str) -> str:
        """Return the kind of ``line``."""
        return self._known.get(line) or ("blank" if is_blank(line) else "comment")

    def among(self, lines: Sequence[str]) -> set[str]:
        """Return the kinds of ``lines``."""
        return {self.of(line) for line in lines}


class _Decider:
    """Decides about changed lines of one cell."""

    def __init__(self, kinds: _Kinds, edited: Sequence[frozenset[str]]) -> None:
        self._kinds = kinds
        self._edited = edited

    def __call__(self, hunk: Hunk) -> str | None:
        base, one, two = hunk
        if one == two:
            return "".join(one)
        kinds = self._kinds.among([*base, *one, *two])
        if base in (one, two):
            side = 0 if two == base else 1
            return None if kinds & self._edited[side] else "".join(hunk[1 + side])
        if kinds & (self._edited[0] | self._edited[1]):
            return None
        if base and kinds == {"link"}:
            return _links(base, one, two)
        if base and kinds == {"ref"}:
            return _references(base, one, two)
        if kinds <= _ADDED:
            mine = [line for line in one if line not in base or line in two]
            return _woven(mine, [line for line in two if line not in base or line in one], self._kinds)
        if [line.split() for line in one] == [line.split() for line in two]:
            return min("".join(one), "".join(two))
        return None


_ADDED = frozenset({"comment", "blank", "link", "ref"})
"""Kinds of lines of which any number may stand in a cell."""


def _woven(one: Sequence[str], two: Sequence[str], kinds: _Kinds) -> str:
    """Return the lines of both, common ones once, in an order that does not depend on which is which."""
    known: dict[tuple[str, ...], _Unit] = {}
    tails: list[list[str]] = []
    for side in (one, two):
        units, tail = _units(side, kinds)
        tails.append(tail)
        for unit in units:
            words = tuple(unit.line.split())
            same = known.get(words, unit)
            known[words] = _Unit("".join(sorted({same.above, unit.above})), min(same.line, unit.line))
    placed = {line for unit in known.values() for line in split_lines(unit.above)}
    mine, other = ([line for line in tail if line not in placed] for tail in tails)
    return "".join(f"{unit.above}{unit.line}" for _, unit in sorted(known.items())) + _both(mine, other)


class _Unit(NamedTuple):
    """A line and the comments above it."""

    above: str
    line: str


def _units(lines: Sequence[str], kinds: _Kinds) -> tuple[list[_Unit], list[str]]:
    """Return the lines with the comments above each, and the comments that stand above nothing."""
    units: list[_Unit] = []
    waiting: list[str] = []
    for line in lines:
        waiting.append(line)
        if kinds.of(line) not in ("comment", "blank"):
            units.append(_Unit("".join(waiting[:-1]), line))
            waiting = []
    return units, waiting


def _both(one: list[str], two: list[str]) -> str:
    """Return the comments of both, those that are equal once."""
    shared = common(*sorted((one, two)))
    pieces = merge_lines(shared, one, two, lambda hunk: "".join(sorted({"".join(hunk.one), "".join(hunk.two)})))
    return "".join(piece for piece in pieces if isinstance(piece, str))


def _links(base: Sequence[str], one: Sequence[str], two: Sequence[str]) -> str:
    """Merge link lines as a set: each link once, with the weight that was changed, the greater of two."""
    old, ones, twos = (_by_link(lines) for lines in (base, one, two))
    kept = [key for key in old if key in ones or key in twos]
    new = sorted({key for key in (*ones, *twos) if key not in old}, key=repr)
    lines = []
    for key in kept + new:
        found = [line for line in (ones.get(key), twos.get(key)) if line and line != old.get(key)]
        lines.append(max(found, key=_weight) if found else old[key])
    return "".join(lines)


def _by_link(lines: Sequence[str]) -> dict[tuple[object, ...], str]:
    found: dict[tuple[object, ...], str] = {}
    for line in lines:
        links = parse_cell(f"@ X-1\n{line}").links
        found[link_key(links[0]) if links else (line,)] = line
    return found


def _weight(line: str) -> tuple[float, str]:
    links = parse_cell(f"@ X-1\n{line}").links
    text = dict(links[0].attributes).get("weight", "") if links else ""
    try:
        return float(text), line
    except ValueError:
        return -1.0, line


def _references(base: Sequence[str], one: Sequence[str], two: Sequence[str]) -> str | None:
    """Merge reference lines as a set: what a side added is there, what a side took away is gone."""
    old, ones, twos = ([word for line in lines for word in line.split()[1:]] for lines in (base, one, two))
    kept = [word for word in old if word in ones and word in twos]
    new = sorted(word for word in {*ones, *twos} if word not in old)
    shape = min((*one, *two), default="")
    if not kept + new or not shape:
        return ""
    end = shape[len(shape.rstrip("\r\n")) :]
    return f"ref   {' '.join(dict.fromkeys(kept + new))}{end}"


def _without_surplus(text: str, one: Sequence[str], two: Sequence[str], kinds: _Kinds) -> str:
    """Drop lines that both sides put at places next to each other, so that they came twice."""
    most = Counter(map(_words, one)) | Counter(map(_words, two))
    lines = []
    for line in split_lines(text):
        words = _words(line)
        if words in most and kinds.of(line) in _ADDED and words:
            most[words] -= 1
            if most[words] < 0:
                continue
        lines.append(line)
    return "".join(lines)


def _words(line: str) -> tuple[str, ...]:
    return tuple(line.split())


# --- after the merge ----------------------------------------------------------------------------------


def _holds(text: str, before: Cell | None, one: Cell, two: Cell, settled: Settled) -> bool:
    """Whether a merged text says what it must: one cell, the settled state, every link and the content."""
    document = parse(text)
    if len(document.cells) != 1 or document.strays:
        return False
    cell = document.cells[0]
    if cell.id != one.id or cell.status._replace(refs=()) != settled.status:
        return False
    if not (links_kept(one.links, cell.links) and links_kept(two.links, cell.links)):
        return False
    twice = [sum(oddity.name == "duplicate-field" for oddity in one_cell.oddities) for one_cell in (cell, one, two)]
    if twice[0] > max(twice[1:]):
        return False
    if before is None:
        return not differing(cell, one)
    mine = differing(before, one)
    return all(kind not in differing(cell, one if kind in mine else two) for kind in _CONTENT)


_CONTENT = frozenset({"header", "gist", "pairs", "cue", "body", "origin"})
