"""MN205: a state that the format does not know."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.format.slips import plain
from mneme.format.vocabulary import STATES
from mneme.lint.rule import Batch, Fix, Hit, Settings, Severity, on_cells
from mneme.text.patch import Patch
from mneme.text.visible import quote

_KNOWN = frozenset({"", *STATES})
_SYNONYMS = {
    "active": "live", "current": "live", "valid": "live", "accepted": "live", "adopted": "live", "ok": "live",
    "draft": "proposed", "pending": "proposed", "open": "proposed", "idea": "proposed", "new": "proposed",
    "outdated": "stale", "expired": "stale", "old": "stale", "unverified": "stale",
    "replaced": "superseded", "obsolete": "superseded", "deprecated": "superseded",
    "rejected": "retired", "done": "retired", "closed": "retired", "dropped": "retired", "archived": "retired",
    "deleted": "retired", "dead": "retired", "inactive": "retired", "cancelled": "retired", "withdrawn": "retired",
}  # fmt: skip


@on_cells("MN205", "unknown-state", Severity.ERROR)
def UNKNOWN_STATE(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """The state is none of proposed, live, stale, superseded, retired.

    Why: readers pick cells by these words, so a cell with another one is out of the spine without anybody's decision.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state Live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: case and punctuation (`Live`, `live,`) are repaired; a mistyped word only with --unsafe-fixes; for another word
    (`active`) the likely state is named.
    """
    for cell in batch.cells:
        if cell.status.state not in _KNOWN:
            yield _hit(cell, cell.status.state)


def _hit(cell: Cell, value: str) -> Hit[Cell]:
    start, end = cell.span("state")
    message = f"unknown state {quote(value, 40)}"
    word = plain(value)
    if word in STATES:
        return Hit(cell, start, end, message, f"write {word}", Fix(f"write {word}", (Patch(start, end, word),)))
    if word in _SYNONYMS:
        return Hit(cell, start, end, message, f"the nearest is {_SYNONYMS[word]}; the states: {', '.join(STATES)}")
    import difflib

    near = difflib.get_close_matches(word, STATES, 1, 0.75)
    if near:
        fix = Fix(f"write {near[0]}", (Patch(start, end, near[0]),), safe=False)
        return Hit(cell, start, end, message, f"did you mean {near[0]}?", fix)
    return Hit(cell, start, end, message, f"the states: {', '.join(STATES)}")
