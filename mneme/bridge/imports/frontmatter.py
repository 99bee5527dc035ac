"""The block between ``---`` lines at the beginning of a Markdown file, as far as importers need it.

Read is the flat part of YAML that such blocks are written in: ``key: value``, quoted values, lists in brackets or in
lines with ``-``, texts folded over indented lines; a key below a key is called ``outer.inner``. Anchors, aliases and
tags are not expanded: whatever stands there, reading costs no more than its length. PyYAML would read all of YAML, with
what comes with that, and is a compiled package where it is fast; the one-file program holds pure Python only.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = "---"
_PAIR = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]*:(?:[ \t]+(.*))?")
_FOLDED = frozenset({"|", ">", "|-", ">-", "|+", ">+"})
_MOST_LINES = 200


class Front(NamedTuple):
    """Values by key in lower case, and where the text behind the block begins: offset, and number of its line."""

    values: dict[str, tuple[str, ...]]
    start: int
    line: int

    def text(self, key: str) -> str:
        """Return the value of ``key`` as one text; empty without one."""
        return ", ".join(self.values.get(key, ()))


def front(text: str) -> Front:
    """Read the block at the beginning of ``text``; without one there are no values and the text begins at once."""
    start = 1 if text.startswith("\ufeff") else 0
    if not text.startswith(_FENCE, start):
        return Front({}, start, 1)
    lines: list[str] = []
    at = start
    while at < len(text) and len(lines) <= _MOST_LINES:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].rstrip()
        at = min(end + 1, len(text))
        if lines and line in (_FENCE, "..."):
            return Front(_values(lines[1:]), at, len(lines) + 2)
        if not lines and line != _FENCE:
            break
        lines.append(line)
    return Front({}, start, 1)


def _values(lines: list[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    folded: set[str] = set()
    key = ""
    for line in lines:
        pair = _PAIR.fullmatch(line)
        if pair:
            key = pair[1].strip().casefold()
            value = (pair[2] or "").strip()
            found[key] = []
            if value in _FOLDED:
                folded.add(key)
            elif value.startswith("[") and value.endswith("]"):
                found[key] = [item for part in value[1:-1].split(",") if (item := _scalar(part))]
            elif scalar := _scalar(value):
                found[key] = [scalar]
        elif key and line.strip() and (line[0] in " \t-"):
            inner = line.strip()
            if key in folded:
                found[key] = [" ".join([*found[key], inner])]
            elif inner.startswith("- "):
                found[key] += [item] if (item := _scalar(inner[2:])) else []
            elif not found[key] and (nested := _PAIR.fullmatch(inner)):
                found[f"{key}.{nested[1].strip().casefold()}"] = [item] if (item := _scalar(nested[2] or "")) else []
    return {name: tuple(values) for name, values in found.items()}


def _scalar(text: str) -> str:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace('\\"', '"').strip()
    return text.partition(" #")[0].strip()
