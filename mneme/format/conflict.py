"""Which of two cells that disagree holds (format, section 4): higher confidence wins, then the one seen later."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from mneme.format.dates import parse_date
from mneme.format.model import Cell
from mneme.format.vocabulary import CONFIDENCES, DEFAULT_CONFIDENCE


def stronger(cells: Iterable[Cell]) -> Cell | None:
    """Return the one of the live ``cells`` that holds; None when confidence and date do not decide.

    An unknown confidence weighs less than a known one, an unreadable date less than any.
    """
    first = strongest(cells)
    return first[0] if len(first) == 1 else None


def strongest(cells: Iterable[Cell]) -> list[Cell]:
    """Return those of the live ``cells`` that confidence and date put above all others: more than one is a tie."""
    known = list(cells)
    most = max(map(_weight, known), default=None)
    return [cell for cell in known if _weight(cell) == most]


def _weight(cell: Cell) -> tuple[int, date]:
    conf = cell.status.conf or DEFAULT_CONFIDENCE
    rank = len(CONFIDENCES) - CONFIDENCES.index(conf) if conf in CONFIDENCES else 0
    return rank, parse_date(cell.status.seen) or date.min
