"""The model: cells as values. Nothing here changes after it is made.

A :class:`Cell` is the parse of one cell's text and knows nothing of the file around it: its spans count from its own
first character. So equal text is one object, wherever and whenever it is met. :class:`Document` places cells in a file.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from mneme.text.source import BOM, LineIndex


class Field(NamedTuple):
    """One field where it stands: ``text[start:end]`` is its value, ``line`` the offset its line begins at."""

    name: str
    line: int
    start: int
    end: int


class Link(NamedTuple):
    """A typed relation to another cell; ``attributes``: the key-value pairs after the ID, percent-encoded as found."""

    relation: str
    target: str
    attributes: tuple[tuple[str, str], ...] = ()


class Oddity(NamedTuple):
    """Something the format tolerates or refuses about a cell's syntax; ``name`` is the rule that speaks of it."""

    name: str
    start: int
    end: int
    detail: str = ""


class CellState(NamedTuple):
    """The part of a cell that edits change."""

    state: str = ""
    conf: str = ""
    seen: str = ""
    imp: str = ""
    hot: str = ""
    refs: tuple[str, ...] = ()


class Cell(NamedTuple):
    """One cell. Values are as written, blanks trimmed, unchecked; a missing field is the empty string.

    ``status`` is what edits may change, ``links`` may only grow, everything else is content and never changes.
    """

    text: str
    id: str
    topic: str
    gist: str
    since: str
    cue_lines: tuple[str, ...]
    body: tuple[str, ...]
    origin: tuple[str, ...]
    links: tuple[Link, ...]
    status: CellState
    oddities: tuple[Oddity, ...]

    @property
    def cues(self) -> tuple[str, ...]:
        """The recall cues of all cue lines, in order."""
        from mneme.format.cues import split_cues

        return tuple([cue for line in self.cue_lines for cue in split_cues(line)])

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field where it stands, in order. Not kept for long: only findings and edits ask for places."""
        from mneme.format.parser import locate

        return locate(self.text)

    def field(self, name: str) -> Field | None:
        """Return the field that counts: the last one called ``name``."""
        for entry in reversed(self.fields):
            if entry[0] == name:
                return entry
        return None

    def span(self, name: str) -> tuple[int, int]:
        """Return start and end of field ``name``, or of the head line when there is none."""
        found = self.field(name)
        return (found.start, found.end) if found else self.head

    @property
    def head(self) -> tuple[int, int]:
        """Start and end of the header line, without blanks and line end."""
        newline = self.text.find("\n")
        line = self.text if newline < 0 else self.text[:newline]
        return 0, len(line.rstrip(" \t\r"))

    @property
    def body_text(self) -> str:
        """The body, its lines joined by LF."""
        return "\n".join(self.body)


class Placed(NamedTuple):
    """A cell where it stands: ``start`` is the offset of its header in ``document.text``."""

    cell: Cell
    document: Document
    start: int


class Document:
    """One file's text and the cells in it, in order. ``document.text`` is the input, to the last character."""

    def __init__(
        self,
        text: str,
        cells: tuple[Cell, ...],
        starts: tuple[int, ...],
        strays: tuple[Oddity, ...],
        *,
        name: str = "<text>",
    ) -> None:
        self.text = text
        self.cells = cells
        self.starts = starts
        self.strays = strays
        """Oddities before the first cell; their offsets are offsets in the text."""
        self.name = name

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets to lines and columns."""
        return LineIndex(self.text)

    @property
    def placed(self) -> list[Placed]:
        """Every cell with its place."""
        return [Placed(cell, self, start) for cell, start in zip(self.cells, self.starts, strict=True)]

    @property
    def personal(self) -> bool:
        """Whether the file belongs to one person: ``*.local.mneme`` or the user's own file."""
        return self.name.endswith(".local.mneme") or self.name.replace("\\", "/").endswith(".mneme/user.mneme")

    @property
    def preamble_start(self) -> int:
        """Offset of the first character after a BOM."""
        return 1 if self.text.startswith(BOM) else 0

    def cell_at(self, offset: int) -> Placed | None:
        """Return the cell that the character at ``offset`` belongs to."""
        index = bisect_right(self.starts, offset) - 1
        return None if index < 0 else Placed(self.cells[index], self, self.starts[index])
