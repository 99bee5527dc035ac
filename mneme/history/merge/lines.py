"""Three-way merge of lines. What both sides changed at one place, and what a side must not change, others decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, NamedTuple


class Region(NamedTuple):
    """A conflict: whole lines, as the three texts have them."""

    base: str
    one: str
    two: str


Piece = str | Region
"""Merged text, or a conflict."""


class Hunk(NamedTuple):
    """Lines of the base, and what each side made of them; a side that left them has them as they were."""

    base: Sequence[str]
    one: Sequence[str]
    two: Sequence[str]


Decide = Callable[[Hunk], str | None]
"""Returns the merged text of a hunk, None when it stays a conflict."""


Kind = Callable[[str], str]
FREE = "comment"
"""The kind of lines that are never changed: the old one goes, and another one comes."""


class _Edit(NamedTuple):
    start: int
    end: int
    lines: Sequence[str]


def merge_lines(
    base: Sequence[str],
    one: Sequence[str],
    two: Sequence[str],
    decide: Decide,
    kind: Kind | None = None,
) -> list[Piece]:
    """Merge; every changed hunk is put to ``decide``. Changes that only touch each other both happen.

    Given the ``kind`` of each line, a line that became another of its kind is a hunk of its own.
    """
    pieces: list[Piece] = []
    at = 0
    for start, end, ones, twos in _clusters(_edits(base, one, kind), _edits(base, two, kind)):
        pieces.append("".join(base[at:start]))
        hunk = Hunk(base[start:end], _applied(base, start, end, ones), _applied(base, start, end, twos))
        merged = decide(hunk)
        pieces.append(Region(*("".join(lines) for lines in hunk)) if merged is None else merged)
        at = end
    pieces.append("".join(base[at:]))
    return joined(pieces)


def joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Return ``pieces`` without empty ones, neighbours of one kind put together."""
    found: list[Piece] = []
    for is_text, same in groupby((piece for piece in pieces if piece), key=lambda piece: isinstance(piece, str)):
        run = list(same)
        if is_text:
            found.append("".join(run))  # type: ignore[arg-type]
        else:
            found.append(Region(*("".join(parts) for parts in zip(*run, strict=True))))
    return found


def common(one: Sequence[str], two: Sequence[str]) -> list[str]:
    """Return lines that both have, in order: a base for two texts that have none."""
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    return [line for block in matcher.get_matching_blocks() for line in one[block.a : block.a + block.size]]


def _edits(base: Sequence[str], side: Sequence[str], kind: Kind | None) -> list[_Edit]:
    if kind is None:
        return [
            _Edit(start, end, side[first:last])
            for tag, start, end, first, last in _opcodes(base, side) if tag != "equal"
        ]  # fmt: skip
    found: list[_Edit] = []
    for tag, start, end, first, last in _opcodes(_words(base), _words(side)):
        old, new = base[start:end], side[first:last]
        if tag == "equal":  # but for blanks
            found += [_Edit(at, at + 1, [line]) for at, line in enumerate(new, start) if line != base[at]]
            continue
        for inner, one, two, three, four in _opcodes([kind(line) for line in old], [kind(line) for line in new]):
            if inner != "equal":
                found.append(_Edit(start + one, start + two, new[three:four]))
                continue
            for at, line in enumerate(new[three:four], start + one):
                if kind(line) == FREE:
                    found += [_Edit(at, at + 1, []), _Edit(at + 1, at + 1, [line])]
                else:
                    found.append(_Edit(at, at + 1, [line]))
    return found


def _opcodes(one: Sequence[Any], two: Sequence[Any]) -> Iterable[tuple[str, int, int, int, int]]:
    """Return the steps from one sequence to another. Long ones are compared in a rough way that stays fast."""
    return SequenceMatcher(None, one, two, autojunk=max(len(one), len(two)) > _LONG).get_opcodes()


def _words(lines: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(line.split()) for line in lines]


_LONG = 2000


def _clusters(ones: list[_Edit], twos: list[_Edit]) -> Iterator[tuple[int, int, list[_Edit], list[_Edit]]]:
    """Group edits that overlap: yields a span of the base with the edits of each side in it."""
    waiting = sorted([(edit, 0) for edit in ones] + [(edit, 1) for edit in twos], key=lambda entry: entry[0][:2])
    while waiting:
        (first, side) = waiting.pop(0)
        start, end = first.start, first.end
        sides: tuple[list[_Edit], list[_Edit]] = ([], [])
        sides[side].append(first)
        while waiting and _overlaps(start, end, waiting[0][0]):
            edit, side = waiting.pop(0)
            end = max(end, edit.end)
            sides[side].append(edit)
        yield start, end, *sides


def _overlaps(start: int, end: int, edit: _Edit) -> bool:
    """Whether ``edit``, which begins no earlier, changes lines of the span, or inserts where the span does."""
    return edit.start < end or (start == end == edit.start == edit.end)


def _applied(base: Sequence[str], start: int, end: int, edits: list[_Edit]) -> list[str]:
    lines: list[str] = []
    at = start
    for edit in edits:
        lines += base[at : edit.start]
        lines += edit.lines
        at = edit.end
    return lines + list(base[at:end])
