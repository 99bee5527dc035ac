"""Architecture decision records: MADR (front matter, or a list on top) and the older form with a section Status."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mneme.bridge.imports.frontmatter import front
from mneme.bridge.imports.markdown import Block, Section, not_worth, sections
from mneme.bridge.imports.note import Note, Part, Reading, day_in
from mneme.bridge.imports.prose import stem
from mneme.format.statement import first_clause

NUMBER = re.compile(r"(?:adr[-_ ]?)?0*(\d{1,6})(?:[-_. ]|$)", re.IGNORECASE)
"""The beginning of a record's file name."""

_TITLE_NUMBER = re.compile(r"(?:adr[-_ ]?)?\d{1,6}[ \t]*[.:–—-][ \t]*", re.IGNORECASE)
_NO_RECORD = re.compile(r"(?:readme|index|template)|.*template", re.IGNORECASE)
_FIELD = re.compile(r"[*_]*(status|date|deciders|decision-makers|consulted|informed|technical story|tags?)[*_]*[ \t]*:"
                    r"[*_]*[ \t]*([^\n]*)", re.IGNORECASE)  # fmt: skip
_TURN = re.compile(r"\b(superseded by|replaced by|supersedes|replaces)\b", re.IGNORECASE)
_REFERENCE = re.compile(
    r"\((?:[^()\s]*/)?(?:adr[-_]?)?0*(\d{1,6})[-_.][^()]*\)|\badr[-_ ]?0*(\d{1,6})\b|\[0*(\d{1,6})\.", re.IGNORECASE
)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TELLING = re.compile(r"context|problem|decision|outcome|consequence|rationale|because|why", re.IGNORECASE)
_NOT_TELLING = re.compile(r"driver|option|pros and cons|more information|links?$|status$|date$", re.IGNORECASE)

_STATES = (
    ("superseded", ("superseded", "replaced")),
    ("retired", ("rejected", "declined", "deprecated", "obsolete", "withdrawn")),
    ("proposed", ("proposed", "draft", "pending", "in review", "under review", "rfc")),
)  # fmt: skip


class _Record(NamedTuple):
    title: str
    line: int
    status: str
    day: str
    body: list[str]


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add a note for each record. Supersessions become links; a record that is superseded says so in its state."""
    numbered: dict[str, str] = {}
    for part in parts:
        name = part.name.rpartition("/")[2]
        number = NUMBER.match(name)
        if _NO_RECORD.match(name) and not number:
            reading.left_out["templates and indexes"] += 1
            continue
        record = _record(part, reading)
        if record is None or (not record.status and not number):
            reading.left_out["files that are no record"] += 1
            continue
        key = number[1] if number else name
        if key in numbered:
            reading.remarks.append(f"{part.name} and {numbered[key]} have the same number: links mean the latter")
        _relate(key, record.status, reading)
        state = _state(record.status)
        reading.notes.append(
            Note(
                "\n".join(record.body), part.name, record.line, title=record.title, prefix="DEC", topic=("decisions",),
                state=state, conf="high" if record.status.casefold().startswith(("accepted", "approved")) else "med",
                day=record.day, item=f"ADR-{number[1]:0>4}" if number else "", names=() if key in numbered else (key,),
                more=(("status", first_clause(_LINK.sub(r"\1", record.status))),),
            )
        )  # fmt: skip
        numbered.setdefault(key, part.name)


def _record(part: Part, reading: Reading) -> _Record | None:
    head = front(part.text)
    found = sections(part.text[head.start :], reading.left_out, head.line)
    top = next((section for section in found if section.level == 1), None)
    if top is None:
        top = next((section for section in found if section.title), None)
    title = _TITLE_NUMBER.sub("", head.text("title") or (top.title if top else ""), count=1).strip()
    title = title or stem(part.name)
    fields: dict[str, str] = {"status": head.text("status"), "date": head.text("date")}
    body: list[str] = []
    for section in found:
        name = section.title.casefold().strip(": ")
        if name in ("status", "date") and section is not top:
            fields[name] = fields[name] or " ".join(block.text for block in section.blocks)
            continue
        kept = [block for block in section.blocks if not _is_field(block, fields)]
        if section is top or not section.title or (_TELLING.search(name) and not _NOT_TELLING.search(name)):
            body += _told(section, kept, reading, named=section is not top and bool(section.title))
        elif kept:
            reading.left_out["blocks of other sections"] += len(kept)
    if not any(char.isalpha() for char in title) or "{" in title:
        return None
    day = _DAY.search(fields["date"]) or _DAY.search(fields["status"])
    return _Record(title, top.line if top else head.line, fields["status"].strip(), day_in(day[0]) if day else "", body)


def _is_field(block: Block, fields: dict[str, str]) -> bool:
    """Whether a block is lines like ``Status: accepted``; what they say goes into ``fields``."""
    said = _FIELD.match(block.text)
    if said is None:
        return False
    name = said[1].casefold()
    fields[name] = fields.get(name) or said[2]
    return True


def _told(section: Section, blocks: list[Block], reading: Reading, *, named: bool) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        reason = not_worth(block)
        if reason and not block.text.endswith(":"):
            reading.left_out[reason] += 1
            continue
        text = f"- {block.text}" if block.item else block.text
        if named and not lines:
            text = f"{section.title}: {block.text}"
        lines += text.split("\n")
    return lines


def _state(status: str) -> str:
    plain = status.casefold().strip("*_ ")
    return next((state for state, words in _STATES if plain.startswith(words)), "live")


def _relate(key: str, status: str, reading: Reading) -> None:
    pieces = _TURN.split(status)
    for turn, said in zip(pieces[1::2], pieces[2::2], strict=True):
        numbers = [next(filter(None, found.groups())) for found in _REFERENCE.finditer(said)]
        for other in dict.fromkeys(number.lstrip("0") or "0" for number in numbers):
            ends = (other, key) if turn.casefold().endswith("by") else (key, other)
            reading.relate(ends[0], "supersedes", ends[1])
