"""MN011: a header that says more than ID and topic."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.lint.rule import Remark, on_oddities
from mneme.text.visible import quote


@on_oddities("MN011", "extra-header-token")
def EXTRA_HEADER_TOKEN(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """Words behind the topic of a header.

    Why: they are ignored. Often they are the rest of a topic that was written with blanks.

    Bad:
        @ DEC-0001  api/page size
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/page-size
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; the topic is content. Write it as one word before the cell is committed.
    """
    return Remark(
        f"{quote(text[oddity.start : oddity.end], 40)} behind the topic is ignored",
        "a topic is one word: join its parts with '/' or '-'",
    )
