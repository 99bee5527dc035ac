"""Canonical spacing, as patches over blanks: what a line says keeps its bytes, and no line is joined, split or dropped.

Header, gist, state, cue, link, ref and origin lines get the blanks that :mod:`mneme.format.render` writes, and lose
indentation and blanks at their ends; a body line gets its blank after ``>``. Between two cells stands one blank line,
before the comments that belong to the second. Comments, lines that no rule matches and malformed headers stay as found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mneme.errors import EditError
from mneme.format.edits import end_of_content, is_blank, newline_of, perform
from mneme.format.grammar import the_grammar
from mneme.format.ids import is_id
from mneme.format.model import Cell, Document
from mneme.format.vocabulary import BLANKS, PAIR_KEYS
from mneme.text.patch import Patch, shifted
from mneme.text.source import BOM

KEY_GAPS = {"gist": "  ", "cue": "   ", "link": "  ", "ref": "   ", "origin": " "}
"""Blanks after the key of a line."""


def layout(document: Document) -> list[Patch]:
    """Return the patches that bring ``document`` into canonical spacing; none when it is there."""
    patches = list(_around_cells(document))
    for cell, start in zip(document.cells, document.starts, strict=True):
        patches += shifted(_cell(cell), start)
    return patches


def formatted(document: Document) -> Document:
    """Return ``document`` in canonical spacing, after checking that it says what it said.

    Raises:
        EditError: it would not; that is a bug of ours.
    """
    after = perform(document, layout(document))
    if [_says(cell) for cell in after.cells] != [_says(cell) for cell in document.cells]:
        raise EditError(
            f"{document.name}: formatting would change more than blanks", "please report this with the file"
        )
    return after


def _says(cell: Cell) -> tuple[object, ...]:
    return cell.status, cell.links, sum(line.startswith("#") for line in cell.text.split("\n"))


def _cell(cell: Cell) -> Iterator[Patch]:
    text, end_of_cell = cell.text, end_of_content(cell)
    grammar = the_grammar()
    matches = list(grammar.line.finditer(text))
    plan = grammar.plan(tuple([match.lastgroup for match in matches]), text)
    for match, kind in zip(matches, plan, strict=True):
        start, end = match.start(), _without_line_end(match[0]) + match.start()
        if kind == "blank":
            if start < end_of_cell and end > start:
                yield Patch(start, end, "")
            continue
        handler = _HANDLERS.get(kind.removesuffix("_ODD"))
        if handler is not None:
            yield from _changed(text, handler(text, start, end))
            yield from _end(text, start, end, match.end())


def _without_line_end(line: str) -> int:
    """Return how long ``line`` is without its line end."""
    return len(line) - (2 if line.endswith("\r\n") else line.endswith("\n"))


def _changed(text: str, patches: Iterator[Patch]) -> Iterator[Patch]:
    for patch in patches:
        if text[patch.start : patch.end] != patch.new:
            yield patch


def _end(text: str, start: int, end: int, line_end: int) -> Iterator[Patch]:
    """Take the blanks off the end of a line, unless a CR before them would then end it."""
    last = end
    while last > start and text[last - 1] in BLANKS:
        last -= 1
    cr_before = last > start and text[last - 1] == "\r"
    if last < end and not (cr_before and end < line_end):
        yield Patch(last, end, "")


# --- one function a kind of line: patches for the gaps between words, equal ones included ------------------------


def _header(text: str, start: int, end: int) -> Iterator[Patch]:
    words = _words(text, start + 1, end)
    if not words or words[0].start() == start + 1 or not is_id(words[0][0]):
        return  # malformed: a repair, not a matter of spacing
    yield Patch(start + 1, words[0].start(), " ")
    if len(words) > 1:
        yield Patch(words[0].end(), words[1].start(), "  ")


def _pairs(text: str, start: int, end: int) -> Iterator[Patch]:
    words = _words(text, start, end)
    yield Patch(start, words[0].start(), "")
    key = ""
    for before, word in zip([None, *words], words, strict=False):
        is_value = bool(key)
        if before is not None:
            yield Patch(before.end(), word.start(), " " if is_value else "   ")
        key = word[0] if not is_value and word[0] in PAIR_KEYS else ""


def _link(text: str, start: int, end: int) -> Iterator[Patch]:
    yield from _word_list(start, _words(text, start, end))


def _list(text: str, start: int, end: int) -> Iterator[Patch]:
    yield from _word_list(start, list(_NOT_BLANK.finditer(text, start, end)))


def _word_list(start: int, words: list[re.Match[str]]) -> Iterator[Patch]:
    key = words[0]
    yield Patch(start, key.start(), "")
    for before, word in pairwise(words):
        yield Patch(before.end(), word.start(), KEY_GAPS[key[0]] if before is key else " ")


def _free_text(text: str, start: int, end: int) -> Iterator[Patch]:
    words = list(_NOT_BLANK.finditer(text, start, end))
    key = words[0]
    yield Patch(start, key.start(), "")
    if len(words) > 1:
        yield Patch(key.end(), words[1].start(), KEY_GAPS[key[0]])


def _body(text: str, start: int, end: int) -> Iterator[Patch]:
    if text[start + 1 : end].strip(BLANKS):
        blank = end > start + 1 and text[start + 1] in BLANKS
        yield Patch(start + 1, start + 1 + blank, " ")


_HANDLERS = {
    "HEADER": _header, "GIST": _free_text, "PAIRS": _pairs, "CUE": _free_text, "BODY": _body, "LINK": _link,
    "ref": _list, "origin": _list,
}  # fmt: skip
_NOT_BLANK = re.compile(f"[^{BLANKS}\n]+")


def _words(text: str, start: int, end: int) -> list[re.Match[str]]:
    """Return the words of ``text[start:end]`` before a trailing comment."""
    words = []
    for match in the_grammar().word.finditer(text, start, end):
        if match.lastgroup == "NOTE":
            break
        words.append(match)
    return words


# --- blank lines ---------------------------------------------------------------------------------------------


def _around_cells(document: Document) -> Iterator[Patch]:
    text, first = document.text, document.preamble_start
    if not document.cells:
        return
    # Nothing may move a U+FEFF to the beginning of the file: there it would be a byte order mark.
    leading = 1 if first == 0 and text.lstrip(BLANKS + "\r\n").startswith(BOM) else 0
    yield from _runs(text, first, document.starts[0], leading=leading)
    ends = [start + end_of_content(cell) for cell, start in zip(document.cells, document.starts, strict=True)]
    for end, following in zip(ends, document.starts[1:], strict=False):
        if not any(is_blank(line[0]) for line in _lines(text, end, following)):
            yield Patch(end, end, newline_of(text, end))
        else:
            yield from _runs(text, end, following, leading=1)
    tail = text[ends[-1] :]
    if tail:
        yield from _runs(text, ends[-1], len(text), leading=1, trailing=0)


def _lines(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return _LINE.finditer(text, start, end)


_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def _runs(text: str, start: int, end: int, *, leading: int, trailing: int = 1) -> Iterator[Patch]:
    """Shrink each run of blank lines in ``text[start:end]`` to one, without blanks in it."""
    run: list[re.Match[str]] = []
    at_start = True
    for line in [*_lines(text, start, end), None]:
        if line is not None and is_blank(line[0]):
            run.append(line)
            continue
        if run:
            kept = min(leading if at_start else 1, trailing if line is None else 1)
            if kept:
                yield from _end(text, run[0].start(), run[0].start() + _without_line_end(run[0][0]), run[0].end())
            if run[kept:]:
                yield Patch(run[kept].start(), run[-1].end(), "")
        run = []
        at_start = False
