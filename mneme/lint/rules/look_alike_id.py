"""MN103: an ID that only looks like one."""

from __future__ import annotations

import unicodedata

from mneme.format import ids
from mneme.format.model import Oddity
from mneme.lint.rule import Fix, Remark, Severity, on_oddities
from mneme.text.patch import Patch
from mneme.text.visible import code_point


@on_oddities("MN103", "look-alike-id", Severity.ERROR)
def LOOK_ALIKE_ID(_text: str, oddity: Oddity) -> Remark:  # noqa: N802
    r"""The ID of a cell looks like one and is none: another dash, an invisible or foreign letter, a lower-case prefix.

    Why: nobody can search for it or link to it by typing what they see. It takes up its number all the same.

    Bad:
        @ DEC\u20110001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: with --unsafe-fixes the ID that is meant is written; links that spell it the wrong way are not changed.
    """
    token = oddity.detail
    meant = ids.canonical(token)
    foreign = list(dict.fromkeys(char for char in token if not char.isascii()))
    shown = "".join([char if char.isascii() else f"<{code_point(char)}>" for char in token])
    reason = ", ".join([f"{code_point(char)} {unicodedata.name(char, 'without a name').lower()}" for char in foreign])
    return Remark(
        f"look-alike ID: {shown} is not {meant} ({reason or 'prefixes are upper case, suffixes lower case'})",
        f"write {meant}",
        Fix(f"write {meant}", (Patch(oddity.start, oddity.end, meant),), safe=False, repairs=True),
    )
