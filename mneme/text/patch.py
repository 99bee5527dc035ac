"""Patches over text: the only way text is changed. Knows no format."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mneme.errors import EditError


class Patch(NamedTuple):
    """Replace ``text[start:end]`` by ``new``; offsets in characters, from 0; ``start == end`` inserts."""

    start: int
    end: int
    new: str


def apply(text: str, patches: Iterable[Patch]) -> str:
    """Return ``text`` with all ``patches`` applied at once; insertions at one place keep their given order.

    Raises:
        EditError: two patches overlap, or one lies outside the text.
    """
    parts: list[str] = []
    at = 0
    for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
        if not at <= patch.start <= patch.end <= len(text):
            raise EditError(f"two changes want the same place in the text (offset {patch.start})")
        parts += text[at : patch.start], patch.new
        at = patch.end
    parts.append(text[at:])
    return "".join(parts)


def shifted(patches: Iterable[Patch], by: int) -> list[Patch]:
    """Return ``patches`` moved ``by`` characters: from offsets inside a cell to offsets in its file."""
    return [Patch(start + by, end + by, new) for start, end, new in patches]
