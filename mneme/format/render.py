"""Model to text, for new text only: existing text is changed by patches, never printed again."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mneme.errors import UsageError
from mneme.format import ids
from mneme.format.cues import split_cues
from mneme.format.dates import parse_date
from mneme.format.model import CellState, Link
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
    """Return ``cell`` as text. Blanks at the ends of a value are no part of it; all else reads back.

    Raises:
        UsageError: a value cannot be written so that it reads back equal (a line break, an unknown state, no gist, …).
    """
    check(cell)
    state = f"state {cell.state}   conf {cell.conf}   since {cell.since}   seen {cell.seen}"
    lines = [
        f"@ {cell.id}  {cell.topic}" if cell.topic else f"@ {cell.id}",
        f"gist  {cell.gist.strip(BLANKS)}",
        f"{state}   imp {cell.imp}" if cell.imp else state,
    ]
    if cell.cues:
        lines.append(f"cue   {_cue_line(cell.cues)}")
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


def _cue_line(cues: Sequence[str]) -> str:
    line = " / ".join([cue.strip(BLANKS) for cue in cues])
    return f"{line} /" if len(cues) == 1 and "/" in line else line  # without a break, every slash would be one


def check(cell: NewCell) -> None:
    """Refuse values that no reader would accept, or would read as something else.

    Raises:
        UsageError: says which, and what is allowed.
    """
    if not ids.is_id(cell.id):
        raise UsageError(f"{cell.id!r} is no cell ID", "write it as PREFIX-NUMBER, for example DEC-0042")
    for name, value in _texts(cell):
        if "\n" in value:
            hint = "a gist is one line; what explains it goes into --body"
            raise UsageError(f"the {name} has a line break in it", hint)
        if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
            raise UsageError(f"the {name} is not valid UTF-8 text", "check the terminal's encoding")
    if not cell.gist.strip(BLANKS):
        raise UsageError("the gist is empty", "say in one line what is true")
    _check_token("topic", cell.topic, "write it as path/of/words")
    for cue in cell.cues:
        if split_cues(f"{cue} /") != [cue.strip(BLANKS)]:
            raise UsageError(
                f"the cue {cue!r} would not read back as one cue",
                "a cue is not empty and holds no comma and no slash between blanks; give each a --cue of its own",
            )
    for name, values, hint in (
        ("reference", cell.refs, "a glob matches a blank too: my?file.py"),
        ("origin", cell.origin, "percent-encode blanks: %20"),
    ):
        for value in values:
            _check_token(name, value, hint, required=True, comment=True)
    for link in cell.links:
        for value in (link.relation, link.target, *(token for pair in link.attributes for token in pair)):
            _check_token("link", value, "write it as REL=ID, for example relates=DEC-0042", required=True)
    check_choice("state", cell.state, STATES)
    check_choice("conf", cell.conf, CONFIDENCES)
    if cell.imp:
        check_choice("imp", cell.imp, IMPORTANCES)
    for name, value in (("since", cell.since), ("seen", cell.seen)):
        if not parse_date(value):
            raise UsageError(f"{name} {value!r} is no date", "write it as YYYY-MM-DD")


def check_sound(cell: NewCell) -> None:
    """Refuse what the format can hold and the linter or another reader would trip over.

    Raises:
        UsageError: a control character, a gist without a visible character, a bare key word, seen before since.
    """
    for name, value in _texts(cell):
        for char in value:
            if unicodedata.category(char) in ("Cc", "Zl", "Zp") and char not in "\t\n\0":
                raise UsageError(f"the {name} holds the control character U+{ord(char):04X}", "leave it out")
    if not any(char not in BLANKS and unicodedata.category(char) not in ("Cf", "Mn") for char in cell.gist):
        raise UsageError("the gist is empty", "say in one line what is true")
    for name, values in (("reference", cell.refs), ("origin", cell.origin)):
        for value in values:
            if value in _BARE_KEYS:
                raise UsageError(f"the {name} {value!r} is a key of the format", f"write it as ./{value}")
    if cell.seen < cell.since:
        raise UsageError(f"seen {cell.seen} is before since {cell.since}")


_BARE_KEYS = frozenset({"state", "conf", "since", "seen", "gist", "cue", "link"})
"""Words that a reader which scans unknown lines would take for a key."""


def _texts(cell: NewCell) -> Iterator[tuple[str, str]]:
    yield "gist", cell.gist
    yield "topic", cell.topic
    for name, values in (("cue", cell.cues), ("body", cell.body), ("reference", cell.refs), ("origin", cell.origin)):
        for value in values:
            yield name, value
    for link in cell.links:
        yield "link", " ".join(token for pair in (link[:2], *link.attributes) for token in pair)


def _check_token(name: str, value: str, hint: str, *, required: bool = False, comment: bool = False) -> None:
    if any(char in BLANKS for char in value) or (value.startswith("#") and not comment) or (required and not value):
        raise UsageError(f"the {name} {value!r} is not one word", hint)


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a ``value`` that is none of ``choices``.

    Raises:
        UsageError: names the choices.
    """
    if value not in choices:
        raise UsageError(f"{name} {value!r} is not one of the format's words", f"one of: {', '.join(choices)}")


def _check_reads_back(cell: NewCell, text: str) -> None:
    """Refuse what the checks before did not foresee: what is read must be what was given."""
    read = parse(text)
    if len(read.cells) == 1 and not read.strays:
        got = read.cells[0]
        given = (
            cell.id, cell.gist.strip(BLANKS), cell.topic, tuple(cue.strip(BLANKS) for cue in cell.cues),
            tuple(line.rstrip(BLANKS) for line in cell.body), cell.origin, cell.links, cell.since,
            CellState(cell.state, cell.conf, cell.seen, cell.imp, "", cell.refs), (),
        )  # fmt: skip
        if given == (
            got.id, got.gist, got.topic, got.cues, got.body, got.origin, got.links, got.since, got.status, got.oddities,
        ):  # fmt: skip
            return
    raise UsageError(f"{cell.id} would not read back as it was given", "please report this with the cell's text")
