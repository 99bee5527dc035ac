"""MN202: one field, two values."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, Severity, on_cells
from mneme.text.visible import quote


@on_cells("MN202", "duplicate-field", Severity.ERROR)
def DUPLICATE_FIELD(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A cell gives one field two different values.

    Why: the last one counts, whichever is right. A union merge or a lost line end does this, and can bring a superseded
    belief back to life.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        state live   conf low    since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; keep the value that is right.
    """
    for cell, (_, start, end, name) in batch.odd.get("duplicate-field", ()):
        earlier = [field for field in cell.fields if field.name == name and field.start < start][-1]
        line = cell.text.count("\n", earlier.start, start)
        above = f"{line} line{'s' * (line > 1)} above" if line else "on the same line"
        yield Hit(
            cell, start, end,
            f"duplicate field: two values for {name}, {quote(cell.text[earlier.start : earlier.end], 40)} {above}"
            f" and {quote(cell.text[start:end], 40)} here; the last one counts",
            "keep the one that is right",
        )  # fmt: skip
