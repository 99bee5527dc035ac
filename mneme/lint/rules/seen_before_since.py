"""MN204: confirmed before it was established."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.dates import parse_date
from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, Severity, on_cells


@on_cells("MN204", "seen-before-since", Severity.ERROR)
def SEEN_BEFORE_SINCE(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """The date a cell was last confirmed lies before the date it was established.

    Why: one of the two is wrong, and decay is reckoned from it.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-20   seen 2026-11-01
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; mneme seen ID confirms the cell today, if that is true.
    """
    for cell in batch.cells:
        seen, since = cell.status.seen, cell.since
        if seen < since and parse_date(seen) and parse_date(since):
            yield Hit(
                cell, *cell.span("seen"), f"seen {seen} lies before since {since}",
                f"swapped? If it holds today: mneme seen {cell.id}",
            )  # fmt: skip
