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
    ranked = sorted(cells, key=_weight, reverse=True)
    if len(ranked) > 1 and _weight(ranked[0]) == _weight(ranked[1]):
        return None
    return ranked[0] if ranked else None


def _weight(cell: Cell) -> tuple[int, date]:
    conf = cell.status.conf or DEFAULT_CONFIDENCE
    rank = len(CONFIDENCES) - CONFIDENCES.index(conf) if conf in CONFIDENCES else 0
    return rank, parse_date(cell.status.seen) or date.min
