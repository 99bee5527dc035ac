"""MN016: a gist that ends in what looks like a comment."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.lazy import lazy
from mneme.text.visible import quote

_COMMENT = lazy(f"[{BLANKS}]{{2,}}#[{BLANKS}]")


@on_cells("MN016", "gist-comment")
def GIST_COMMENT(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A gist with two or more blanks and a `# …` behind them.

    Why: in a gist `#` is text ("fix issue #42", "use C#"), so the comment is part of the memory and of the spine.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200     # asked for by the mobile team
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200 (issue #42)
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        > Asked for by the mobile team.

    Fix: none, since a gist is content: move the note before the cell is committed.
    """
    for cell in batch.cells:
        if "# " in cell.gist and (match := _COMMENT.search(cell.gist)):
            start, end = cell.span("gist")
            note = cell.gist[match.end() - 2 :]
            yield Hit(
                cell, start + match.end() - 2, end, f"the gist carries what looks like a comment: {quote(note, 40)}",
                "in a gist # is text; put the note into a body line or a # line of its own",
            )  # fmt: skip
