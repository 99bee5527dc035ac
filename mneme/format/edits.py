"""Operations on a document, as patches: they touch only the bytes they must, and no operation edits content.

Each takes the document as it is and returns patches for its text; nothing is written here.
"""

from __future__ import annotations

from mneme.errors import EditError, IllegalTransition
from mneme.format.model import Cell, Document, Link, Placed
from mneme.format.parser import parse
from mneme.format.render import link_line
from mneme.format.vocabulary import BLANKS, PAIR_KEYS, TRANSITIONS
from mneme.text.patch import Patch, apply


def newline_of(text: str, near: int | None = None) -> str:
    """Return the line end used nearest before offset ``near`` (default: at the end), or the first one there is."""
    at = text.rfind("\n", 0, len(text) if near is None else near)
    if at < 0:
        at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def check_transition(cell: Cell, state: str) -> None:
    """Refuse a change of state that the format does not allow.

    Raises:
        IllegalTransition: names the legal ones.
    """
    now = cell.status.state
    if state == now:
        return
    legal = TRANSITIONS.get(now)
    if legal is None:
        raise IllegalTransition(f"{cell.id} has the unknown state {now!r}", "repair it first: mneme lint")
    if state in legal:
        return
    if not legal:
        raise IllegalTransition(
            f"{cell.id} is {now}: nothing follows that state",
            f'to revive it, add a new cell: mneme add {cell.id.partition("-")[0]} "…"',
        )
    raise IllegalTransition(f"{cell.id} is {now} and cannot become {state}", f"from {now}: {', '.join(legal)}")


def set_field(place: Placed, name: str, value: str) -> list[Patch]:
    """Set a state field (state, conf, seen, imp, hot), or insert it on the cell's state line.

    Raises:
        EditError: the field is content, or the value is not one token.
    """
    if name not in PAIR_KEYS or name == "since":
        raise EditError(f"{name} is content and never changes", "add a cell that supersedes this one: mneme supersede")
    if not value or any(blank in value for blank in BLANKS + "\n#"):
        raise EditError(f"{value!r} is not one token")
    cell, _, start = place
    field = cell.field(name)
    if field is not None:
        if cell.text[field.start : field.end] == value:
            return []
        return [Patch(start + field.start, start + field.end, value)]
    known = [field for key in PAIR_KEYS if (field := cell.field(key)) is not None]
    if not known:
        return [_insert_line(place, _after_line(cell, cell.span("gist")[1]), f"{_anchor(name)}{name} {value}")]
    ahead = [field for field in known if PAIR_KEYS.index(field.name) < PAIR_KEYS.index(name)]
    if name == "state" or not ahead:
        # The state stands first on its line.
        first = min(known, key=lambda field: field.start)
        return [
            Patch(start + _key_start(cell, first.start), start + _key_start(cell, first.start), f"{name} {value}   ")
        ]
    line_mate = max(ahead, key=lambda field: PAIR_KEYS.index(field.name))
    return [Patch(start + line_mate.end, start + line_mate.end, f"{_gap(cell, line_mate.start)}{name} {value}")]


def _anchor(name: str) -> str:
    """Imp and hot do not begin a line by themselves; without any state line there is none to join."""
    if name in ("imp", "hot"):
        raise EditError("the cell has no state line to put this on", "repair it first: mneme lint")
    return ""


def _key_start(cell: Cell, value_start: int) -> int:
    """Return where the key of the value at ``value_start`` begins."""
    at = value_start
    while cell.text[at - 1] in BLANKS:
        at -= 1
    while at > 0 and cell.text[at - 1] not in BLANKS + "\n":
        at -= 1
    return at


def _gap(cell: Cell, value_start: int) -> str:
    """Return the blanks this cell puts before a key on its state line; three spaces where there is no example."""
    key = _key_start(cell, value_start)
    at = key
    while at > 0 and cell.text[at - 1] in BLANKS:
        at -= 1
    return cell.text[at:key] if at > 0 and cell.text[at - 1] != "\n" and at < key else "   "


def add_link(place: Placed, link: Link) -> list[Patch]:
    """Add ``link`` to the cell, after its last link or at its end; nothing to do when it stands there already."""
    cell = place.cell
    if any(known.relation == link.relation and known.target == link.target for known in cell.links):
        return []
    return [_insert_line(place, end_of_content(cell), link_line(link))]


def end_of_content(cell: Cell) -> int:
    """Return the offset after the last line that says something: before the blank lines and comments that trail it."""
    text = cell.text
    end = len(text)
    while end > 0:
        line_start = text.rfind("\n", 0, end - 1) + 1
        line = text[line_start:end].strip(f"{BLANKS}\r\n")
        if line and not text.startswith("#", line_start):
            return end
        end = line_start
    return len(text)


def _after_line(cell: Cell, offset: int) -> int:
    at = cell.text.find("\n", offset)
    return len(cell.text) if at < 0 else at + 1


def _insert_line(place: Placed, at: int, line: str) -> Patch:
    """Insert ``line`` at the line start ``at`` (relative to the cell), ended as its neighbours are."""
    cell, document, start = place
    newline = newline_of(document.text, start + at)
    if at and cell.text[at - 1] != "\n":  # the last line has no line end, and the new one gets none either
        return Patch(start + at, start + at, f"{newline}{line}")
    return Patch(start + at, start + at, f"{line}{newline}")


def append_cell(document: Document, rendered: str) -> list[Patch]:
    """Append the text of a new cell (LF line ends), a blank line before it, in the file's own line ends."""
    text = document.text
    newline = newline_of(text)
    before = ""
    if text[document.preamble_start :]:
        if not text.endswith("\n"):
            before = newline
        if (text + before).rstrip(BLANKS + "\r\n") and not _ends_blank(text):
            before += newline
    return [Patch(len(text), len(text), before + rendered.replace("\n", newline))]


def _ends_blank(text: str) -> bool:
    last = text.rfind("\n", 0, len(text) - 1)
    return text.endswith("\n") and not text[last + 1 :].strip(BLANKS + "\r\n")


def perform(document: Document, patches: list[Patch]) -> str:
    """Apply ``patches`` and return the new text, after checking that no content changed.

    Raises:
        EditError: the result would change what is there already; that is a bug of ours, and nothing was written.
    """
    from mneme.format.digest import content_digest

    text = apply(document.text, patches)
    after = parse(text, name=document.name)
    untouched = len(after.cells) >= len(document.cells) and all(
        old is new or (content_digest(old) == content_digest(new) and set(old.links) <= set(new.links))
        for old, new in zip(document.cells, after.cells, strict=False)
    )
    if not untouched:
        raise EditError(f"{document.name}: the edit would change more than it should; nothing was written")
    return text
