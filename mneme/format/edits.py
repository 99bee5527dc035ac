"""Operations on a document, as patches: they touch only the bytes they must, and no operation edits content.

Each takes the document as it is and returns patches for its text; nothing is written here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mneme.errors import EditError, IllegalTransition
from mneme.format.model import Cell, Document, Field, Link, Placed
from mneme.format.parser import parse
from mneme.format.render import link_line
from mneme.format.vocabulary import BLANKS, PAIR_KEYS, TRANSITIONS
from mneme.text.patch import Patch, apply

_USUAL_GAP = "   "
"""What separates pairs on a state line where the cell gives no example."""


def newline_of(text: str, near: int | None = None) -> str:
    """Return the line end used nearest before offset ``near`` (default: at the end), or the first one there is."""
    at = text.rfind("\n", 0, len(text) if near is None else near)
    if at < 0:
        at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def check_transition(cell: Cell, state: str) -> None:
    """Refuse a change of state that the format does not allow; staying as it is, is none.

    Raises:
        IllegalTransition: names the legal ones.
    """
    now = cell.status.state
    if state == now:
        return
    legal = TRANSITIONS.get(now)
    if legal is None:
        says = f"has the unknown state {now!r}" if now else "has no state"
        raise IllegalTransition(f"{cell.id} {says}, so nothing follows from it", "repair the cell first: mneme lint")
    if not legal:
        prefix = cell.id.partition("-")[0]
        raise IllegalTransition(
            f"{cell.id} is {now}: nothing follows that state",
            f'to revive it, add a new cell: mneme add {prefix} "…" --link relates={cell.id}',
        )
    if state not in legal:
        raise IllegalTransition(f"{cell.id} is {now} and cannot become {state}", f"from {now}: {', '.join(legal)}")


def set_field(place: Placed, name: str, value: str) -> list[Patch]:
    """Set a state field (state, conf, seen, imp, hot), or insert it where the cell's other state fields stand.

    Raises:
        EditError: the field is content, stands there with two values, or the value is not one token.
    """
    cell, _, start = place
    if name not in PAIR_KEYS or name == "since":
        raise EditError(f"{name} is content and never changes", "add a cell that supersedes this one: mneme supersede")
    if not value or any(char in value for char in f"{BLANKS}\r\n#"):
        raise EditError(f"{value!r} is not one token")
    if any(oddity.name == "duplicate-field" and oddity.detail == name for oddity in cell.oddities):
        raise EditError(
            f"{cell.id} has two values for {name}", "keep the right one by hand first: mneme lint shows both"
        )
    fields = cell.fields
    known = {field.name: field for field in fields if field.name in PAIR_KEYS}  # the last of a name counts
    if name in known:
        here = [field for field in fields if field.name == name and cell.text[field.start : field.end] != value]
        return [Patch(start + field.start, start + field.end, value) for field in here]
    if not known:
        if name in ("imp", "hot"):  # these begin no line
            raise EditError(f"{cell.id} has no state line to put {name} on", "repair the cell first: mneme lint")
        return [_insert_line(place, _after_line(cell, cell.span("gist")[1]), f"{name} {value}")]
    rank = PAIR_KEYS.index
    ahead = [field for field in known.values() if rank(field.name) < rank(name)]
    if not ahead:  # before the first: the state begins its line
        first = min(known.values(), key=lambda field: field.start)
        at = _key_start(cell, first)
        return [Patch(start + at, start + at, f"{name} {value}{_gap(cell, first)}")]
    mate = max(ahead, key=lambda field: rank(field.name))
    return [Patch(start + mate.end, start + mate.end, f"{_gap(cell, mate)}{name} {value}")]


def _key_start(cell: Cell, field: Field) -> int:
    """Return where the key of a state field begins."""
    key_and_blanks = cell.text[field.line : field.start].rstrip(BLANKS)
    return field.line + len(key_and_blanks) - len(field.name)


def _gap(cell: Cell, mate: Field) -> str:
    """Return the blanks this cell puts between pairs: as on the line of ``mate``, where that shows it."""
    for field in cell.fields:
        if field.line == mate.line and field.name in PAIR_KEYS:
            before = cell.text[field.line : _key_start(cell, field)]
            gap = before[len(before.rstrip(BLANKS)) :]
            if before.rstrip(BLANKS) and gap.strip(" \t") == "":
                return gap
    return _USUAL_GAP


def add_link(place: Placed, link: Link) -> list[Patch]:
    """Add ``link`` to the cell, at its end; nothing to do when it stands there already.

    One without attributes is there already when any with its relation and target is.
    """
    cell = place.cell
    for known in cell.links:
        same = link_key(known) == link_key(link) if link.attributes else known[:2] == link[:2]
        if same:
            return []
    return [_insert_line(place, end_of_content(cell), link_line(link))]


def link_key(link: Link) -> tuple[object, ...]:
    """Return what never changes of a link: all but its weight."""
    return link.relation, link.target, tuple([pair for pair in link.attributes if pair[0] != "weight"])


def set_weight(place: Placed, link: Link, weight: str) -> list[Patch]:
    """Give ``link``, which the cell has, another weight; its other attributes stay.

    Raises:
        EditError: the value is not one token.
    """
    if not weight or any(char in weight for char in f"{BLANKS}\r\n#"):
        raise EditError(f"{weight!r} is not one token")
    cell, _, start = place
    fields = [field for field in cell.fields if field.name == "link"]
    field = next(field for known, field in zip(cell.links, fields, strict=True) if known == link)
    words = [match.span() for match in re.finditer(f"[^{BLANKS}]+", cell.text[field.start : field.end])]
    for (left, right), value in zip(words[2::2], words[3::2], strict=False):
        if cell.text[field.start + left : field.start + right] == "weight":
            return [Patch(start + field.start + value[0], start + field.start + value[1], weight)]
    at = start + field.start + words[1][1]
    return [Patch(at, at, f" weight {weight}")]


def end_of_content(cell: Cell) -> int:
    """Return the offset after the last line that says something: before the blank lines and comments that trail it."""
    text = cell.text
    end = len(text)
    start = text.rfind("\n", 0, end - 1) + 1
    while start > 0 and (text.startswith("#", start) or is_blank(text[start:end])):
        end = start
        start = text.rfind("\n", 0, end - 1) + 1
    return end


def is_blank(line: str) -> bool:
    """Whether ``line``, its line end included, says nothing. A CR that ends no line is a character."""
    return not (line[:-2] if line.endswith("\r\n") else line.removesuffix("\n")).strip(BLANKS)


def _after_line(cell: Cell, offset: int) -> int:
    at = cell.text.find("\n", offset)
    return len(cell.text) if at < 0 else at + 1


def _insert_line(place: Placed, at: int, line: str) -> Patch:
    """Insert ``line`` at the line start ``at`` (relative to the cell), ended as its neighbours are."""
    cell, document, start = place
    newline = newline_of(document.text, start + at)
    if cell.text[at - 1] != "\n":  # the last line has no line end, and the new one gets none either
        return Patch(start + at, start + at, f"{_line_end_after(cell.text, newline)}{line}")
    return Patch(start + at, start + at, f"{line}{newline}")


def _line_end_after(text: str, newline: str) -> str:
    """Return what ends the unfinished last line of ``text``: a lone CR there is a character and must stay one."""
    return "\r\n" if text.endswith("\r") else newline


def append_cell(document: Document, rendered: str) -> list[Patch]:
    """Append the text of a new cell (LF line ends), a blank line before it, in the file's own line ends."""
    text = document.text
    newline = newline_of(text)
    last_line = text[max(document.preamble_start, text.rfind("\n", 0, max(0, len(text) - 1)) + 1) :]
    before = ""
    if last_line:
        if not last_line.endswith("\n"):
            before = _line_end_after(text, newline)
        if not is_blank(last_line):
            before += newline
    return [Patch(len(text), len(text), before + rendered.replace("\n", newline))]


def perform(document: Document, patches: Sequence[Patch]) -> Document:
    """Apply ``patches`` and return the new document, after checking that they changed states and links only.

    Raises:
        EditError: the result would change what is there already; that is a bug of ours, and nothing was written.
    """
    from mneme.format.digest import content_digest

    after = parse(apply(document.text, patches), name=document.name)
    untouched = (
        len(after.cells) >= len(document.cells)
        and _stray_texts(after) == _stray_texts(document)
        and all(
            old is new
            or (
                content_digest(old) == content_digest(new)
                and {link_key(link) for link in old.links} <= {link_key(link) for link in new.links}
            )
            for old, new in zip(document.cells, after.cells, strict=False)
        )
    )
    if not untouched:
        raise EditError(
            f"{document.name}: the edit would change more than it should; nothing was written",
            "please report this with the cell's text",
        )
    return after


def _stray_texts(document: Document) -> list[str]:
    return [document.text[stray.start : stray.end] for stray in document.strays]
