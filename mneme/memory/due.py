"""Which cells somebody should look at again, and why, the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import IntEnum
from typing import NamedTuple

from mneme.config import Config
from mneme.format.dates import parse_date
from mneme.format.model import Cell, Placed
from mneme.history.doubt import Doubt, Judged, Kind


class Urgency(IntEnum):
    """How bad it is that nobody looks; the larger, the sooner."""

    PROPOSED = 1
    STALE = 2
    OVERDUE = 3
    CHANGED = 4
    MISSING = 5


class Due(NamedTuple):
    """A cell to look at, with the reasons in words and the doubts about its evidence; ``age`` in days since seen."""

    place: Placed
    urgency: Urgency
    reasons: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    age: int


def due_cells(placed: Sequence[Placed], judged: Judged, config: Config, today: date) -> list[Due]:
    """Return what is due, worst first: evidence that is gone, that changed (much before little), age, old doubts."""
    doubts: dict[int, list[Doubt]] = {}
    for doubt in judged.doubts:
        doubts.setdefault(id(doubt.place.cell), []).append(doubt)
    settled = {id(place.cell) for place in judged.settled}
    found = []
    for place in placed:
        due = _judge(place, doubts.get(id(place.cell), []), config, today, settled=id(place.cell) in settled)
        if due:
            found.append(due)
    found.sort(key=lambda due: (-due.urgency, -_size(due), -due.age))
    return found


def _judge(place: Placed, doubts: list[Doubt], config: Config, today: date, *, settled: bool) -> Due | None:
    cell = place.cell
    age = days_unseen(cell, today)
    reasons = [doubt.words for doubt in doubts]
    urgency = 0
    if doubts:
        urgency = Urgency.CHANGED if all(doubt.kind is Kind.CHANGED for doubt in doubts) else Urgency.MISSING
    match cell.status.state:
        case "live" if (limit := overdue(cell, config, today, settled=settled)) is not None:
            reasons.append(f"not confirmed for {age} days (limit {limit})")
            urgency = max(urgency, Urgency.OVERDUE)
        case "stale":
            reasons.append(f"stale, last confirmed {age} days ago")
            urgency = Urgency.STALE
        case "proposed" if age > config.lint.proposed_days:
            reasons.append(f"proposed, and not decided for {age} days (limit {config.lint.proposed_days})")
            urgency = Urgency.PROPOSED
    return Due(place, Urgency(urgency), tuple(reasons), tuple(doubts), age) if urgency else None


def days_unseen(cell: Cell, today: date) -> int:
    """Return the days since a cell was last confirmed; 0 where its date cannot be read."""
    seen = parse_date(cell.status.seen)
    return 0 if seen is None else (today - seen).days


def overdue(cell: Cell, config: Config, today: date, *, settled: bool = False) -> int | None:
    """Return the limit in days that a live cell has passed; None when it has not, or is not live."""
    if cell.status.state != "live" or parse_date(cell.status.seen) is None:
        return None
    limit = config.decay_for(cell.id, settled=settled)
    return limit if days_unseen(cell, today) > limit else None


def _size(due: Due) -> int:
    return sum(doubt.added + doubt.removed for doubt in due.doubts)
