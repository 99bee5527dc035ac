"""MN009: blanks that are no spaces."""

from __future__ import annotations

from mneme.format.model import Oddity
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Fix, Remark, on_oddities
from mneme.text.patch import Patch
from mneme.text.visible import code_point

_ODD = frozenset(BLANKS) - {" ", "\t"}


@on_oddities("MN009", "odd-blank")
def ODD_BLANK(text: str, oddity: Oddity) -> Remark:  # noqa: N802
    r"""Tokens are separated by a no-break, full-width or other uncommon blank.

    Why: it looks like a space and is none: searches miss the line, and other readers may see one long word. Models and
    word processors write such blanks.

    Bad:
        @ DEC-0001\u00a0 api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: spaces are written between the tokens; blanks inside a gist, cue or body are content and stay.
    """
    places = [at for at in range(oddity.start, oddity.end) if text[at] in _ODD]
    kinds = ", ".join(sorted({code_point(text[at]) for at in places}))
    fix = Fix("write spaces", tuple([Patch(at, at + 1, " ") for at in places]))
    return Remark(f"an uncommon blank between tokens: {kinds}", "", fix)
