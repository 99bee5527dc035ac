"""What a mention of a number means that two cells took before they met: who wrote the line tells.

One cell keeps the number, the other was moved to a new one. Git merges file by file, so lines of files that it did not
have to merge by cell still say the old number, and would now mean the cell that keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from mneme.format.model import Cell, Document, Placed
from mneme.history.content import content_key
from mneme.history.notes import may_hold_notes
from mneme.text.lazy import lazy

MENTION = lazy(r"(?<![A-Za-z0-9_-])[A-Z][A-Z0-9]*-[a-z0-9]+(?![A-Za-z0-9_-])")
"""An ID in any text."""

Having = Callable[[str], Sequence[Cell]]
"""One earlier state: the cells that it has under an ID."""


class Meaning(Enum):
    """Which cell a line means."""

    KEEPER = auto()
    MOVED = auto()
    UNCLEAR = auto()


class Mention(NamedTuple):
    """A place in a line where an ID stands: ``start`` and ``end`` count from the cell's first character."""

    start: int
    end: int
    line: str


def masked(cell: Cell) -> str:
    """Return what is equal for two cells that say the same, whatever IDs they have and name."""
    return MENTION.sub("\0", content_key(cell))


def mentions(cell: Cell, cell_id: str) -> Iterator[Mention]:
    """Yield where ``cell`` names an ID: in its links, its text and its comments, not in its header or in a note."""
    at = cell.text.find("\n") + 1 or len(cell.text)
    if cell_id not in cell.text[at:]:
        return
    for line in cell.text[at:].split("\n"):
        if cell_id in line and not may_hold_notes(line):
            for match in MENTION.finditer(line):
                if match[0] == cell_id:
                    yield Mention(at + match.start(), at + match.end(), line.removesuffix("\r"))
        at += len(line) + 1


class Meanings:
    """Tells the mentions of ``old`` apart by the states that had the one cell under it, and those that had the other.

    A state that has both cells already, under both numbers, is a result and no witness.
    """

    def __init__(self, states: Iterable[Having], keeper: Cell, moved: Cell) -> None:
        self._old, self._new = keeper.id, moved.id
        self._keeping: list[Having] = []
        self._moving: list[Having] = []
        one, other = masked(keeper), masked(moved)
        for having in states:
            said = {masked(cell) for cell in having(self._old)}
            if said == {one} and other not in {masked(cell) for cell in having(self._new)}:
                self._keeping.append(having)
            elif said == {other}:
                self._moving.append(having)

    @property
    def known(self) -> bool:
        """Whether there is a state that had the moved cell under the old number."""
        return bool(self._moving)

    def of(self, cell: Cell, line: str) -> Meaning:
        """Return what a line of ``cell`` means by the old number."""
        if self._wrote(self._keeping, cell, line):
            return Meaning.KEEPER
        return Meaning.MOVED if self._wrote(self._moving, cell, line) else Meaning.UNCLEAR

    def _wrote(self, states: Iterable[Having], cell: Cell, line: str) -> bool:
        names = {cell.id, self._old} if cell.id == self._new else {cell.id}
        return any(
            line == own.removesuffix("\r")
            for having in states
            for name in names
            for known in having(name)
            for own in known.text.split("\n")
        )


def left_behind(documents: Iterable[Document], meanings: Meanings, old_id: str) -> Iterator[tuple[Placed, Mention]]:
    """Yield the mentions of ``old_id`` that mean the cell which was moved."""
    if not meanings.known:
        return
    for document in documents:
        if old_id in document.text:
            for place in document.placed:
                for mention in mentions(place.cell, old_id):
                    if meanings.of(place.cell, mention.line) is Meaning.MOVED:
                        yield place, mention
