"""Suppression comments: ``# mneme: ignore[code]`` above a cell, ``# mneme: ignore-file[code]`` before the first."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from mneme.format.edits import end_of_content
from mneme.format.model import Document
from mneme.text.lazy import lazy

_LINE = r"(?:^|(?<=\A\ufeff))"
"""The beginning of a line; a byte order mark before the first is no part of it."""

_COMMENT = lazy(_LINE + r"#[ \t]*mneme:[ \t]*(ignore|ignore-file)[ \t]*\[([^\]\n]*)\][^\n]*", re.MULTILINE)
_MEANT = lazy(_LINE + r"#[ \t]*mneme[ \t]*[:\uff1a][ \t]*([A-Za-z_-]+)([^\n]*)", re.MULTILINE | re.IGNORECASE)
_TOKEN = lazy(r"[A-Za-z0-9-]+")
MARK = "mneme:"


class Suppression(NamedTuple):
    """One comment: what it names, where it stands, and the index of the cell it covers (None: the whole file)."""

    tokens: tuple[str, ...]
    start: int
    end: int
    cell: int | None


def suppressions(document: Document) -> list[Suppression]:
    """Return the suppression comments of ``document`` that stand where they have an effect."""
    if MARK not in document.text:
        return []
    found = []
    place_of = _Where(document)
    for match in _COMMENT.finditer(document.text):
        tokens = tuple(token for part in match[2].split(",") if (token := part.strip()))
        index, inside = place_of(match.start())
        if index is None:
            cell = 0 if match[1] == "ignore" else None
        elif inside or match[1] != "ignore":
            continue  # a comment inside a cell, not above one
        else:
            cell = index + 1
        if cell is None or cell < len(document.cells):
            found.append(Suppression(tokens, match.start(), match.end(), cell))
    return found


class _Where:
    """Where in a document an offset is. Remembered cell by cell: thousands of comments may stand in a large one."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ends: dict[int, int] = {}

    def __call__(self, offset: int) -> tuple[int | None, bool]:
        """Return the index of the cell at ``offset``, and whether that is before the end of the cell's content."""
        starts = self._document.starts
        index = bisect_right(starts, offset) - 1
        if index < 0:
            return None, False
        if index not in self._ends:
            self._ends[index] = starts[index] + end_of_content(self._document.cells[index])
        return index, offset < self._ends[index]


class Misplaced(NamedTuple):
    """A comment that was meant to suppress something and does not: where it stands, why, and what to write."""

    start: int
    end: int
    cell: int | None
    message: str
    hint: str


def misplaced(document: Document) -> list[Misplaced]:
    """Return the comments that look like suppressions and have no effect, whatever they name."""
    text = document.text
    if not (MARK in text or "mneme\uff1a" in text or "Mneme" in text) or not _MEANT.search(text):
        return []
    from mneme.lint.rules import RULES

    known = {name for rule in RULES for name in (rule.code, rule.name)}
    effective = {comment.start for comment in suppressions(document)}
    found = []
    place_of = _Where(document)
    for match in _MEANT.finditer(text):
        if match.start() in effective or not _is_meant(match[1], match[2]):
            continue
        cell, inside = place_of(match.start())
        names = ", ".join([token for token in _TOKEN.findall(match[2]) if token in known]) or "RULE"
        whole_file = "file" in match[1].casefold()
        write = f"# mneme: ignore{'-file' if whole_file else ''}[{names}]"
        if not _COMMENT.match(match[0]):
            message, hint = "a suppression that is not understood, so nothing is suppressed", f"write: {write}"
        elif whole_file:
            message = "a suppression for the whole file that stands behind its first header, so nothing is suppressed"
            hint = f"write it before the first cell: {write}"
        elif inside:
            message = "a suppression inside of a cell, so nothing is suppressed"
            hint = f"write it in a line above the cell: {write}"
        else:
            message, hint = "a suppression with no cell below it", "write it in a line above the cell"
        end = match.start() + len(match[0].rstrip(" \t\r"))
        found.append(Misplaced(match.start(), end, cell, message, hint))
    return found


def _is_meant(word: str, rest: str) -> bool:
    """Whether ``# mneme: WORD REST`` is a suppression gone wrong, and no prose."""
    plain = word.casefold().replace("_", "-")
    if plain in ("ignore", "ignore-file"):
        return True
    import difflib

    near = difflib.get_close_matches(plain, ("ignore", "ignore-file"), 1, 0.75)
    return bool(near) and rest.lstrip(" \t")[:1] in ("[", "(", "\u3010", "\uff3b")


def comment_for(codes: list[str]) -> str:
    """Return the comment line that suppresses ``codes``, without a line end."""
    return f"# mneme: ignore[{', '.join(codes)}]"
