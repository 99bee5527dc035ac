"""A memory file as the sequence that is merged: cells with the comments that belong to them, and comments of their own.

A comment belongs to the cell below it when no blank line lies between, or when it suppresses a rule there; to the cell
above it when it follows that one at once and a blank line comes next. Everything else that is no cell is a paragraph.
Blank lines belong to nothing: each item knows the ones before it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mneme.format.edits import end_of_content, is_blank, newline_of
from mneme.format.model import Cell
from mneme.format.parser import parse
from mneme.text.source import BOM

_SUPPRESSION = re.compile(r"#[ \t]*mneme:[ \t]*ignore[ \t]*\[")


class Item(NamedTuple):
    """Whole lines that stay together: ``text[head:]`` is a cell with what trails it; without a cell, a paragraph."""

    text: str
    gap: str
    """The blank lines before it."""
    head: int
    cell: Cell | None


class Side(NamedTuple):
    """One of the three texts, taken apart: joining the parts gives the text again, but for the last line end."""

    items: list[Item]
    tail: str
    """The blank lines at the end."""
    bom: bool
    ended: bool
    """Whether the last line has a line end; one was added where it has none."""
    newline: str


def split(text: str, newline: str | None = None) -> Side:
    """Take ``text`` apart; ``newline`` is what ends a line where the text does not show it."""
    bom = text.startswith(BOM)
    newline = newline_of(text) if newline is None or "\n" in text else newline
    ended = text.endswith("\n") or len(text) == bom
    if not ended:
        text += "\r\n" if text.endswith("\r") else newline  # a lone CR is a character and must stay one
    document = parse(text)
    items: list[Item] = []
    first = document.starts[0] if document.starts else len(text)
    gap, lead = _before(items, text[document.preamble_start : first], bool(document.starts))
    last = len(document.cells) - 1
    for index, cell in enumerate(document.cells):
        end, after = _content_end(cell)
        if not after or "#" not in after:
            items.append(Item(lead + cell.text[:end], gap, len(lead), cell))
            gap, lead = after, ""
            continue
        trail, rest = _trail(after, ends_file=index == last)
        items.append(Item(lead + cell.text[:end] + trail, gap, len(lead), cell))
        gap, lead = _before(items, rest, index != last)
    return Side(items, gap, bom, ended, newline)


def _content_end(cell: Cell) -> tuple[int, str]:
    """Return where the content of ``cell`` ends, and the blank lines and comments after it."""
    text = cell.text
    if text.endswith("\n\n"):  # one blank line, after a line that says something: the usual form, fast
        start = text.rfind("\n", 0, len(text) - 2) + 1
        if text[start] not in "#\r\n" and not text[start].isspace():
            return len(text) - 1, "\n"
    end = end_of_content(cell)
    return end, text[end:]


def _trail(after: str, *, ends_file: bool) -> tuple[str, str]:
    """Split off the comments that follow a cell at once, unless the next cell follows them at once."""
    lines = split_lines(after)
    count = 0
    while count < len(lines) and lines[count].startswith("#") and not _SUPPRESSION.match(lines[count]):
        count += 1
    if count == len(lines) and not ends_file:
        return "", after
    if count < len(lines) and lines[count].startswith("#"):  # a suppression: it looks at the cell below
        return "", after
    return "".join(lines[:count]), "".join(lines[count:])


def _before(items: list[Item], text: str, cell_follows: bool) -> tuple[str, str]:
    """Add the paragraphs of ``text`` to ``items``; return the blank lines and the comments before what follows."""
    gap = ""
    paragraph: list[str] = []
    lines = split_lines(text)
    lead = len(lines)
    if cell_follows:
        while lead > 0 and lines[lead - 1].startswith("#"):
            lead -= 1
        for at, line in enumerate(lines):
            if _SUPPRESSION.match(line) and all(later.startswith("#") or is_blank(later) for later in lines[at:]):
                lead = min(at, lead)
                break
    for line in lines[:lead]:
        if not is_blank(line):
            paragraph.append(line)
            continue
        if paragraph:
            items.append(Item("".join(paragraph), gap, 0, None))
            paragraph, gap = [], ""
        gap += line
    if paragraph:
        items.append(Item("".join(paragraph), gap, 0, None))
        gap = ""
    return gap, "".join(lines[lead:])


def split_lines(text: str) -> list[str]:
    """Return the lines of ``text`` with their line ends; only LF ends one."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def unended(text: str) -> str:
    """Return ``text`` without its last line end."""
    return text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")
