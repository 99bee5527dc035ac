"""MN002: a merge that nobody finished."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.lint.rule import Remark, Severity, on_oddities
from mneme.text.visible import quote


@on_oddities("MN002", "conflict-marker", Severity.ERROR)
def CONFLICT_MARKER(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """A line that git left behind in a conflict: seven `<`, `=`, `>` or `|` in column 1.

    Why: what follows belongs to two versions at once, and a reader would take the later one without a word.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        <<<<<<< HEAD
        cue   paging / limits
        =======
        cue   paging / page size
        >>>>>>> feature/limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits / page size

    Fix: none; decide between the two sides and delete the marker lines.
    """
    return Remark(
        f"a merge conflict was left here: {quote(text[oddity.start : oddity.end], 40)}",
        "keep what holds of the two sides, and delete the marker lines",
    )
