"""MN703: a committed memory file is gone with all its cells."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, violations

_MOST = 12


@on_workspace("MN703", "file-deleted", Severity.WARNING, history=True)
def FILE_DELETED(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A committed memory file was deleted, and none of its cells is in another file.

    Why: a whole file is seldom deleted by accident, but its cells vanish with it, and their IDs stay taken for ever.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        --- HEAD:old/limits.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Good:
        --- HEAD:old/limits.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Fix: none; move the cells that still tell something to another file.
    """
    for violation in violations(corpus, Verdict.FILE_DELETED):
        held = list(violation.related)
        names = ", ".join(held[:_MOST]) + (f" and {len(held) - _MOST} more" if len(held) > _MOST else "")
        yield Hit(
            violation.place, 0, 0,
            f"the file {at(violation.source)} held {len(held)} cell{'' if len(held) == 1 else 's'}, now gone: {names}",
            "meant? then nothing is to be done; else move its cells to another file: their IDs stay taken",
        )  # fmt: skip
