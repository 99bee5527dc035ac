"""What an unrecognised line was probably meant to begin with."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

from mneme.format import ids
from mneme.format.vocabulary import BLANKS, LINE_KEYS

_FULL_WIDTH = {"\uff20": "@", "\uff1e": ">", "\uff03": "#"}


@lru_cache(maxsize=4096)
def slip(line: str) -> str:
    """Return the line head that was probably meant by an unrecognised ``line``, or nothing.

    ``@``, ``>`` or ``#`` for their full-width forms or when indented; a key for wrong case, a colon, a near miss.
    """
    bare = line.lstrip(BLANKS)
    if not bare:
        return ""
    if bare[0] in _FULL_WIDTH:
        return _FULL_WIDTH[bare[0]]
    if bare[0] in ">#" and bare != line:
        return bare[0]
    if bare[0] == "@" and bare != line and ids.ID.match(bare[1:].lstrip(BLANKS)):
        return "@"
    word = re.split(f"[{BLANKS}:\uff1a]", bare, maxsplit=1)[0]
    glued = bare[len(word) : len(word) + 1] in (":", "\uff1a")
    folded = word.casefold()
    if folded in LINE_KEYS:
        return folded
    if glued and folded not in LINE_KEYS and len(folded) < 3:
        return ""
    near = difflib.get_close_matches(folded, LINE_KEYS, 1, 0.75)
    return near[0] if near and len(word) <= 8 and len(word) > 2 else ""
