"""Unified diffs of texts, line ends made visible by nothing but the line itself. Knows no format."""

from __future__ import annotations

import difflib

from mneme.text.visible import visible


def unified(before: str, after: str, name: str) -> str:
    """Return the unified diff from ``before`` to ``after``; empty when they are equal. Lines end at LF only."""
    shown = visible(name)
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{shown}", f"b/{shown}")
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines])


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
