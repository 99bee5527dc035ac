"""MN010: a comment at the end of a line."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Fix, Remark, on_oddities
from mneme.text.patch import Patch
from mneme.text.visible import quote


@on_oddities("MN010", "trailing-comment")
def TRAILING_COMMENT(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    """A header, state line or link carries a comment at its end.

    Why: comments are lines of their own. This one has no effect here, but other readers take its words for values.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20   # before that it was stale
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        # before that it was stale
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: the comment moves to a line of its own, above.
    """
    note = text[oddity.start : oddity.end]
    line = text.rfind("\n", 0, oddity.start) + 1
    blanks = line + len(text[line : oddity.start].rstrip(BLANKS))
    patches = (Patch(line, line, note + _line_end(text, oddity.start)), Patch(blanks, oddity.end, ""))
    return Remark(
        f"trailing comment {quote(note, 40)}: it has no effect here",
        "a comment is a line of its own, with # in column 1",
        Fix("move it to a line of its own", patches),
    )


def _line_end(text: str, at: int) -> str:
    """Return how the line around ``at`` ends; when it does not, how the one before it does."""
    newline = text.find("\n", at)
    if newline < 0:
        newline = text.rfind("\n", 0, at)
    return "\r\n" if newline > 0 and text[newline - 1] == "\r" else "\n"
