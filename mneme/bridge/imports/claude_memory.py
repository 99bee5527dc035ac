"""Claude Code's auto-memory: a folder with an index, ``MEMORY.md``, and topic files.

A topic file with front matter (name, description, type) is one memory; one without is notes under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mneme.bridge.imports.frontmatter import front
from mneme.bridge.imports.markdown import blocks, without_comments
from mneme.bridge.imports.note import Note, Part, Reading, day_in
from mneme.bridge.imports.prose import PROJECT, note_of, read_prose, stem
from mneme.bridge.imports.words import DEFAULT, prefix_by_words, prefix_of_category

INDEX = "MEMORY.md"
TYPES = frozenset({"user", "feedback", "project", "reference"})

_POINTER = re.compile(r"\[[^\]]*\]\((?:\./)?([^()\s]+\.md)\)|`?([\w./-]+\.md)`?\s*(?:[:—–-]|$)")


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add what ``parts`` say; a line of the index that points to a file of the folder is no note of its own."""
    names = {part.name.rpartition("/")[2] for part in parts}
    for part in parts:
        if part.name.rpartition("/")[2] == INDEX:
            _index(part, names, reading)
        else:
            _topic(part, reading)


def _index(part: Part, names: set[str], reading: Reading) -> None:
    head = front(part.text)
    for block in blocks(part.text[head.start :], reading.left_out, head.line):
        pointer = _POINTER.match(block.text)
        if pointer and (pointer[1] or pointer[2]).rpartition("/")[2] in names:
            reading.left_out["index entries"] += 1
        else:
            reading.notes.append(note_of(block, part.name, topic=PROJECT))


def _topic(part: Part, reading: Reading) -> None:
    head = front(part.text)
    kind = (head.text("type") or head.text("metadata.type")).casefold()
    title = head.text("description") or head.text("name")
    if not title or (kind and kind not in TYPES):
        read_prose(part, reading, topic=(stem(part.name),))
        return
    text = without_comments(part.text[head.start :]).strip()
    prefix = prefix_of_category(kind) or prefix_by_words(title)
    reading.notes.append(
        Note(
            text, part.name, head.line, title=title, prefix=prefix if kind != "reference" else DEFAULT,
            topic=(kind or "project",), day=day_in(head.text("created") or head.text("date")), item=head.text("name"),
            more=(("type", kind),) if kind else (), personal=kind == "user",
        )
    )  # fmt: skip
