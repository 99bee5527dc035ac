"""Cue lines: how their text splits into cues."""

from __future__ import annotations

import re

from mneme.format.vocabulary import BLANKS


def split_cues(text: str) -> list[str]:
    """Split a cue line: at commas and at slashes between blanks; when there are none, at every slash."""
    if " / " in text and not _COMMAS.search(text):  # the usual form, fast
        parts = text.split(" / ")
        if "/ " not in text.replace(" / ", "") and "\t" not in text:
            return [stripped for part in parts if (stripped := part.strip(BLANKS))]
    parts = _CUE_BREAK.split(text)
    if len(parts) == 1:
        parts = text.split("/")
    return [stripped for part in parts if (stripped := part.strip(BLANKS))]


_COMMAS = re.compile("[,\uff0c\u3001]")
_CUE_BREAK = re.compile(f"[,\uff0c\u3001]|(?<=[{BLANKS}])/(?=[{BLANKS}])")
