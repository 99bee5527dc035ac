"""Comments in a cell that tell what a command did to it, for guard and history to read.

``# mneme: redacted[gist, body] m1:DIGEST REASON``: the fields hold ``[redacted]``, and DIGEST is the content digest the
cell had before. ``# mneme: renumbered[DEC-0042] a1:DIGEST REASON``: the cell was DEC-0042, and DIGEST is its ID-less
digest. They stand below the cell's header and stay there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mneme.format.digest import ANONYMOUS_TAG, CONTENT_TAG, content_digest
from mneme.format.model import Cell
from mneme.text.lazy import lazy

REDACTED = "[redacted]"

_NOTE = lazy(
    r"(?m)^#[ \t]*mneme:[ \t]*(redacted|renumbered)[ \t]*\[([^\]\r\n]*)\][ \t]*"
    rf"((?:{CONTENT_TAG}|{ANONYMOUS_TAG}):[0-9a-f]{{64}})"
)
_MARKS = ("mneme: redacted", "mneme: renumbered")


class Note(NamedTuple):
    """What a comment says: ``redacted`` or ``renumbered``, the fields or the old IDs, and the digest from before."""

    what: str
    names: tuple[str, ...]
    digest: str


def notes(cell: Cell) -> Iterator[Note]:
    """Yield the notes in ``cell``, in order."""
    if "mneme:" in cell.text:
        for match in _NOTE.finditer(cell.text):
            yield Note(match[1], tuple([name for part in match[2].split(",") if (name := part.strip())]), match[3])


def is_redaction(old: Cell, new: Cell, name: str, values: tuple[str, ...]) -> bool:
    """Whether ``mneme redact`` blanked the field ``name`` of ``new``: it leaves the digest of what ``old`` was."""
    return set(values) == {REDACTED} and any(
        note.what == "redacted" and name in note.names and note.digest == content_digest(old) for note in notes(new)
    )


def may_hold_notes(text: str) -> bool:
    """Whether a text could hold a note: a quick look."""
    return any(mark in text for mark in _MARKS)


def note_line(note: Note, reason: str = "") -> str:
    """Return the comment line that says ``note``, without a line end."""
    return f"# mneme: {note.what}[{', '.join(note.names)}] {note.digest} {reason}".rstrip()
