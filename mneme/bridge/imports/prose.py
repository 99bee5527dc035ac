"""Markdown that people write for agents: what the importers of such files share."""

from __future__ import annotations

from mneme.bridge.imports.frontmatter import Front, front
from mneme.bridge.imports.markdown import IMPORTS, Block, blocks, plain, standing_alone
from mneme.bridge.imports.note import Note, Part, Reading
from mneme.bridge.imports.words import prefix_by_words

PROJECT = ("project",)
"""The topic of what belongs to no other."""


def read_prose(part: Part, reading: Reading, *, topic: tuple[str, ...] = (), personal: bool = False) -> Front:
    """Add a note for every block of ``part`` that says something; return its front matter.

    ``topic`` stands for the headings where there are none.
    """
    head = front(part.text)
    before = reading.left_out[IMPORTS]
    for block in blocks(part.text[head.start :], reading.left_out, head.line):
        reading.notes.append(note_of(block, part.name, topic=topic, personal=personal))
    if reading.left_out[IMPORTS] > before:
        reading.remarks.append(f"{part.name}: what it imports with @ is not read: import those files by themselves")
    return head


def note_of(block: Block, path: str, *, topic: tuple[str, ...] = (), personal: bool = False) -> Note:
    """Return the note that a block is."""
    first, line_end, rest = block.text.partition("\n")
    context = block.context or (topic[-1] if topic and topic != PROJECT else "")
    text = standing_alone(first, context) + line_end + rest
    prefix = "TODO" if block.task else prefix_by_words(text, block.headings)
    return Note(
        text, path, block.line, prefix=prefix, topic=block.headings or topic, personal=personal,
    )  # fmt: skip


def stem(name: str) -> str:
    """Return a file's name without folders and ending, as words."""
    return plain(name.rpartition("/")[2].rpartition(".")[0].replace("-", " ").replace("_", " "))
