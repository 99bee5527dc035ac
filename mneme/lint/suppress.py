"""Suppression comments: ``# mneme: ignore[code]`` above a cell, ``# mneme: ignore-file[code]`` before the first."""

from __future__ import annotations

import re
from typing import NamedTuple

from mneme.format.edits import end_of_content
from mneme.format.model import Document
from mneme.text.lazy import lazy

_COMMENT = lazy(r"^#[ \t]*mneme:[ \t]*(ignore|ignore-file)[ \t]*\[([^\]\n]*)\][^\n]*", re.MULTILINE)
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
    for match in _COMMENT.finditer(document.text):
        tokens = tuple(token for part in match[2].split(",") if (token := part.strip()))
        place = document.cell_at(match.start())
        if place is None:
            cell = 0 if match[1] == "ignore" else None
        else:
            index = document.starts.index(place.start)
            if match.start() - place.start < end_of_content(place.cell) or match[1] != "ignore":
                continue  # a comment inside a cell, not above one
            cell = index + 1
        if cell is None or cell < len(document.cells):
            found.append(Suppression(tokens, match.start(), match.end(), cell))
    return found


def comment_for(codes: list[str]) -> str:
    """Return the comment line that suppresses ``codes``, without a line end."""
    return f"# mneme: ignore[{', '.join(codes)}]"
