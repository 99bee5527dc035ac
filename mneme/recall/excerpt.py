"""The piece of a text that a question is about (facts 7.10, brief form)."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from mneme.graph.tokens import words

DEFAULT_CHARACTERS = 240

QUERY_BYTES = 4096
QUERY_TERMS = 64
"""How much of a question is looked for."""

WIDEST = 4096
"""How many characters a window never exceeds, the marks of what is left out not counted."""

ELLIPSIS = "…"


class _Match(NamedTuple):
    start: int
    end: int


def excerpt(text: str, query: str, characters: int = DEFAULT_CHARACTERS) -> str:
    """Return at most ``characters`` (above 0) of ``text``, blanks collapsed, around what ``query`` asks for.

    Where something is left out stands ``…``. A text that holds nothing of the query is given from its beginning.
    """
    plain = " ".join(text.split())
    if len(plain) <= characters:
        return plain
    if characters <= 2:
        return plain[:characters]
    width = min(characters - 2, WIDEST)
    match = _densest(plain, terms(query), width)
    if match is None:
        return plain[: characters - 1] + ELLIPSIS
    begin, end = _window(plain, match, width)
    piece = plain[begin:end].strip()
    return (ELLIPSIS if begin else "") + piece + (ELLIPSIS if end < len(plain) else "")


def terms(query: str) -> list[str]:
    """Return the words of ``query`` that are looked for, each once, in the order in which they stand in it."""
    start = query.encode("utf-8", "replace")[:QUERY_BYTES].decode("utf-8", "ignore")
    return list(dict.fromkeys(words(start)))[:QUERY_TERMS]


def _lower(text: str) -> str:
    """Return ``text`` in lower case, every character still in its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _occurrences(lower: str, term: str) -> list[_Match]:
    """Return where ``term`` stands in ``lower``: as a word, or anywhere where words are not set apart by blanks."""
    found = []
    place = lower.find(term)
    while place >= 0:
        end = place + len(term)
        if not (_joined(lower, place) or _joined(lower, end)):
            found.append(_Match(place, end))
        place = lower.find(term, place + 1)
    return found


def _joined(text: str, place: int) -> bool:
    """Tell whether ``place`` is inside of a word of a script that sets words apart by blanks."""
    return 0 < place < len(text) and _in_word(text[place - 1]) and _in_word(text[place])


def _in_word(character: str) -> bool:
    if character.isascii():
        return character.isalnum()
    return unicodedata.category(character)[0] in "LMN" and not _unspaced(character)


def _unspaced(character: str) -> bool:
    """Tell whether the script writes no blanks between words: Thai, Lao, Myanmar, Khmer, Han, kana, hangul."""
    return character >= "\u2e80" or any(
        first <= character <= last for first, last in ("\u0e00\u0eff", "\u1000\u109f", "\u1780\u17ff")
    )


def _densest(plain: str, wanted: list[str], width: int) -> _Match | None:
    """Return the shortest span, within ``width``, that holds the most different terms; the earliest of equal ones."""
    lower = _lower(plain)
    matches = [
        (match, term) for term in wanted for match in _occurrences(lower, term) if match.end - match.start <= width
    ]
    following: dict[str, _Match] = {}
    best: tuple[int, int, int] | None = None
    for match, term in sorted(matches, reverse=True):
        following[term] = match
        ends = [one.end for one in following.values() if one.end - match.start <= width]
        rating = -len(ends), max(ends) - match.start, match.start
        best = rating if best is None or rating < best else best
    return None if best is None else _Match(best[2], best[2] + best[1])


def _window(plain: str, match: _Match, width: int) -> tuple[int, int]:
    """Return the part of ``plain`` to show: a third of the room before ``match``, cut where a word ends."""
    begin = max(0, match.start - (width - (match.end - match.start)) // 3)
    end = min(len(plain), begin + width)
    begin = max(0, min(begin, end - width))
    if begin and plain[begin - 1] != " ":
        blank = plain.find(" ", begin, match.start)
        begin = blank + 1 if blank >= 0 else _forward(plain, begin, match.start)
    if end < len(plain) and plain[end] != " ":
        blank = plain.rfind(" ", match.end, end)
        end = blank if blank >= 0 else _back(plain, end, match.end)
    return begin, end


def _forward(plain: str, place: int, last: int) -> int:
    while place < last and (unicodedata.combining(plain[place]) or _joined(plain, place)):
        place += 1
    return place


def _back(plain: str, place: int, first: int) -> int:
    while place > first and (unicodedata.combining(plain[place]) or _joined(plain, place)):
        place -= 1
    return place
