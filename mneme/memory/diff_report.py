"""A diff of a memory as text for a terminal, as Markdown for a pull request, and as data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from mneme.history.changes import Kind
from mneme.lint.conceal import printable
from mneme.memory.diff import WORDS, Diff, Fact, Line, Name, Quote
from mneme.text.visible import visible

MOST = 20
"""Cells of one heading that a comment shows openly; the rest is folded away."""

LONGEST = 120
"""Characters of a text of the memory's that are shown."""

_SHORT = frozenset({"confirmed", "moved", "linked", "changed", "repaired"})
"""What needs no gist: the cell is as it was."""


def text(diff: Diff) -> str:
    """Return a line a cell below each file, and how many there are of what."""
    width = max([len(line.cell.id) for line in diff.lines], default=0)
    parts = []
    for path, lines in groupby(diff.lines, key=lambda line: line.path):
        parts.append(f"{visible(path)}\n")
        parts += [f"  {line.word:<10}  {visible(line.cell.id):<{width}}  {_told(line)}\n" for line in lines]
    parts += [f"{sentence}\n" for sentence in _forked(diff)]
    return "".join([*parts, f"{_counted(diff)}\n"])


def _told(line: Line) -> str:
    facts = "; ".join([_in_words(fact) for fact in line.facts])
    return f"{facts}  {_gist(line)}" if _wants_gist(line) else facts


def _wants_gist(line: Line) -> bool:
    """Whether a reader needs to be told what the cell says: not when that is told anyway, or is as it was."""
    return line.word not in _SHORT and all(difference.field != "gist" for difference in line.change.differences)


def _in_words(fact: Fact) -> str:
    return "".join([f'"{_cut(part)}"' if isinstance(part, Quote) else printable(part) for part in fact.parts])


def _gist(line: Line) -> str:
    return _cut(line.cell.gist)


def _cut(words: str) -> str:
    """Return a text of the memory's on one line, as long as can be shown, and without secrets."""
    plain = printable(words.replace("\n", " / "))
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def _counted(diff: Diff) -> str:
    counts = [f"{count} {_NOUNS.get(word, word)}" for word, count in diff.counts.items()]
    return f"against {visible(diff.base)}: {', '.join(counts) if counts else 'nothing changed'}"


_NOUNS = {"violation": "not allowed", "state": "with another state"}


def _forked(diff: Diff) -> Iterator[str]:
    for old, new in diff.forks.items():
        yield (
            f"forked: {visible(old)} is superseded by {len(new)} live cells: {visible(', '.join(new))}; "
            "settle it: mneme conflicts"
        )


# --- Markdown ---------------------------------------------------------------------------------------------------------


def markdown(diff: Diff) -> str:
    """Return the body of a comment: what is not allowed first, then by heading; every text of the memory in code spans.

    In a code span nothing is markup, and nobody is mentioned.
    """
    counts = [f"{count} {_NOUNS.get(word, word)}" for word, count in diff.counts.items()]
    parts = [f"### Memory: {', '.join(counts) if counts else 'nothing changed'}\n"]
    for old, new in diff.forks.items():
        names = ", ".join([code(cell_id) for cell_id in new])
        parts.append(f"\n:warning: {code(old)} is superseded by {len(new)} live cells: {names}. One has to give way.\n")
    for word, heading in WORDS.items():
        lines = [line for line in diff.lines if line.word == word]
        if not lines:
            continue
        rule = ": content never changes, cells are never deleted" if word == "violation" else ""
        title = f"{':x: ' if rule else ''}**{heading}**{rule}"
        parts.append(f"\n{title}\n\n")
        rows = _rows(word, lines)
        parts += rows[:MOST]
        if len(rows) > MOST:
            rest = "".join(rows[MOST:])
            parts.append(f"\n<details><summary>and {len(rows) - MOST} more</summary>\n\n{rest}\n</details>\n")
    return "".join(parts)


def _rows(word: str, lines: Sequence[Line]) -> list[str]:
    if word == "confirmed":
        return [f"- {', '.join([code(line.cell.id) for line in lines])}\n"]
    return [_row(line) for line in lines]


def _row(line: Line) -> str:
    facts = "; ".join([_in_markdown(fact) for fact in line.facts])
    place = code(f"{line.path}:{line.line}") if line.forbidden else code(line.path)
    gist = f" {code(_gist(line))}" if _wants_gist(line) else ""
    return f"- {code(line.cell.id)}{gist}: {facts} ({place})\n"


def _in_markdown(fact: Fact) -> str:
    return "".join([
        code(_cut(part)) if isinstance(part, Quote | Name) else part.replace("->", "→") for part in fact.parts
    ])  # fmt: skip


def code(words: str) -> str:
    """Return ``words`` as a code span, whatever is in them: one line, fenced by more backticks than they hold."""
    words = printable(" ".join(words.split()))
    longest = max((len(run) for run in re.findall("`+", words)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if words.startswith("`") or words.endswith("`") or not words else ""
    return f"{fence}{padding}{words}{padding}{fence}"


# --- data -------------------------------------------------------------------------------------------------------------


def data(diff: Diff) -> dict[str, Any]:
    """Return the diff for JSON; lines count from 1."""
    return {
        "base": diff.base,
        "counts": diff.counts,
        "cells": [_line_data(line) for line in diff.lines],
        "forked": [{"cell": old, "successors": new} for old, new in diff.forks.items()],
    }


def _line_data(line: Line) -> dict[str, Any]:
    old, new = line.change.old, line.change.new
    return {
        "id": line.cell.id,
        "word": line.word,
        "forbidden": line.forbidden,
        "gist": printable(line.cell.gist),
        "path": new.document.name if new else None,
        "line": line.line if new else None,
        "old_path": old.document.name if old else None,
        "old_id": old.cell.id if old else None,
        "facts": [{"text": _in_words(fact), "forbidden": fact.forbidden} for fact in line.facts],
        "differences": [
            {
                "kind": difference.kind.value, "field": difference.field,
                "before": "" if difference.kind is Kind.REDACTED else printable(difference.before),
                "after": printable(difference.after),
            }
            for difference in line.change.differences
        ],
    }  # fmt: skip
