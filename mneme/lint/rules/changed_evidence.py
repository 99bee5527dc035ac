"""MN712: what a live cell leans on changed since somebody confirmed the cell."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.doubt import Kind
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._evidence import doubts, hit


@on_workspace("MN712", "changed-evidence", history=True)
def CHANGED_EVIDENCE(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A file, folder or symbol that a live cell names has other content than when the cell was last confirmed.

    Why: a memory about code is as fresh as the code it speaks of, whatever its age.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        ref   src/pages.py

        --- HEAD:src/pages.py
        MOST = 200

        --- src/pages.py
        MOST = 500

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        ref   src/pages.py

    Good:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        ref   src/pages.py

        --- HEAD:src/pages.py
        MOST = 200

        --- src/pages.py
        MOST = 200

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        ref   src/pages.py

    Fix: none; look at the change (mneme review shows it), then mneme seen ID, or mneme supersede ID.
    """
    for doubt in doubts(corpus, Kind.CHANGED):
        cell_id = doubt.place.cell.id
        yield hit(doubt, f"still true? mneme seen {cell_id}   the change is shown by mneme review")
