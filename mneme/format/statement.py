"""Running text made into what a cell says: one line that stands alone, and a body where that is not all."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from mneme.format.vocabulary import BLANKS

LONGEST_GIST = 120
"""A text of one line with at most so many characters is a gist as it stands."""

NOTHING_SAID = "(nothing)"
"""The gist of a text without a visible character."""

_CLAUSE_END = re.compile(r"[.!?;](?=[\s\"'”’)\]])|[。！？；]")
_SHORTEST_CLAUSE = 12
_LINE_END = re.compile("\r\n|\r|\n")


class Statement(NamedTuple):
    """A gist, and body lines: none, or the whole text."""

    gist: str
    body: tuple[str, ...]


def statement(text: str) -> Statement:
    """Return ``text`` as gist and body: short text is the gist; of other text the whole is the body.

    A line break is LF, CRLF or a lone CR; blank lines around the text, and blanks at the ends of lines, go.
    """
    lines = [line.rstrip(BLANKS) for line in _LINE_END.split(text)]
    while lines and not lines[0].strip(BLANKS):
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    seen = [line.strip(BLANKS) for line in lines if _is_seen(line)]
    if not seen:
        return Statement(NOTHING_SAID, tuple(lines))
    if len(lines) == 1 and len(seen[0]) <= LONGEST_GIST:
        return Statement(seen[0], ())
    return Statement(first_clause(seen[0]), tuple(lines))


def first_clause(line: str) -> str:
    """Return the beginning of a line up to where it may end: a full stop or the like, else a word, then ``…``."""
    if len(line) <= LONGEST_GIST:
        return line
    ends = [match.end() for match in _CLAUSE_END.finditer(line, _SHORTEST_CLAUSE, LONGEST_GIST + 1)]
    if ends and ends[0] <= LONGEST_GIST:
        return line[: ends[0]].rstrip(BLANKS)
    head = line[: LONGEST_GIST - 1]
    blank = max(head.rfind(char) for char in BLANKS)
    head = head[:blank].rstrip(BLANKS) if blank > LONGEST_GIST // 2 else _whole_letters(line, LONGEST_GIST - 1)
    return f"{head}…"


def _whole_letters(line: str, size: int) -> str:
    """Return the first ``size`` characters, or fewer, so that no letter loses its marks."""
    while size > LONGEST_GIST // 2 and unicodedata.category(line[size])[0] == "M":
        size -= 1
    return line[:size]


def _is_seen(line: str) -> bool:
    return any(char not in BLANKS and unicodedata.category(char) not in ("Cf", "Mn", "Cc") for char in line)


def escaped(text: str) -> str:
    r"""Return ``text`` with what a memory file may not hold as ``\x00`` or ``\u2028``: controls, lone surrogates.

    Tabs and line ends stay.
    """
    return _UNFIT.sub(_escape, text)


_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
