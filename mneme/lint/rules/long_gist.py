"""MN501: a gist that does not fit on a line."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.visible import width


@on_cells("MN501", "long-gist")
def LONG_GIST(batch: Batch, settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A gist is wider than `max-gist-width` (140 columns; a full-width character takes two).

    Why: every session reads every gist. A long one costs all of them, and mostly holds what belongs into the body.

    Bad:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files since two processes wrote one file at once in May and tore it, which took three people two days to find
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache

    Good:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache
        > Two processes wrote one file at once in May and tore it; it took three people two days to find.

    Fix: none; supersede the cell by one that says it shorter, reasons in the body.
    """  # noqa: E501 - the sample is too long on purpose
    limit = settings.config.lint.max_gist_width
    half = limit // 2
    for cell in batch.cells:
        gist = cell.gist
        if len(gist) > half and (not gist.isascii() or len(gist) > limit) and (columns := width(gist)) > limit:
            yield Hit(
                cell, *cell.span("gist"),
                f"the gist is {columns} columns wide (limit {limit})",
                "say it in one short line; reasons belong into the body",
            )  # fmt: skip
