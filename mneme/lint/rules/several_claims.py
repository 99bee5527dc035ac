"""MN503: two memories in one cell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.lazy import lazy

# The end of a sentence: no abbreviation, no initial, no number before the full stop, and a capital after it.
_BREAK = lazy(
    r"(?<![\s.][A-Za-z])(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)(?<!\bapprox)(?<!\bca)(?<!\bNo)(?<!\bno)"
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bCorp)(?<!\bFig)(?<!\bfig)"
    r"(?<!\bSec)(?<!\bVol)(?<!\bmin)(?<!\bmax)(?<!\bincl)(?<!\bexcl)(?<!\bresp)"
    r"(?<=[\w)\]\"'”’%])[.!?][\"'”’)]?\s+(?=[\"'“‘(]?[A-Z])"
)
_FEWEST_WORDS = 3
_LIST = lazy(
    r"(?:^|[\s:;,])(?:1[.)]|\(1\))\s+\S.{0,300}?[\s;,.](?:2[.)]|\(2\))\s+\S|(?:^|\s)first(?:ly)?,\s.{0,300}?\bsecond(?:ly)?,\s",
    re.IGNORECASE,
)
_LISTS = ("1. ", "1) ", "(1) ", "first")
_JOINT = lazy(r"[;.]\s+(?:also|additionally|furthermore|moreover|in addition|besides)\b,?\s", re.IGNORECASE)
_JOINTS = ("; also", ". also", "additionally", "furthermore", "moreover", "in addition", "besides")
_HAN = lazy(
    r"(?P<sentence>[。！？](?=(?:\s*[^。！？\s]){5}))|[；;，,。]\s*(?P<joint>另外|此外|还有一点|另有)|(?P<list>①.{0,200}?②|[(（]1[)）].{0,200}?[(（]2[)）]"
    r"|[(（]一[)）].{0,200}?[(（]二[)）]|(?:^|[：:，,；;])一(?:是|、).{0,200}?二(?:是|、)|(?:^|[：:])首先.{0,200}?其次|(?:^|[：:\s])1[、.．]\D.{0,200}?2[、.．]\D)"
)


@on_cells("MN503", "several-claims")
def SEVERAL_CLAIMS(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A gist makes several statements: sentences, a numbered list, "; also …", 另外.

    Why: one of them changes first, and then the whole cell has to be superseded, or is half wrong.

    Bad:
        @ DEC-0001  api/limits
        gist  Page size is capped at 200. Access tokens live for one hour.
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   limits

    Good:
        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        @ DEC-0002  auth/tokens
        gist  Access tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Fix: none; supersede the cell by one for each statement.
    """
    found: dict[int, tuple[Cell, int, int]] = {}
    for cell in batch.pick(batch.gists.holding((". ", "! ", "? ", '." ', ".) "))):
        if place := _second_sentence(cell.gist):
            found.setdefault(id(cell), (cell, *place))
    for needles, expression in ((_LISTS, _LIST), (_JOINTS, _JOINT)):
        for cell in batch.pick(batch.gists.holding(needles)):
            if match := expression.search(cell.gist):
                found.setdefault(id(cell), (cell, *match.span()))
    for cell in batch.exotic:
        if match := _HAN.search(cell.gist):
            found.setdefault(id(cell), (cell, *match.span()))
    for cell, start, end in found.values():
        offset = cell.span("gist")[0]
        yield Hit(
            cell,
            offset + start,
            offset + end,
            "the gist makes several statements",
            "one cell for each: they change alone",
        )


def _second_sentence(gist: str) -> tuple[int, int] | None:
    """Return where a second full sentence begins: a stop after three words, and three words more."""
    at = 0
    for match in _BREAK.finditer(gist):
        if len(gist[at : match.start()].split()) >= _FEWEST_WORDS:
            rest = gist[match.end() :]
            if len(rest.split(None, _FEWEST_WORDS)) >= _FEWEST_WORDS:
                return match.end(), len(gist)
        at = match.end()
    return None
