"""MN102: a header whose first word is no ID."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.lint.rule import Remark, Severity, on_oddities
from mneme.text.visible import quote


@on_oddities("MN102", "malformed-id", Severity.ERROR)
def MALFORMED_ID(_text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """The ID of a cell has not the form PREFIX-SUFFIX.

    The prefix is an upper-case letter, then upper-case letters or digits; the suffix digits, or lower-case letters and
    digits.

    Why: such a cell cannot be linked, and other readers may not see it.

    Bad:
        @ 0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; mneme new-id DEC prints a free ID.
    """
    return Remark(
        f"malformed ID {quote(oddity.detail, 40)}: an ID is PREFIX-NUMBER, like DEC-0042",
        "mneme new-id DEC prints a free ID; the topic comes second: @ ID  topic",
    )
