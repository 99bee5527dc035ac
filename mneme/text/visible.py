"""Text for a screen: nothing in it is hidden, whatever a file holds. Knows no format."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Printable by their category, and drawn as nothing: joiners, fillers, variation selectors."""


def code_point(char: str) -> str:
    """Return ``U+XXXX`` for ``char``."""
    return f"U+{ord(char):04X}"


def visible(text: str) -> str:
    """Return ``text`` with control, format, separator and other unseen characters as ``<U+XXXX>``; a tab as a blank."""
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "".join([_seen(char) for char in text])


def _seen(char: str) -> str:
    if char.isprintable() and not _UNSEEN.match(char):
        return char
    return " " if char == "\t" else f"<{code_point(char)}>"


def quote(text: str, longest: int = 60) -> str:
    """Return ``text`` in single quotes, made visible, cut to ``longest`` characters."""
    return f"'{visible(text if len(text) <= longest else text[: longest - 1] + '…')}'"


def width(text: str) -> int:
    """Return how many columns ``text`` takes on a terminal: a full-width character two, a mark or joiner none."""
    if text.isascii():
        return len(text)
    return sum([_columns(char) for char in text])


def _columns(char: str) -> int:
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 0 if unicodedata.category(char) in ("Mn", "Me", "Cf") else 1
