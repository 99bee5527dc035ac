"""MN210: imp and hot take few values."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.format.slips import plain
from mneme.format.vocabulary import IMPORTANCES
from mneme.lint.rule import Batch, Fix, Hit, Settings, on_cells
from mneme.text.patch import Patch
from mneme.text.visible import quote

_ANSWERS = ("yes", "no")


@on_cells("MN210", "unknown-importance")
def UNKNOWN_IMPORTANCE(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """`imp` is not one of 1 to 5, or `hot` neither yes nor no.

    Why: the value is ignored, and the cell ranks like any other.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20   imp high
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20   imp 5
        cue   paging / limits

    Fix: case and punctuation (`No`, `5,`) are repaired.
    """
    for cell in batch.cells:
        status = cell.status
        if status.imp and status.imp not in IMPORTANCES:
            yield _hit(cell, "imp", status.imp, IMPORTANCES)
        if status.hot and status.hot not in _ANSWERS:
            yield _hit(cell, "hot", status.hot, _ANSWERS)


def _hit(cell: Cell, name: str, value: str, choices: tuple[str, ...]) -> Hit[Cell]:
    start, end = cell.span(name)
    word = plain(value)
    fix = Fix(f"write {word}", (Patch(start, end, word),)) if word in choices else None
    return Hit(cell, start, end, f"unknown value of {name}: {quote(value, 40)}", f"one of: {', '.join(choices)}", fix)
