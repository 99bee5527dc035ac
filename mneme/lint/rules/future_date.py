"""MN207: a date far ahead."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from mneme.format.dates import parse_date
from mneme.format.model import Cell
from mneme.format.vocabulary import FUTURE_DAYS
from mneme.lint.rule import Batch, Hit, Settings, on_cells


@on_cells("MN207", "future-date")
def FUTURE_DATE(batch: Batch, settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A `since` or `seen` lies more than two days ahead of today.

    Up to two days ahead is no finding: somebody east of here wrote it.

    Why: a cell that was seen in the future does not decay until long after.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 3026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; write the day that is meant.
    """
    today = settings.today
    latest = (today + min(timedelta(days=FUTURE_DAYS), date.max - today)).isoformat()
    for cell in batch.cells:
        if cell.status.seen > latest or cell.since > latest:
            for name, value in (("since", cell.since), ("seen", cell.status.seen)):
                if value > latest and (day := parse_date(value)) is not None:
                    ahead = (day - today).days
                    message = f"{name} {value} lies {ahead} days ahead of today ({today.isoformat()})"
                    yield Hit(cell, *cell.span(name), message, "a wrong year? or a clock that is wrong here?")
