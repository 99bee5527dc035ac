"""What is wrong with a file so that it cannot be compiled: two cells with one ID, what a merge left, broken headers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from mneme.config import Config
from mneme.errors import UnreadableFile
from mneme.format.model import Document

if TYPE_CHECKING:
    from mneme.lint.engine import Report

CODES = ("MN001", "MN002", "MN003", "MN101")
"""Unreadable bytes, conflict markers, malformed headers, duplicate IDs: the lint rules that refuse a file."""

_ODDITIES = frozenset({"conflict-marker", "malformed-header"})


def structural(documents: Sequence[Document], unreadable: Sequence[UnreadableFile], today: date) -> Report | None:
    """Return the findings for which the files cannot be compiled; None when there are none."""
    if not unreadable and not suspicious(documents):
        return None
    from mneme.lint.engine import run
    from mneme.lint.rule import Settings
    from mneme.lint.rules import RULES
    from mneme.lint.select import make_selection

    plain = Config()  # neither configuration nor a comment may hide what would lose a cell
    selection = make_selection(RULES, plain, select=CODES)
    report = run(documents, selection, Settings(plain, today), unreadable=unreadable, suppressing=False)
    return report if report.findings else None


def suspicious(documents: Sequence[Document], others: Iterable[str] = ()) -> bool:
    """Whether a closer look is due; ``others`` are the IDs in files that are known to be sound."""
    seen = set(others)
    for document in documents:
        if any(oddity.name in _ODDITIES for oddity in document.strays):
            return True
        for cell in document.cells:
            if not cell.id or cell.id in seen or (cell.oddities and any(o.name in _ODDITIES for o in cell.oddities)):
                return True
            seen.add(cell.id)
    return False
