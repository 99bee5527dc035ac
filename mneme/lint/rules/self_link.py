"""MN303: a cell that links to itself."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.lint.rules._links import target_span


@on_cells("MN303", "self-link")
def SELF_LINK(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A cell links to itself.

    Why: it says nothing, and the cell that was meant stays unlinked.

    Bad:
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  relates DEC-0002

    Good:
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Fix: none; add a link to the cell that is meant.
    """
    for cell in batch.linked:
        own = cell.id
        for index, link in enumerate(cell.links):
            if link.target == own:
                message = f"link {link.relation} {own}: the cell links to itself"
                yield Hit(cell, *target_span(cell, index), message, "name the other cell")
