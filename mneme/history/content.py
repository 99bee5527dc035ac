"""What a cell says, field by field: the part that never changes, and the repairs that may touch it all the same."""

from __future__ import annotations

import unicodedata

from mneme.format.dates import parse_date
from mneme.format.digest import canonical_form
from mneme.format.model import Cell

CONTENT = ("topic", "gist", "since", "cue", "body", "origin")
"""The fields whose value never changes, besides the ID."""

_EXPECTED = frozenset({"topic", "gist", "since", "cue"})
"""Fields that are required or recommended: filling one in repairs the cell."""

_UNREAD = frozenset({"key-slip", "unknown-line", "indented-key", "full-width-mark"})
"""What the parser calls lines that no reader took in."""


def content(cell: Cell, name: str) -> tuple[str, ...]:
    """Return the values of a content field, in normalisation form C: none, one, or for a list any number.

    All fields of two cells are equal exactly when their ID-less digests are.
    """
    if name == "cue":
        values = cell.cues
    elif name in ("body", "origin"):
        values = getattr(cell, name)
    else:
        value = getattr(cell, name)
        values = (value,) if value else ()
    return values if cell.text.isascii() else tuple([unicodedata.normalize("NFC", value) for value in values])


def content_key(cell: Cell) -> str:
    """Return what is equal for two cells exactly when they say the same, whatever their IDs."""
    return canonical_form(cell, with_id=False)


def is_repair(old: Cell, name: str, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether a changed content field could not be read before: then the change is a repair, not an edit.

    A field that a cell should have and did not (gist, since, topic, cue); a ``since`` that was no date; one of two
    values that contradicted each other; and lines that stood in the cell and that no reader took in (a slip of the key,
    a lost ``>``).
    """
    if name in _EXPECTED and not before:
        return True
    if name == "since" and not (before and parse_date(before[0])):
        return True
    odd = old.oddities
    if not odd:
        return False
    if any(oddity.name == "duplicate-field" and oddity.detail == name for oddity in odd):
        return after in {(old.text[field.start : field.end],) for field in old.fields if field.name == name}
    if any(oddity.name == "conflict-marker" for oddity in odd) and set(after) <= set(before):
        return True
    unread = "\n".join([_line(old.text, oddity.start) for oddity in odd if oddity.name in _UNREAD])
    return bool(unread) and _grown(before, after, unread)


def _grown(before: tuple[str, ...], after: tuple[str, ...], unread: str) -> bool:
    """Whether ``after`` is ``before`` with lines put in that stood in ``unread``."""
    left = list(before)
    for value in after:
        if left and left[0] == value:
            left.pop(0)
        elif not value or value not in unread:
            return False
    return not left


def _line(text: str, offset: int) -> str:
    end = text.find("\n", offset)
    return unicodedata.normalize("NFC", text[text.rfind("\n", 0, offset) + 1 : len(text) if end < 0 else end])
