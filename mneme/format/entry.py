"""Entries of hot memory: what one cell is in USER.md or MEMORY.md, and how bytes are counted there.

An entry is one line, ``[DEC-0042] gist``. Entries of a file are separated by a line that holds ``§`` alone. Whatever a
gist holds, its entry is text: it begins no heading, list or fence, imports no file, opens or closes no comment or mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from mneme.config import Config
from mneme.format.dates import parse_date
from mneme.format.model import Cell
from mneme.format.vocabulary import CONFIDENCES, DEFAULT_CONFIDENCE, IMPORTANCES, WORKING_STATES
from mneme.text.lazy import lazy
from mneme.text.unseen import unseen_in
from mneme.text.visible import code_point

USER, MEMORY, NONE = "user", "memory", "none"

MARK = "§"
"""What no entry holds: alone on a line it separates two of them."""

DELIMITER = f"\n{MARK}\n"
"""Between two entries: four bytes."""

ITEM_LIMIT = 8192
"""The bytes of one entry at most."""

NEARLY_FULL = 0.9
"""From this share of a limit on, people are warned."""

STALE = "(stale) "

_JS_WHITESPACE = "\t\n\x0b\x0c\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""What JavaScript's ``\\s`` and ``trim`` take for white space: with U+FEFF, without U+001C to U+001F and U+0085."""

_RUN = lazy(f"[{_JS_WHITESPACE}]+")
_MARKUP = lazy("<(?=[!/?])")
_COMMENT_END = lazy("--(!?)>")
_IMPORT = lazy(r"(?<!\w)@")
_LINE = lazy(r"\[(?P<id>[^\[\]\n]+)\] (?P<stale>\(stale\) )?(?P<gist>[^\n]*)\Z")


class Entry(NamedTuple):
    """One cell of hot memory: its line, and what decides whether it comes before another when room is short."""

    id: str
    text: str
    importance: int
    stale: bool
    certainty: int
    """0 for the highest confidence."""
    seen: date
    """When it was last confirmed; ``date.min`` when no date says so."""
    topic: str
    personal: bool

    @property
    def size(self) -> int:
        """Its length in UTF-8 bytes."""
        return len(self.text.encode("utf-8", "surrogatepass"))


class Line(NamedTuple):
    """What a line in the form of an entry says."""

    id: str
    stale: bool
    gist: str


def normalise(text: str) -> str:
    """Return ``text`` trimmed, each run of white space (as JavaScript has it) as one blank: an item is one line."""
    return _RUN.sub(" ", text).strip(" ")


def used_bytes(texts: Iterable[str]) -> int:
    """Return the UTF-8 bytes of ``texts`` joined by the delimiter, 0 for none; a final newline is not counted."""
    return len(DELIMITER.join(texts).encode("utf-8", "surrogatepass"))


def render(texts: Sequence[str]) -> str:
    """Return the file that holds ``texts``: joined by the delimiter, with one newline; an empty file for none."""
    return f"{DELIMITER.join(texts)}\n" if texts else ""


def inert(text: str) -> str:
    """Return ``text`` as one line in which nothing acts: what a host would follow stands as a character reference.

    ``§`` becomes ``&sect;``, an ``@`` that could begin an import ``&#64;``, the beginning of a comment, a closing tag
    or a declaration ``&lt;``, the end of a comment ``--&gt;``; what is drawn as nothing becomes ``<U+XXXX>``.
    """
    text = _shown(normalise(text))
    text = text.replace(MARK, "&sect;")
    text = _MARKUP.sub("&lt;", text)
    text = _COMMENT_END.sub(r"--\1&gt;", text)
    return _IMPORT.sub("&#64;", text)


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    at = 0
    for start, end in unseen_in(text):
        parts += text[at:start], *(f"<{code_point(char)}>" for char in text[start:end])
        at = end
    return "".join([*parts, text[at:]])


def entry_text(cell_id: str, gist: str, *, stale: bool = False) -> str:
    """Return the entry of a cell: ``[DEC-0042] gist``, or ``[DEC-0042] (stale) gist``."""
    return f"[{inert(cell_id)}] {STALE if stale else ''}{inert(gist)}"


def read_line(text: str) -> Line | None:
    """Return what ``text`` says when it has the form of an entry; its gist is as :func:`inert` makes it."""
    match = _LINE.match(text)
    return Line(match["id"], match["stale"] is not None, match["gist"]) if match else None


def target_of(cell_id: str, config: Config) -> str:
    """Return where cells of this ID go: ``user``, ``memory`` or ``none``; what nobody configured, PREF goes to USER."""
    prefix = cell_id.partition("-")[0]
    known = config.prefixes.get(prefix)
    if known is not None and known.projection:
        return known.projection
    return USER if prefix == "PREF" else MEMORY


def is_hot(cell: Cell) -> bool:
    """Whether a cell belongs to hot memory: live or stale, not kept out by ``hot no``, and with something to say."""
    return cell.status.state in WORKING_STATES and cell.status.hot != "no" and normalise(cell.gist) != ""


def entry(cell: Cell, *, personal: bool = False) -> Entry:
    """Return the entry of ``cell``."""
    status = cell.status
    stale = status.state == "stale"
    conf = status.conf or DEFAULT_CONFIDENCE
    return Entry(
        cell.id, entry_text(cell.id, cell.gist, stale=stale),
        int(status.imp) if status.imp in IMPORTANCES else 3, stale,
        CONFIDENCES.index(conf) if conf in CONFIDENCES else len(CONFIDENCES),
        parse_date(status.seen) or date.min, cell.topic, personal,
    )  # fmt: skip


def entries(cells: Iterable[tuple[Cell, bool]], config: Config, target: str) -> list[Entry]:
    """Return the entries of hot memory for ``target``, in the order of ``cells`` (each with: is it personal).

    Of equal texts only the first is taken.
    """
    return list(_entries(cells, config, target))


def _entries(cells: Iterable[tuple[Cell, bool]], config: Config, target: str) -> Iterator[Entry]:
    seen: set[str] = set()
    for cell, personal in cells:
        if is_hot(cell) and target_of(cell.id, config) == target:
            made = entry(cell, personal=personal)
            if made.text not in seen:
                seen.add(made.text)
                yield made


def worth(entry: Entry) -> tuple[int, bool, int, int, str]:
    """Return a key that sorts what is kept first: importance, live before stale, confidence, seen later, ID."""
    return -entry.importance, entry.stale, entry.certainty, -entry.seen.toordinal(), entry.id


def is_nearly_full(used: int, limit: int) -> bool:
    """Whether so much of a limit is used that people should know."""
    return used >= NEARLY_FULL * limit and used > 0
