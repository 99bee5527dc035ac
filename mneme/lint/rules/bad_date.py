"""MN203: a date that is none."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.dates import meant_date, parse_date
from mneme.format.model import Cell
from mneme.lint.rule import Batch, Fix, Hit, Settings, Severity, on_cells
from mneme.text.patch import Patch
from mneme.text.visible import quote


@on_cells("MN203", "bad-date", Severity.ERROR)
def BAD_DATE(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A `since` or `seen` is not a real day written as YYYY-MM-DD.

    Why: a reader that completes half a date from today's makes a forgotten memory look fresh for ever.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026/11/20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: where the day that is meant is certain (`20261120`, `2026-11-5`, `2026-11-20T09:00`), it is written as a date.
    """
    dates = {cell.since for cell in batch.cells}
    dates.update([cell.status.seen for cell in batch.cells])
    bad = {text for text in dates if text and parse_date(text) is None}
    if not bad:
        return
    for cell in batch.cells:
        if cell.since in bad:
            yield _hit(cell, "since", cell.since)
        if cell.status.seen in bad:
            yield _hit(cell, "seen", cell.status.seen)


def _hit(cell: Cell, name: str, value: str) -> Hit[Cell]:
    start, end = cell.span(name)
    meant = meant_date(value)
    message = f"bad date: {name} {quote(value, 40)} is no day written as YYYY-MM-DD"
    if not meant:
        return Hit(cell, start, end, message, "write the day that is meant, for example 2026-06-03")
    # since is content, which only a repair may change; seen is state.
    fix = Fix(f"write {meant}", (Patch(start, end, meant),), repairs=name == "since")
    return Hit(cell, start, end, message, f"write {meant}", fix)
