"""MN003: a line that begins a cell and is no header."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.format.slips import FULL_WIDTH, INVISIBLE
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Fix, Remark, Severity, on_oddities
from mneme.text.patch import Patch
from mneme.text.visible import code_point, quote


@on_oddities("MN003", "malformed-header", Severity.ERROR)
def MALFORMED_HEADER(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """A header without a blank behind the `@`, without an ID, or whose `@` is full-width or not in column 1.

    Why: without an ID the cell cannot be named, linked or changed; without the blank other readers take the line for
    text and give what follows to the cell above. A full-width or indented `@` begins no cell at all: a memory is gone,
    and its fields overwrite those of the cell above, or belong to nobody.

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

    Fix: the blank is put in, the sign written plainly in column 1; behind blanks only with --unsafe-fixes, since that
    may be a quote. An ID is not made up (mneme new-id DEC prints a free one).
    """
    start, end = oddity.start, oddity.end
    if oddity.detail == "@":
        return _hidden(text, start, end)
    if end > start + 1 and text[start + 1] not in BLANKS:
        fix = Fix("put a blank behind @", (Patch(start + 1, start + 1, " "),))
        return Remark(f"malformed header: no blank behind @ in {quote(text[start:end], 40)}", "", fix)
    return Remark("malformed header: a cell without an ID", "write '@ ID  topic'; mneme new-id DEC prints a free ID")


def _hidden(text: str, start: int, end: int) -> Remark:
    """Speak of a header that begins no cell; ``text[start:end]`` is its sign and what stands in front of that."""
    sign, lead = text[end - 1], text[start : end - 1]
    blank = "" if text[end : end + 1] in BLANKS else " "
    patch = Patch(start, end, f"@{blank}")
    invisible = [char for char in lead if char in INVISIBLE]
    if sign in FULL_WIDTH:
        fix = Fix("write @", (patch,), repairs=True)
        return Remark(f"malformed header: full-width {sign} ({code_point(sign)}) begins no cell, only @ does", "", fix)
    fix = Fix("move it to column 1", (patch,), safe=not lead.strip(INVISIBLE), repairs=True)
    behind = f"stands behind {code_point(invisible[0])}" if invisible else "is indented"
    hint = "" if fix.safe else "a header moves to column 1; a quote goes behind '>'"
    return Remark(f"malformed header: '@' {behind} and begins no cell, only column 1 counts", hint, fix)
