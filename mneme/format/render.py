"""Model to text, for new text only: existing text is changed by patches, never printed again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mneme.errors import UsageError
from mneme.format import ids
from mneme.format.dates import parse_date
from mneme.format.model import Link
from mneme.format.parser import parse
from mneme.format.vocabulary import BLANKS, CONFIDENCES, IMPORTANCES, STATES


class NewCell(NamedTuple):
    """A cell to be written."""

    id: str
    gist: str
    topic: str = ""
    cues: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    refs: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    state: str = "live"
    conf: str = "med"
    imp: str = ""
    since: str = ""
    seen: str = ""


def render(cell: NewCell, newline: str = "\n") -> str:
    """Return ``cell`` as text, each line ended by ``newline``.

    Raises:
        UsageError: a value cannot be written so that it reads back equal (a line break, an unknown state, no gist, …).
    """
    check(cell)
    head = f"@ {cell.id}  {cell.topic}".rstrip()
    state = f"state {cell.state}   conf {cell.conf}   since {cell.since}   seen {cell.seen}"
    if cell.imp:
        state += f"   imp {cell.imp}"
    lines = [head, f"gist  {cell.gist}", state]
    if cell.cues:
        lines.append(f"cue   {_join_cues(cell.cues)}")
    lines += [f"> {line}".rstrip(BLANKS) for line in cell.body]
    if cell.refs:
        lines.append(f"ref   {' '.join(cell.refs)}")
    if cell.origin:
        lines.append(f"origin {' '.join(cell.origin)}")
    lines += [link_line(link) for link in cell.links]
    text = "".join([f"{line}{newline}" for line in lines])
    _check_reads_back(cell, text)
    return text


def link_line(link: Link) -> str:
    """Return ``link`` as a line, without a line end."""
    return " ".join(["link ", link.relation, link.target, *(token for pair in link.attributes for token in pair)])


def _join_cues(cues: Sequence[str]) -> str:
    return f"{cues[0]} /" if len(cues) == 1 and "/" in cues[0] else " / ".join(cues)


def check(cell: NewCell) -> None:
    """Refuse values that no reader would accept.

    Raises:
        UsageError: says which, and what is allowed.
    """
    if not cell.gist.strip(BLANKS):
        raise UsageError("the gist is empty", "say in one line what is true")
    for name, value in (("gist", cell.gist), ("topic", cell.topic), *(("cue", cue) for cue in cell.cues)):
        if "\n" in value:
            raise UsageError(f"the {name} has a line break in it", "a gist is one line; put the rest into --body")
    if not ids.is_id(cell.id):
        raise UsageError(f"{cell.id!r} is no cell ID", "write it as PREFIX-NUMBER, for example DEC-0042")
    if any(blank in cell.topic for blank in BLANKS) or cell.topic.startswith("#"):
        raise UsageError(f"the topic {cell.topic!r} is not one token", "write it as path/of/words")
    check_choice("state", cell.state, STATES)
    check_choice("conf", cell.conf, CONFIDENCES)
    if cell.imp:
        check_choice("imp", cell.imp, IMPORTANCES)
    for name, value in (("since", cell.since), ("seen", cell.seen)):
        if not parse_date(value):
            raise UsageError(f"{name} {value!r} is no date", "write it as YYYY-MM-DD")


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a ``value`` that is none of ``choices``.

    Raises:
        UsageError: names the choices.
    """
    if value not in choices:
        raise UsageError(f"{name} {value!r} is not one of the format's words", f"one of: {', '.join(choices)}")


def _check_reads_back(cell: NewCell, text: str) -> None:
    read = parse(text)
    if len(read.cells) == 1 and not read.strays:
        got = read.cells[0]
        given = (
            cell.gist.strip(BLANKS), cell.topic, tuple(cue.strip(BLANKS) for cue in cell.cues),
            tuple(line.rstrip(BLANKS) for line in cell.body), cell.refs, cell.origin, cell.links, (),
        )  # fmt: skip
        if given == (got.gist, got.topic, got.cues, got.body, got.status.refs, got.origin, got.links, got.oddities):
            return
    raise UsageError(
        "this cell would not read back as it was given",
        "a cue must hold no comma and no ' / ', a reference no blank",
    )
