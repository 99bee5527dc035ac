"""MN101: one ID, two cells."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace


@on_workspace("MN101", "duplicate-id", Severity.ERROR)
def DUPLICATE_ID(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Two cells have the same ID, in one file or in two.

    Why: a link to that ID could mean either, and a reader keeps one of them and loses the other.

    Bad:
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        @ DEC-0002  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Good:
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        @ DEC-0003  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Fix: none; mneme renumber DEC-0002 gives one of them a number of its own, with every link that meant it.
    """
    if len(corpus.by_id) == len(corpus.placed):
        return
    for place in corpus.placed:
        first = corpus.by_id[place.cell.id]
        if first is not place and place.cell.id:
            line = first.document.lines.position(first.start)[0]
            yield Hit(
                place, *place.cell.span("id"),
                f"duplicate ID: {place.cell.id} is taken by the cell at {first.document.name}:{line}",
                f"give one of the two a number of its own: mneme renumber {place.cell.id}",
            )  # fmt: skip
