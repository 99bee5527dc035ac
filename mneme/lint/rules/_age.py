"""How long ago cells were last confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from mneme.format.dates import parse_date
from mneme.format.model import Placed


def earliest(limit: int, today: date) -> str:
    """Return the earliest day, as the format writes it, that is at most ``limit`` days before ``today``."""
    return (today - timedelta(days=min(limit, (today - date.min).days))).isoformat()


def older_than(places: Iterable[Placed], limit: int, today: date) -> Iterator[tuple[Placed, int]]:
    """Yield the cells not seen for more than ``limit`` days, and for how many; not those without a readable date."""
    start = earliest(limit, today)
    for place in places:
        text = place.cell.status.seen
        if text >= start and len(text) == len(start):
            continue
        seen = parse_date(text)
        if seen is not None and (age := (today - seen).days) > limit:
            yield place, age
