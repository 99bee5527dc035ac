"""Patches that add to and take from JSON with comments, in the text's own style, touching nothing else.

Additions are insertions only, so whoever remembers where they went can take them out again to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mneme.text.jsonc import BLANKS, Container, Node
from mneme.text.patch import Patch

DEFAULT_INDENT = "  "


def append(text: str, root: Node, container: Container, new: Mapping[str, Any] | Sequence[Any]) -> list[Patch]:
    """Return the insertions that put ``new`` at the end of ``container``: members into an object, items into an array.

    ``root`` is the value of the whole ``text``; where ``container`` shows no style of its own, the style is taken
    from there.
    """
    newline, unit = newline_of(text), _unit(text, root)
    spread = _is_spread(text, root, container)
    outer = _line_indent(text, container.start)
    indent = _item_indent(text, container, outer + unit)

    def rendered(value: Any) -> str:
        if not spread:
            return json.dumps(value, ensure_ascii=False)
        return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + indent)

    if isinstance(new, Mapping):
        pieces = [f"{json.dumps(key, ensure_ascii=False)}: {rendered(value)}" for key, value in new.items()]
    else:
        pieces = [rendered(value) for value in new]
    if not pieces:
        return []
    at = max(container.start + 1, len(text[: container.end - 1].rstrip(BLANKS)))
    trailing = bool(container.items) and len(container.commas) == len(container.items)
    patches = []
    if container.items and not trailing:
        end = container.items[-1].end
        patches.append(Patch(end, end, ","))
    gap = newline + indent if spread else " "
    added = f",{gap}".join(pieces) + ("," if trailing else "")
    lead = gap if spread or container.items else ""
    closing = spread and not any(char in "\r\n" for char in text[at : container.end - 1])
    tail = newline + outer if closing and not container.items else ""
    patches.append(Patch(at, at, lead + added + tail))
    return patches


def remove(text: str, container: Container, index: int) -> list[Patch]:
    """Return the patches that take item ``index`` out of ``container``, with one comma and the blanks it leaves."""
    item = container.items[index]
    commas = container.commas
    own = commas[index] if index < len(commas) else None
    tail = item.end if own is None else own + 1
    if len(container.items) == 1:
        after = (
            text[item.end : container.end - 1] if own is None else text[item.end : own] + text[tail : container.end - 1]
        )
        if not (text[container.start + 1 : item.start] + after).strip(BLANKS):
            return [Patch(container.start + 1, container.end - 1, "")]
    before = len(text[: item.start].rstrip(BLANKS))
    rest = text[tail : container.end]
    follows = rest.lstrip(" \t")
    patches: list[Patch] = []
    if follows[:1] not in ("\r", "\n") and any(char in "\r\n" for char in text[before : item.start]):
        # Something shares its line. The line end before stays: it may be what ends a comment.
        before = item.start
        patches.append(Patch(tail, tail + len(rest) - len(follows), ""))
    patches.append(Patch(before, item.end, ""))
    comma = own if own is not None else commas[index - 1] if index else None
    if comma is not None:
        patches.append(Patch(comma, comma + 1, ""))
    return patches


def newline_of(text: str) -> str:
    """Return the line end that ``text`` uses first, LF when it has none."""
    at = next((index for index, char in enumerate(text) if char in "\r\n"), None)
    if at is None or text[at] == "\n":
        return "\n"
    return "\r\n" if text[at + 1 : at + 2] == "\n" else "\r"


def _is_spread(text: str, root: Node, container: Container) -> bool:
    """Whether the items of ``container`` stand on lines of their own."""
    if container.items:
        edges = text[container.start : container.items[0].start] + text[container.items[-1].end : container.end]
    else:
        edges = text[root.start : root.end]
        if container.start == root.start:
            return True
    return any(char in "\r\n" for char in edges)


def _line_indent(text: str, offset: int) -> str:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = text[start:offset].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _item_indent(text: str, container: Container, default: str) -> str:
    """Return the blanks before the last item that begins its line."""
    for item in reversed(container.items):
        start = max(text.rfind("\n", 0, item.start), text.rfind("\r", 0, item.start)) + 1
        if start > container.start and not text[start : item.start].strip(" \t"):
            return text[start : item.start]
    return default


def _unit(text: str, root: Node) -> str:
    """Return one step of indentation as the root's items show it."""
    if not isinstance(root, Container):
        return DEFAULT_INDENT
    outer = _line_indent(text, root.start)
    return _item_indent(text, root, outer + DEFAULT_INDENT).removeprefix(outer) or DEFAULT_INDENT
