"""What the rules about history share: which violations are theirs, and how two versions of a text are shown."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.history.changes import Difference
from mneme.history.guard import Verdict, Violation
from mneme.lint.rule import Corpus
from mneme.lint.secrets import masked
from mneme.text.visible import quote

LONGEST = 100
"""Characters of a version that a message shows."""

_CONTEXT = 20


def violations(corpus: Corpus, verdict: Verdict) -> Iterator[Violation]:
    """Yield what the guard calls ``verdict``."""
    return (violation for violation in corpus.violations if violation.verdict is verdict)


def versions(difference: Difference) -> str:
    """Return both versions of a value in words; of a long one, the part that differs."""
    before, after = masked(difference.before), masked(difference.after)
    if not before:
        return f"{difference.field} was empty, and is {quote(after, LONGEST)}"
    if not after:
        return f"{difference.field} was {quote(before, LONGEST)}, and is gone"
    if max(len(before), len(after)) > LONGEST:
        start = max(0, _common(before, after) - _CONTEXT)
        lead = "…" if start else ""
        before, after = lead + before[start:], lead + after[start:]
    return f"{difference.field} was {quote(before, LONGEST)}, and is {quote(after, LONGEST)}"


def shown(text: str) -> str:
    """Return a text in quotes: what is secret in it masked before it is cut, since half a token is not recognised."""
    return quote(masked(text), LONGEST)


def _common(one: str, other: str) -> int:
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return index
    return min(len(one), len(other))


def field_span(cell: Cell, name: str) -> tuple[int, int]:
    """Return where the first line of a field stands in ``cell``, else its header."""
    found = next((field for field in cell.fields if field.name == name), None)
    return (found.start, found.end) if found else cell.head


def prefix(cell_id: str) -> str:
    """Return the prefix of an ID, for a command that makes a new one."""
    return cell_id.partition("-")[0]


def at(source: str) -> str:
    """Return where the earlier version is, in words."""
    return "as committed" if source == "HEAD" else f"as {source} has it"
