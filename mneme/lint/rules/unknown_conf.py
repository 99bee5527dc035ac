"""MN206: a confidence that the format does not know."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.format.slips import plain
from mneme.format.vocabulary import CONFIDENCES
from mneme.lint.rule import Batch, Fix, Hit, Settings, on_cells
from mneme.text.patch import Patch
from mneme.text.visible import quote

_KNOWN = frozenset({"", *CONFIDENCES})
_MEANT = {**{word: word for word in CONFIDENCES}, "medium": "med"}
_NEAR = {
    "mid": "med", "middle": "med", "moderate": "med", "normal": "med", "hi": "high", "certain": "high", "sure": "high",
    "strong": "high", "lo": "low", "weak": "low", "unsure": "low",
}  # fmt: skip


@on_cells("MN206", "unknown-conf")
def UNKNOWN_CONF(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """The confidence is none of high, med, low.

    Why: a reader cannot tell how sure the author was, and has to verify what was certain.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf medium   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf med   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: case and punctuation are repaired, and `medium` is written as med; for other words the likely one is named.
    """
    for cell in batch.cells:
        if cell.status.conf not in _KNOWN:
            yield _hit(cell, cell.status.conf)


def _hit(cell: Cell, value: str) -> Hit[Cell]:
    start, end = cell.span("conf")
    message = f"unknown confidence {quote(value, 40)}"
    word = plain(value)
    if word in _MEANT:
        meant = _MEANT[word]
        return Hit(cell, start, end, message, f"write {meant}", Fix(f"write {meant}", (Patch(start, end, meant),)))
    if word in _NEAR:
        return Hit(cell, start, end, message, f"did you mean {_NEAR[word]}?")
    return Hit(cell, start, end, message, f"one of: {', '.join(CONFIDENCES)}")
