"""MN003: a line that begins a cell and is no header."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Fix, Remark, Severity, on_oddities
from mneme.text.patch import Patch
from mneme.text.visible import quote


@on_oddities("MN003", "malformed-header", Severity.ERROR)
def MALFORMED_HEADER(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """A header without a blank behind the `@`, or without an ID.

    Why: such a line begins a cell. Without an ID the cell cannot be named, linked or changed; without the blank other
    readers take the line for text and give what follows to the cell above.

    Bad:
        @DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: the blank is put in; an ID is not made up (mneme new-id DEC prints a free one).
    """
    start, end = oddity.start, oddity.end
    if end > start + 1 and text[start + 1] not in BLANKS:
        fix = Fix("put a blank behind @", (Patch(start + 1, start + 1, " "),))
        return Remark(f"malformed header: no blank behind @ in {quote(text[start:end], 40)}", "", fix)
    return Remark("malformed header: a cell without an ID", "write '@ ID  topic'; mneme new-id DEC prints a free ID")
