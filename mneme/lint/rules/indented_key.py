"""MN008: a line head that does not stand in column 1."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.format.slips import INVISIBLE, first_token
from mneme.lint.rule import Fix, Remark, on_oddities
from mneme.text.patch import Patch
from mneme.text.visible import code_point, quote


@on_oddities("MN008", "indented-key")
def INDENTED_KEY(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """A key, `>` or `#` with blanks or an invisible character in front of it.

    Why: an indented key still counts, but other readers may not see it; `>` and `#` count in column 1 only, so an
    indented one is a line that nobody reads. An indented `@` hides a whole cell, and is a malformed-header.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
          cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: what stands in front is removed.
    """
    start, end, mark = oddity.start, oddity.end, oddity.detail
    hidden = [char for char in text[start:end] if char in INVISIBLE]
    behind = f"stands behind {code_point(hidden[0])}" if hidden else "is indented"
    fix = Fix("move it to column 1", (Patch(start, end, ""),), repairs=mark == ">")
    if mark:
        return Remark(f"'{mark}' {behind}: it counts in column 1 only, so nobody reads this line", "", fix)
    key = first_token(text[end : end + 20])
    return Remark(f"{quote(key)} {behind}: keys stand in column 1", "", fix)
