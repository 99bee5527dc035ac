"""MN209: a cell without a topic."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells

_IN_USE = frozenset({"live", "stale", "proposed"})


@on_cells("MN209", "no-topic")
def NO_TOPIC(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A live, stale or proposed cell has no topic behind its ID.

    Why: topics group the spine, and are how a reader asks for one part of it.

    Bad:
        @ DEC-0001
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; write a path like `storage/cache` behind the ID.
    """
    for cell in batch.cells:
        if not cell.topic and cell.id and cell.status.state in _IN_USE:
            hint = f"write a path behind the ID: @ {cell.id}  area/part; a committed cell may get one, too"
            yield Hit(cell, *cell.span("id"), "no topic", hint)
