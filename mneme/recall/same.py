"""Whether two texts say the same thing, or only nearly the same about something else.

Most words of "backups of staging" and "backups of production" are the same, and so they are in a sentence and its
denial. So no share of words tells: texts are the same when nothing that carries meaning is different. What is the same
in other words is not found; that costs a look, where the opposite would cost a memory.
"""

from __future__ import annotations

from itertools import chain

from mneme.graph.languages import ENGLISH, stem
from mneme.graph.words import STEMMED, plain, units
from mneme.text.lazy import lazy

_EMPTY = frozenset(("a", "an", "the", "is", "are", "be", "been", "being", "am", "this", "that", "these", "those", "it"))
"""English words that carry no meaning of their own. Not the past: what was need not be any more."""

_HAN_EMPTY = frozenset("的了是在就都也地得着")
"""Chinese ones. ``有`` is not among them: what there is matters."""

_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | dict(zip("零一二三四五六七八九两", "01234567892", strict=True))

_SHORT = {"n't": " not", "cannot": "can not", "'re": " are", "'s": " s", "%": " percent "}
_SHORTENED = lazy(r"n't\b|\bcannot\b|'re\b|%", 0)
_CLAUSES = lazy(r"[,;:，；：、。！？!?]+(?=\s|$|[^\x00-\x7f])|[.!?。！？]+(?=\s|$)|\n+")


def same(one: str, other: str) -> bool:
    """Return whether nothing that carries meaning parts two texts; clauses may change places."""
    here, there = essence(one), essence(other)
    return sorted(here) == sorted(there) or list(chain(*here)) == list(chain(*there))


def essence(text: str) -> list[tuple[str, ...]]:
    """Return the clauses of ``text``, each as the stems, numbers and characters that carry meaning."""
    written = plain(text).replace("“", '"').replace("”", '"').casefold()
    written = _SHORTENED.sub(lambda match: _SHORT[match[0]], written)
    clauses = [tuple(_matter(clause)) for clause in _CLAUSES.split(written)]
    return [clause for clause in clauses if clause]


def _matter(clause: str) -> list[str]:
    found: list[str] = []
    for unit in units(clause):
        if unit.kind == "pairs":
            found += [_NUMBERS.get(char, char) for char in unit.text if char not in _HAN_EMPTY]
        elif unit.kind == "word":
            if unit.text not in _EMPTY:
                found.append(_NUMBERS.get(unit.text) or stem(unit.text, ENGLISH))
        elif unit.kind == "code":
            found += _parts(unit.text, [token for token, _ in unit.tokens])
        else:
            found.append(unit.text)
    return found


def _parts(whole: str, tokens: list[str]) -> list[str]:
    """Return the words of a compound, so that ``rate-limit`` is ``rate limit`` and ``5MB`` is ``5 MB``."""
    words = [token[1:] if token[0] == STEMMED else token for token in tokens]
    parts = [word for word in words if word != whole and word.isalnum()]
    if "".join(parts) == "".join(char for char in whole if char.isalnum()):
        return [_NUMBERS.get(part) or stem(part, ENGLISH) for part in parts if part not in _EMPTY]
    return [whole]
