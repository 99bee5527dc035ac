"""Text to model. Equal cell text is parsed once per process. Nothing here raises for any text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from mneme.format.grammar import the_grammar
from mneme.format.lines import CellReader, is_strict, line_content, strict_cell, unknown_line
from mneme.format.model import Cell, Document, Field, Oddity
from mneme.text.source import BOM


def parse(text: str, *, name: str = "<text>") -> Document:
    """Return the cells of ``text``. Any text will do; what is wrong in it is found by the linter."""
    first = 1 if text.startswith(BOM) else 0
    grammar = the_grammar()
    starts = [match.end() for match in grammar.head_after_line.finditer(text, first)]
    if grammar.head_here.match(text, first):
        starts.insert(0, first)
    ends = [*starts[1:], len(text)] if starts else []
    cells = tuple([parse_cell(text[start:end]) for start, end in zip(starts, ends, strict=True)])
    before = text[first : starts[0] if starts else len(text)]
    strays = _strays(before, first) if before else ()
    return Document(text, cells, tuple(starts), strays, name=name)


_known: dict[str, Cell] = {}
_KNOWN_LIMIT = 1 << 18


def prime(cells: Iterable[Cell]) -> None:
    """Take over cells parsed earlier, from a cache: their texts are not parsed again."""
    _known.update((cell.text, cell) for cell in cells)


def forget() -> None:
    """Drop every remembered parse."""
    _known.clear()
    locate.cache_clear()


def parse_cell(text: str) -> Cell:
    """Return the cell that ``text`` is; it begins with a header line and holds no second one."""
    cell = _known.get(text)
    if cell is None:
        if len(_known) >= _KNOWN_LIMIT:
            _known.clear()
        cell = _known[text] = _parse_cell(text)
    return cell


@lru_cache(maxsize=4)  # a rule with many findings in one long cell asks once for each
def locate(text: str) -> tuple[Field, ...]:
    """Return the fields of the cell that ``text`` is, with their places."""
    grammar = the_grammar()
    matches = list(grammar.line.finditer(text))
    reader = CellReader(text)
    reader.read(matches, grammar.plan(tuple([match.lastgroup for match in matches]), text))
    return tuple(reader.fields)


def _parse_cell(text: str) -> Cell:
    grammar = the_grammar()
    matches = list(grammar.line.finditer(text))
    shape = tuple([match.lastgroup for match in matches])
    plan = grammar.plans.get(shape)
    if plan is None:
        plan = grammar.plan(shape, text)
    if is_strict(plan):
        return strict_cell(text, matches, plan)
    reader = CellReader(text)
    reader.read(matches, plan)
    return reader.cell()


_TOLD_BY_NAME = frozenset({"malformed-header", "full-width-mark", "indented-key"})
"""What a line before the first cell may be besides text outside of a cell."""


def _strays(before: str, offset: int) -> tuple[Oddity, ...]:
    """What stands before the first cell and is neither blank nor a comment."""
    found = []
    for match in the_grammar().line.finditer(before):
        if match.lastgroup in ("BLANK", "COMMENT"):
            continue
        start, end = line_content(before, match.start(), match.end())
        if match.lastgroup == "MARKER":
            found.append(Oddity("conflict-marker", start + offset, end + offset))
            continue
        if match.lastgroup == "UNKNOWN":
            oddity = unknown_line(before, start, end)
            if oddity.name in _TOLD_BY_NAME and oddity.detail != ">":
                found.append(oddity._replace(start=oddity.start + offset, end=oddity.end + offset))
                continue
        found.append(Oddity("text-outside-cell", start + offset, end + offset))
    return tuple(found)
