"""MN711: a live cell leans on what is no longer there."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.doubt import Kind
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._evidence import doubts, hit


@on_workspace("MN711", "missing-evidence", history=True)
def MISSING_EVIDENCE(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A live cell names a file, folder or symbol that is gone; git may say where it went.

    Why: what a memory says of code that is no longer there is probably no longer so.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        ref   src/pages.py

        --- HEAD:src/pages.py
        MOST = 200

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

    Fix: none; check the cell, correct its ref line (that is no content), then mneme seen ID, or mneme supersede ID.
    """
    for doubt in doubts(corpus, Kind.MISSING, Kind.SYMBOL_MISSING):
        cell_id = doubt.place.cell.id
        correct = "correct the ref line, then" if doubt.reference.explicit else "still true?"
        yield hit(doubt, f"{correct} mneme seen {cell_id}   no longer so? mneme supersede {cell_id} …")
