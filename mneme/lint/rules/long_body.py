"""MN506: a body that is a document."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells


@on_cells("MN506", "long-body")
def LONG_BODY(batch: Batch, settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A body has more than `max-body-chars` characters (4000).

    Why: a memory is recalled whole. A page of text pushes others out of the reader's context.

    Bad:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache
        > Two processes wrote one file at once in May and tore it; it took three people two days to find.
        > Measured with two writers: JSON 40 ms a write and torn files, SQLite 3 ms and none.
        --- mneme.toml
        [lint]
        max-body-chars = 160

    Good:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache
        > The measurements are in docs/notes/2026-05-cache.md.

    Fix: none; supersede the cell by a short one that says where the long text is.
    """
    limit = settings.config.lint.max_body_chars
    for cell in batch.cells:
        if len(cell.text) > limit and cell.body:
            size = sum(map(len, cell.body)) + len(cell.body) - 1
            if size > limit:
                body = [field for field in cell.fields if field.name == "body"]
                yield Hit(
                    cell, body[0].start, body[0].end,
                    f"the body has {size:,} characters (limit {limit:,})",
                    "keep the point here, and the rest in a document that the body names",
                )  # fmt: skip
