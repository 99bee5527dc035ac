"""MN404: a cell in the archive that is not of the past."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace

_PAST = ("superseded", "retired")


@on_workspace("MN404", "live-in-archive", Severity.ERROR)
def LIVE_IN_ARCHIVE(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A cell in `archive/YYYY.mneme` is neither superseded nor retired.

    Why: the archive is out of the spine, so nobody would see a memory that still holds.

    Bad:
        # the present

        --- archive/2026.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Good:
        # the present

        --- archive/2026.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Fix: none; move the cell to a file outside of the archive, byte for byte.
    """
    if not corpus.archive:
        return
    for place in corpus.placed:
        state = place.cell.status.state
        if state not in _PAST and place.document.name in corpus.archive:
            yield Hit(
                place, *place.cell.span("state"),
                f"{place.cell.id} is {state or 'without a state'}, and stands in the archive, which no spine shows",
                "move the cell to a file outside of archive/",
            )  # fmt: skip
