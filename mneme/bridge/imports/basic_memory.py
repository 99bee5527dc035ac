"""Notes of basic-memory: observations (``- [category] text #tag``) and relations (``- type [[Note]]``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mneme.bridge.imports.frontmatter import Front, front
from mneme.bridge.imports.markdown import ENTRY_OF_OURS, Block, not_worth, sections, standing_alone
from mneme.bridge.imports.note import LONGEST_NAME, MOST_NAMES, Note, Part, Reading, day_in
from mneme.bridge.imports.prose import note_of, stem
from mneme.bridge.imports.words import prefix_by_words, prefix_of_category

OBSERVATION = re.compile(r"\[([^\[\]()\n]{2,40})\][ \t]+(?!\()(\S[^\n]*(?:\n.*)?)", re.DOTALL)
RELATION = re.compile(r"([\w -]{0,60}?)[ \t]*\[\[([^\[\]\n]{1,200})\]\](?:[ \t]*\([^\n]*\))?")
_TAG = re.compile(r"(?<![\w&])#(\w[\w/-]*)")


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add what the notes say. A relation is a link between the first cells of two notes."""
    for part in parts:
        _File(part, reading).read()


class _File:
    def __init__(self, part: Part, reading: Reading) -> None:
        self.path = part.name
        self.text = part.text
        self.reading = reading
        self.head: Front = front(part.text)
        self.title = self.head.text("title")[:LONGEST_NAME] or stem(part.name)
        tags = (tag.strip().lstrip("#") for value in self.head.values.get("tags", ()) for tag in value.split(","))
        self.tags = [tag for tag in tags if 0 < len(tag) <= LONGEST_NAME][:MOST_NAMES]
        self.day = day_in(self.head.text("created") or self.head.text("date"))
        self.first = True

    def read(self) -> None:
        for section in sections(self.text[self.head.start :], self.reading.left_out, self.head.line):
            for block in section.blocks:
                self._block(block)

    def _block(self, block: Block) -> None:
        relation = RELATION.fullmatch(block.text) if block.item else None
        observation = OBSERVATION.fullmatch(block.text) if block.item else None
        if relation:
            self.reading.relate(_key(self.title), relation[1].strip() or "relates", _key(relation[2].partition("|")[0]))
        elif observation and not ENTRY_OF_OURS.match(block.text):
            self._observation(observation[1], observation[2], block)
        elif reason := not_worth(block):
            self.reading.left_out[reason] += 1
        else:
            headings = tuple(one for one in block.headings if one.casefold() not in ("observations", "relations"))
            self._add(note_of(block._replace(headings=headings), self.path, topic=(self.title,)))

    def _observation(self, category: str, said: str, block: Block) -> None:
        first, line_end, rest = said.partition("\n")
        tags = _TAG.findall(first)
        text = standing_alone(_without_tags(first), self.title) + line_end + rest
        prefix = prefix_of_category(category) or prefix_by_words(text)
        self._add(
            Note(
                text, self.path, block.line, prefix=prefix, topic=(self.title,), cues=tuple(tags),
                more=(("observation", category),),
            )
        )  # fmt: skip

    def _add(self, note: Note) -> None:
        """Add a note; the first one stands for the file where relations name it."""
        names: tuple[str, ...] = ()
        if self.first:
            self.first = False
            called = (self.title, self.head.text("permalink"), stem(self.path), self.path.removesuffix(".md"))
            names = tuple(dict.fromkeys(_key(name) for name in called if name))
        cues = tuple(dict.fromkeys([*note.cues, *self.tags]))
        item = self.head.text("permalink")[:LONGEST_NAME]
        self.reading.notes.append(note._replace(names=names, cues=cues, day=self.day, item=item))


def _without_tags(text: str) -> str:
    """Return ``text`` without the tags at its end."""
    words = text.split(" ")
    while len(words) > 1 and _TAG.fullmatch(words[-1]):
        words.pop()
    return " ".join(words)


def _key(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())
