"""Three-way merge of single values, and of the one that a whole text has: its line end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

Texts = tuple[str, str, str]


def one_newline(base: str, one: str, two: str) -> Texts:
    """Return the texts with one kind of line end, where a side changed all of them to another kind."""
    texts = base, one, two
    kinds = [_newlines(text) or None for text in texts]
    if len(set(kinds)) == 1 or any("\r\r\n" in text for text in texts):
        return base, one, two
    wanted = three_way(kinds[0], kinds[1], kinds[2], choose=min)
    if wanted not in ("\n", "\r\n"):
        return base, one, two
    return _with_newline(base, wanted), _with_newline(one, wanted), _with_newline(two, wanted)


def _with_newline(text: str, newline: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", newline)


def _newlines(text: str) -> str:
    """Return the one line end of ``text``; nothing when it has none, both when it mixes them."""
    count = text.count("\n")
    crlf = text.count("\r\n") if "\r" in text else 0
    return "" if not count else "\n" if not crlf else "\r\n" if crlf == count else "\n\r\n"


def three_way(
    base: Value | None, one: Value | None, two: Value | None, *, choose: Callable[[Value, Value], Value]
) -> Value | None:
    """Merge three values, of which None says nothing: what a side changed; ``choose`` decides between two changes."""
    if one is None or two is None or one == two:
        return two if one is None else one
    if one == base:
        return two
    return one if two == base else choose(one, two)
