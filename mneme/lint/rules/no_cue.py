"""MN208: nothing to recall the cell by."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells

_IN_USE = frozenset({"live", "stale", "proposed"})


@on_cells("MN208", "no-cue")
def NO_CUE(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A live, stale or proposed cell has no cue.

    Why: recall goes by cues. A cell without one is found only by the words of its gist and topic.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits / too many results

    Fix: none; write the words that somebody with this problem would use. A committed cell may get its
    first cues, too: what it lacked is filled in, nothing is changed.
    """
    for cell in batch.cells:
        if not cell.cue_lines and cell.status.state in _IN_USE:
            yield Hit(
                cell, *cell.head, "no cue to recall it by",
                "add: cue   words somebody would search / others; a committed cell may get its first cues, too",
            )  # fmt: skip
