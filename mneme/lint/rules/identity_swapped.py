"""MN707: cells that exchanged what they say."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, shown, violations


@on_workspace("MN707", "identity-swapped", Severity.ERROR, history=True)
def IDENTITY_SWAPPED(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Two committed cells exchanged their IDs, or several did in a circle.

    Why: every link and mention of one now means the other.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Good:
        --- HEAD:project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Fix: none; give each cell its ID back.
    """
    for violation in violations(corpus, Verdict.SWAPPED):
        cell, other = violation.place.cell, violation.related[0]
        yield Hit(
            violation.place, *cell.span("id"),
            f"{cell.id} has exchanged its ID with another cell, {at(violation.source)}: it said "
            f"{shown(violation.old.gist)}, and says what {other} said: {shown(cell.gist)}",
            f"give this cell the ID {other} back",
        )  # fmt: skip
