"""Cue lines: how their text splits into cues."""

from __future__ import annotations

import re

from mneme.format.vocabulary import BLANKS
from mneme.text.lazy import lazy


def split_cues(text: str) -> list[str]:
    """Split a cue line: at commas and at slashes between blanks; when there are none, at every slash.

    The ends of the text count as blanks, so ``a/b /`` is the one cue ``a/b``.
    """
    spaced = text.count(" / ")
    if spaced and spaced == text.count("/") and not _COMMA.search(text):  # the usual form, fast
        parts = text.split(" / ")
    else:
        parts = _BREAK.split(text)
        if len(parts) == 1:
            parts = text.split("/")
    return [stripped for part in parts if (stripped := part.strip(BLANKS))]


_COMMA = re.compile("[,\uff0c\u3001]")
_BREAK = lazy(f"[,\uff0c\u3001]|(?<![^{BLANKS}])/(?![^{BLANKS}])")
