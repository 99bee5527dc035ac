"""MN005: a line that no reader understands."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell, Oddity
from mneme.format.slips import first_token
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.visible import quote


@on_cells("MN005", "unknown-line")
def UNKNOWN_LINE(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A line whose first word is no key of the format.

    Why: it is kept, and nobody reads it. Most often it is prose whose `>` was forgotten, or a mistyped key.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        The mobile team asked for it after the outage.

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        > The mobile team asked for it after the outage.

    Fix: none; prose goes behind `>`, a note behind `#`, a mistyped key wants the right one.
    """
    for cell, run in _runs(batch.odd.get("unknown-line", ())):
        first = run[0]
        line = cell.text[first.start : first.end]
        shown = quote(line, 40)
        message = f"unknown line: {shown}"
        hint = "prose goes behind '>', a note behind '#'"
        if len(run) > 1:
            message = f"{len(run)} unknown lines, from {shown} on"
        elif first.detail == "@":
            hint = "a header is '@', a blank, an ID, and perhaps a topic"
        elif first.detail:
            message += f" (nearest key: {first.detail})"
            hint = f"for that field write '{first.detail}', a blank, its value; prose goes behind '>'"
        elif first_token(line) in ("imp", "hot"):
            hint = "imp and hot stand on the state line, behind the others"
        yield Hit(cell, first.start, first.end, message, hint)


def _runs(odd: list[tuple[Cell, Oddity]] | tuple[()]) -> list[tuple[Cell, list[Oddity]]]:
    """Unknown lines of one cell that follow each other and look like no key."""
    runs: list[tuple[Cell, list[Oddity]]] = []
    for cell, oddity in odd:
        if runs and runs[-1][0] is cell and not oddity.detail:
            last = runs[-1][1][-1]
            if not last.detail and not cell.text[last.end : oddity.start].strip(f"{BLANKS}\r\n"):
                runs[-1][1].append(oddity)
                continue
        runs.append((cell, [oddity]))
    return runs
