"""What goes into a projection when not everything fits, and how the rest is named.

The order depends on the cells alone, never on use or on today's date: the same text gives the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mneme.format.entry import DELIMITER, ITEM_LIMIT, Entry, used_bytes, worth
from mneme.format.ids import is_id
from mneme.text.lazy import lazy

GAP = len(DELIMITER.encode("utf-8"))
"""Bytes between two entries."""

_NOTE_ROOM = 200
"""Bytes that the last line may take."""

_NOTE = lazy(r"\[mneme\] \d+ left out at the limit of \d+ bytes(?:: [^§\n]+)?; mneme recall WORDS finds them\Z")


class Packed(NamedTuple):
    """The entries that fit and those that do not, each in their given order."""

    kept: list[Entry]
    left_out: list[Entry]


class Filled(NamedTuple):
    """The texts of a projection in order, with the line that names what was left out; and the entries behind them."""

    texts: list[str]
    kept: list[Entry]
    left_out: list[Entry]


def pack(entries: Sequence[Entry], limit: int, *, taken: int = 0, gap: int = GAP, most: int | None = None) -> Packed:
    """Return which of ``entries`` fit into ``limit`` bytes, those worth most first; a smaller one may follow a miss.

    Args:
        entries: in the order they are to stand in; that order is kept.
        limit: bytes of all, with ``gap`` bytes between two of them; exactly at the limit is allowed.
        taken: bytes that are used already, with the gap behind them.
        gap: bytes between two entries.
        most: how many entries at most.
    """
    used = taken
    chosen: set[int] = set()
    for index in sorted(range(len(entries)), key=lambda index: (worth(entries[index]), index)):
        size = entries[index].size
        more = size + (gap if chosen else 0)
        if size <= ITEM_LIMIT and used + more <= limit and (most is None or len(chosen) < most):
            used += more
            chosen.add(index)
    kept = [entry for index, entry in enumerate(entries) if index in chosen]
    return Packed(kept, [entry for index, entry in enumerate(entries) if index not in chosen])


def fill(entries: Sequence[Entry], limit: int, *, taken: int = 0) -> Filled:
    """Return the texts of a projection of at most ``limit`` bytes, ``taken`` of which are used already.

    When something is left out, the last text names it, if there is room for such a line.
    """
    packed = pack(entries, limit, taken=taken)
    if packed.left_out:
        room = min(_NOTE_ROOM, max(0, limit - taken))
        again = pack(entries, limit - room - GAP, taken=taken)
        note = note_of(again.left_out, limit, room)
        if note:
            return Filled([*(entry.text for entry in again.kept), note], again.kept, again.left_out)
    return Filled([entry.text for entry in packed.kept], packed.kept, packed.left_out)


def note_of(left_out: Sequence[Entry], limit: int, room: int) -> str:
    """Return the line that says what was left out, those worth most by name; at most ``room`` bytes, else empty."""
    names = [entry.id for entry in sorted(left_out, key=worth) if is_id(entry.id)]
    head = f"[mneme] {len(left_out)} left out at the limit of {limit} bytes"
    tail = "; mneme recall WORDS finds them"
    best = f"{head}{tail}"
    for count in range(1, len(names) + 1):
        rest = len(left_out) - count
        named = f"{head}: {', '.join(names[:count])}{f' and {rest} more' if rest else ''}{tail}"
        if used_bytes([named]) > room:
            break
        best = named
    return best if used_bytes([best]) <= room else ""


def is_note(text: str) -> bool:
    """Whether ``text`` is a line that :func:`note_of` makes."""
    return _NOTE.match(text) is not None
