"""MN201: a cell without one of the four fields that every cell has."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.format.vocabulary import BLANKS, REQUIRED_FIELDS
from mneme.lint.rule import Batch, Hit, Settings, Severity, on_cells
from mneme.text.visible import quote


@on_cells("MN201", "missing-field", Severity.ERROR)
def MISSING_FIELD(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A cell has no gist, state, since or seen, or an empty one.

    Why: without a gist or a state the cell is not in the spine; without dates nobody knows how far to trust it.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; where a line of the cell is a slip of the missing key, key-slip repairs it.
    """
    for cell in batch.cells:
        status = cell.status
        if not (cell.gist and status.state and cell.since and status.seen):
            yield from _hits(cell)


def _hits(cell: Cell) -> Iterator[Hit[Cell]]:
    values = {"gist": cell.gist, "state": cell.status.state, "since": cell.since, "seen": cell.status.seen}
    for name in REQUIRED_FIELDS:
        if values[name]:
            continue
        start, end = cell.span(name)
        slip = next((odd for odd in cell.oddities if odd.detail == name and odd.name in _SLIPS), None)
        if cell.field(name) is not None:
            yield Hit(cell, start, end, f"missing field: {name} is empty", _HINTS[name])
        elif slip is None:
            yield Hit(cell, start, end, f"missing field: {name}", _HINTS[name])
        elif cell.text[slip.start : slip.end] == name:
            yield Hit(cell, slip.start, slip.end, f"missing field: {name} has no value", _HINTS[name])
        else:
            written = quote(cell.text[slip.start : slip.end].strip(BLANKS), 40)
            hint = _HINTS[name] if slip.name != "key-slip" else "the fix of the key-slip beside it cures both"
            yield Hit(cell, slip.start, slip.end, f"missing field: {name}; is it this: {written}?", hint)


_SLIPS = ("key-slip", "unknown-line", "unknown-token")
_HINTS = {
    "gist": "say in one line what is true: gist  …",
    "state": "state  proposed, live, stale, superseded or retired",
    "since": "since YYYY-MM-DD: the day it was established",
    "seen": "seen YYYY-MM-DD: the day it was last confirmed",
}
