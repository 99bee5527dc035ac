"""MN007: ＞ or ＃ where > or # is meant. Of ＠ malformed-header speaks."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.lint.rule import Fix, Remark, on_oddities
from mneme.text.patch import Patch
from mneme.text.visible import code_point


@on_oddities("MN007", "full-width-mark")
def FULL_WIDTH_MARK(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """A line begins with the full-width form of `>` or `#`, as East Asian input methods type it.

    Why: only the plain sign counts, so nobody reads the line. A full-width `@` hides a whole cell, and is a
    malformed-header.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        ＞ The mobile team asked for it after the outage.

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        > The mobile team asked for it after the outage.

    Fix: the plain sign is written.
    """
    start, end, mark = oddity.start, oddity.end, oddity.detail
    fix = Fix(f"write {mark}", (Patch(start, end, mark),), repairs=mark != "#")
    written = text[end - 1]
    return Remark(f"full-width {written} ({code_point(written)}) at the line head, where only {mark} counts", "", fix)
