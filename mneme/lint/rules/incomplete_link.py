"""MN014: a link that leads nowhere by its form."""

from __future__ import annotations

from mneme.format import ids
from mneme.format.model import Oddity
from mneme.lint.rule import Remark, on_oddities
from mneme.text.visible import quote


@on_oddities("MN014", "incomplete-link")
def INCOMPLETE_LINK(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """A link line without a relation or without an ID.

    Why: it links nothing.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        link  DEC-0002

        @ DEC-0002  api/limits
        gist  A client may send 10 requests a second
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   rate limit

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        link  relates DEC-0002

        @ DEC-0002  api/limits
        gist  A client may send 10 requests a second
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   rate limit

    Fix: none; write `link`, the relation, the ID.
    """
    words = text[oddity.start : oddity.end].split()[1:2]
    if words and ids.is_id(words[0]):
        return Remark(f"the link to {words[0]} has no relation", f"for example: link  relates {words[0]}")
    if words:
        return Remark(f"the link {quote(words[0], 40)} names no cell", f"for example: link  {words[0]} DEC-0042")
    return Remark("an empty link", "for example: link  relates DEC-0042")
