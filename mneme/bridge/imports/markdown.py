"""What a Markdown text says, block by block: items of lists and paragraphs, with the headings they stand under.

Structure is CommonMark's, by markdown-it-py; the text of a block stays as it was written, emphasis and all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mneme.bridge.imports.note import LONGEST_NAME

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

HEADINGS, CODE, COMMENTS, HTML, TABLES = "headings", "code blocks", "HTML comments", "HTML blocks", "tables"
LEAD_INS, LINKS, IMPORTS, DONE = "lead-ins", "bare links", "imports", "done tasks"
OF_OURS, OF_OURS_MADE = "blocks written by mneme", "entries made from cells"
LITTLE, BOILERPLATE, PLACEHOLDERS = "blocks without words", "boilerplate", "placeholders"

ENTRY_OF_OURS = re.compile(r"\[[A-Z][A-Z0-9]*-[0-9a-z]+\] ")
"""What a projection of cells writes before a gist: such an entry is a cell already."""

_BOX = re.compile(r"\[([ xX])\][ \t]+")
_LINK_ALONE = re.compile(r"!?\[[^\]]*\](?:\([^()]*\)|\[[^\]]*\])[\s.:]*|<?https?://\S+>?|`?[\w./-]+\.(?:md|mdc|txt)`?")
_LABEL = re.compile(r"(?:\*\*[^*]+\*\*|__[^_]+__):?")
_LABEL_BEFORE = re.compile(r"(?:\*\*[^*]+\*\*|__[^_]+__):?[ \t]*|\*\*[^*]+:\*\*[ \t]*")
_NEGATION = re.compile(
    r"\b(?:not|never|no|avoid|don['\u2019]t|without|forbidden|anti-?patterns?|nicht|nie|niemals|kein\w*|jamais|nunca|evita\w*)\b"
    "|\u4e0d\u8981|\u7981\u6b62|\u907f\u514d|\u4e0d\u5f97|\u8bf7\u52ff",
    re.IGNORECASE,
)
"""In a heading or a lead-in: without it, what stands below would say the opposite."""

_PLACEHOLDER = re.compile(r"[\[{<][^\[\]{}<>]*[\]}>]")
_BOILERPLATE = (
    "this file provides guidance to claude code",
    "this file provides guidance to ai coding agents",
    "this file provides guidance to agents",
    "this file provides instructions for",
    "guidance for ai agents working in this repository",
    "add your rules here",
)
_EAST_ASIA = 0x2E80
"""From here on a character says as much as three letters."""

_FEW_WORDS, _FEW_CHARACTERS = 4, 25


class Block(NamedTuple):
    """An item of a list or a paragraph: its lines, where it begins (from 1), and the headings it stands under.

    ``task``: it is an open task by its box. ``lead`` is the paragraph that leads in the list.
    """

    text: str
    line: int
    headings: tuple[str, ...]
    item: bool
    task: bool = False
    lead: str = ""

    @property
    def context(self) -> str:
        """What the block is about: what leads it in, else the nearest heading."""
        return self.lead or (self.headings[-1] if self.headings else "")


class Section(NamedTuple):
    """A heading, and all blocks below it up to the next heading of any level."""

    title: str
    level: int
    line: int
    blocks: list[Block]


def sections(text: str, left_out: Counter[str], first_line: int = 1) -> list[Section]:
    """Return the sections of ``text``; the first has no title. What is no block is counted in ``left_out``."""
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])  # the text of a block stays as it is
    tree = SyntaxTreeNode(parser.parse(text))
    return _Walk(left_out, first_line).sections(tree)


def blocks(text: str, left_out: Counter[str], first_line: int = 1) -> Iterator[Block]:
    """Yield the blocks of ``text`` that are worth a note; the others are counted in ``left_out``."""
    for section in sections(text, left_out, first_line):
        for block in section.blocks:
            if reason := not_worth(block):
                left_out[reason] += 1
            else:
                yield block


def not_worth(block: Block) -> str:
    """Return why a block is no note; empty when it is one."""
    text = block.text
    if ENTRY_OF_OURS.match(text):
        return OF_OURS_MADE
    label = _LABEL_BEFORE.match(text)
    text = text[label.end() :].strip("`") if label and label.end() < len(text) else text
    if _LINK_ALONE.fullmatch(text):
        return LINKS
    if all(word.startswith("@") and ("/" in word or "." in word) for word in text.split()):
        return IMPORTS
    if not any(char.isalpha() for char in text):
        return LITTLE
    if text.casefold().startswith(_BOILERPLATE):
        return BOILERPLATE
    if _PLACEHOLDER.fullmatch(text):
        return PLACEHOLDERS
    if "\n" not in text and text.endswith((":", "：")):
        return LEAD_INS
    return ""


def standing_alone(text: str, context: str) -> str:
    """Return ``text``, after what it is about when it is short, or would say the opposite without."""
    width = sum(3 if ord(char) >= _EAST_ASIA else 1 for char in text[:_FEW_CHARACTERS])
    short = width < _FEW_CHARACTERS and len(text.split()) < _FEW_WORDS
    about = context.strip().rstrip(":：")
    needed = short or _NEGATION.search(about)
    return f"{about}: {text}" if needed and about and about.casefold() not in text.casefold() else text


class _Walk:
    def __init__(self, left_out: Counter[str], first_line: int) -> None:
        self.left_out = left_out
        self.first_line = first_line
        self.stack: list[tuple[int, str]] = []
        self.lead = ""
        self.found = [Section("", 0, first_line, [])]

    def sections(self, root: SyntaxTreeNode) -> list[Section]:
        for node in root.children:
            self._node(node)
        return self.found

    def _node(self, node: SyntaxTreeNode) -> None:
        lead, self.lead = self.lead, ""
        match node.type:
            case "heading":
                self._heading(node)
            case "paragraph":
                said = plain(_inline(node))
                self.lead = said if said.endswith((":", "：")) and len(said) <= LONGEST_NAME else ""
                self._add(said, node, self._headings, item=False)
            case "bullet_list" | "ordered_list":
                self.lead = lead
                for item in node.children:
                    self._item(item, self._headings)
                self.lead = ""
            case "blockquote":
                for child in node.children:
                    self._node(child)
            case _:
                self._count(node)

    def _count(self, node: SyntaxTreeNode) -> None:
        match node.type:
            case "fence" | "code_block":
                self.left_out[CODE] += 1
            case "table":
                self.left_out[TABLES] += 1
            case "html_block":
                self.left_out[COMMENTS if node.content.lstrip().startswith("<!--") else HTML] += 1

    def _heading(self, node: SyntaxTreeNode) -> None:
        level = int(node.tag[1:])
        title = plain(_inline(node))[:LONGEST_NAME]
        self.stack = [(depth, text) for depth, text in self.stack if depth < level] + [(level, title)]
        self.found.append(Section(title, level, self._line(node), []))
        self.left_out[HEADINGS] += 1

    @property
    def _headings(self) -> tuple[str, ...]:
        """The headings in force, but the title of the whole text: it tells its notes from no others."""
        return tuple(text for depth, text in self.stack if depth > 1)

    def _item(self, node: SyntaxTreeNode, headings: tuple[str, ...]) -> None:
        children = node.children
        own = plain(_inline(children[0])) if children and children[0].type == "paragraph" else ""
        rest = children[1:] if own else children
        label = own.endswith((":", "：")) or _LABEL.fullmatch(own) or not own
        command = _one_line_of_code(rest)
        if own and label and command:
            self._add(f"{own} `{command}`", node, headings, item=True)
            return
        if label and any(child.type.endswith("_list") for child in rest):
            inner = (*headings, own[:LONGEST_NAME].strip("*_:： ")) if own else headings
            lead, self.lead = self.lead, "" if own else self.lead
            self.left_out[LEAD_INS] += bool(own)
            for child in rest:
                if child.type.endswith("_list"):
                    for item in child.children:
                        self._item(item, inner)
                elif child.type == "paragraph":
                    self._add(_inline(child), child, inner, item=True)
                else:
                    self._count(child)
            self.lead = lead
            return
        lines = [own, *(line for child in rest for line in self._lines(child, 0))]
        self._add("\n".join(lines), node, headings, item=True)

    def _lines(self, node: SyntaxTreeNode, depth: int) -> Iterator[str]:
        """Yield what stands in an item below its first paragraph."""
        match node.type:
            case "paragraph":
                yield plain(_inline(node))
            case "bullet_list" | "ordered_list":
                for item in node.children:
                    for number, child in enumerate(item.children):
                        for line in self._lines(child, depth + 1):
                            yield f"{'  ' * depth}{'  ' if number else '- '}{line}"
            case "blockquote" | "heading":
                for child in node.children:
                    if child.type == "inline":
                        yield plain(child.content)
                    else:
                        yield from self._lines(child, depth)
            case _:
                self._count(node)

    def _add(self, text: str, node: SyntaxTreeNode, headings: tuple[str, ...], *, item: bool) -> None:
        said = text if item else plain(text)
        said = said.strip()
        box = _BOX.match(said)
        if box and box[1] != " ":
            self.left_out[DONE] += 1
            return
        said = said[box.end() :].strip() if box else said
        if said:
            block = Block(
                said, self._line(node), tuple(filter(None, headings)), item, box is not None, self.lead * item
            )
            self.found[-1].blocks.append(block)

    def _line(self, node: SyntaxTreeNode) -> int:
        return self.first_line + (node.map[0] if node.map else 0)


def _one_line_of_code(nodes: list[SyntaxTreeNode]) -> str:
    """Return the code of an item that has one line of it below its label, and nothing else."""
    if len(nodes) != 1 or nodes[0].type not in ("fence", "code_block"):
        return ""
    code = nodes[0].content.strip()
    return "" if "\n" in code or "`" in code else code


def _inline(node: SyntaxTreeNode) -> str:
    return next((child.content for child in node.children if child.type == "inline"), "")


def plain(text: str) -> str:
    """Return the text of a block as one line, without comments."""
    return " ".join(without_comments(text).split())


def without_comments(text: str) -> str:
    """Return ``text`` without ``<!-- … -->``; one that has no end is text."""
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join([*parts, text[at:]])
