"""The marks of a conflict in a text, read back into the versions that they hold."""

from __future__ import annotations

import re
from typing import NamedTuple

from mneme.format.edits import newline_of
from mneme.format.parser import parse
from mneme.format.vocabulary import REQUIRED_FIELDS
from mneme.history.merge.items import split_lines
from mneme.history.merge.lines import common

_MARK = re.compile(r"(<{7,}|>{7,}|={7,}|\|{7,})(?: [^\n]*?)?\r?\n?\Z")


class Marked(NamedTuple):
    """One conflict: each version's lines; ``base`` is None where the marks do not show it."""

    base: list[str] | None
    ours: list[str]
    theirs: list[str]


def read_marks(text: str) -> list[str | Marked] | None:
    """Return common lines and conflicts, in order; None when the marks do not pair up."""
    parts: list[str | Marked] = []
    ours: list[str] | None = None
    base: list[str] | None = None
    theirs: list[str] | None = None
    for line in split_lines(text):
        mark = _mark(line)
        if mark == "<" and ours is None:
            ours, base, theirs = [], None, None
        elif mark == "|" and ours is not None and base is None and theirs is None:
            base = []
        elif mark == "=" and ours is not None and theirs is None:
            theirs = []
        elif mark == ">" and ours is not None and theirs is not None:
            parts.append(Marked(base, ours, theirs))
            ours = None
        elif mark in ("<", ">") or (mark == "|" and ours is None):
            return None
        elif ours is None:
            parts.append(line)
        elif theirs is not None:
            theirs.append(line)
        else:
            (ours if base is None else base).append(line)
    return None if ours is not None else parts


def _mark(line: str) -> str:
    match = _MARK.match(line) if line[:1] in "<>=|" else None
    return match[1][0] if match else ""


def has_marks(text: str) -> bool:
    """Whether there are conflicts in ``text``."""
    return any(isinstance(part, Marked) for part in read_marks(text) or [Marked(None, [], [])])


class Versions(NamedTuple):
    """Three texts; ``sure``: whether the base is known, or was put together from what both sides have."""

    base: str
    ours: str
    theirs: str
    sure: bool


def versions(parts: list[str | Marked]) -> Versions | None:
    """Return the three texts; None where it cannot be told whether one side took away or the other added."""
    base: list[str] = []
    ours: list[str] = []
    theirs: list[str] = []
    sure = True
    doubtful: list[int] = []
    for part in parts:
        if isinstance(part, str):
            base.append(part)
            ours.append(part)
            theirs.append(part)
            continue
        ours += part.ours
        theirs += part.theirs
        if part.base is None:
            if not part.ours or not part.theirs:
                return None
            sure = False
        if not part.base:
            doubtful.append(sum(map(len, base)))
        base += common(part.ours, part.theirs) if part.base is None else part.base
    return Versions(_whole_cells("".join(base), doubtful), "".join(ours), "".join(theirs), sure)


def _whole_cells(text: str, doubtful: list[int]) -> str:
    """Return ``text`` without cells of which only a part is there, around a place where the base shows nothing.

    Those are no cells of the base: lines that two new cells have in common stand outside of the marks.
    """
    document = parse(text)
    lost = [
        (start, start + len(cell.text))
        for cell, start in zip(document.cells, document.starts, strict=True)
        if any(start < place <= start + len(cell.text) for place in doubtful)
        and any(not (getattr(cell, name, "") or getattr(cell.status, name, "")) for name in REQUIRED_FIELDS)
    ]
    for start, end in reversed(lost):
        text = text[:start] + text[end:]
    return text


def plain(text: str) -> str:
    """Return ``text`` with nothing but the marks on the lines of marks: to compare two outcomes of one merge."""
    newline = newline_of(text)
    return "".join(f"{line[:7]}{newline}" if _mark(line) else line for line in split_lines(text))
