"""MN702: a committed cell is gone."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.guard import Verdict, Violation
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, shown, violations


@on_workspace("MN702", "cell-deleted", Severity.ERROR, history=True)
def CELL_DELETED(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A committed cell is in no file any more, or has another ID.

    A cell may move to another file, and a file may be renamed or split. A number that two branches took is given anew
    to one of the cells: that is the one reason for a new ID.

    Why: what was believed is how later readers understand why things are as they are, and links lead there. A cell that
    no longer holds is retired or superseded, and stays.

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
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

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
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Fix: none; put the cell back (git show HEAD:FILE shows it), and retire it: mneme retire ID.
    """
    for violation in violations(corpus, Verdict.DELETED):
        span = violation.place.cell.span("id") if violation.related else (0, 0)
        yield Hit(violation.place, *span, *_words(violation))


def _words(violation: Violation) -> tuple[str, str]:
    old, where = violation.old, at(violation.source)
    gist = shown(old.gist)
    if violation.related == (old.id,):
        return (
            f"{old.id} {where} ({gist}) is lost: another cell has taken its number",
            "keep both, and give one of them a number of its own, with every link and mention that meant it",
        )
    if violation.related:
        return (
            f"{old.id} {where} ({gist}) is now called {violation.related[0]}: an ID never changes",
            f"give it back the ID {old.id}",
        )
    return (
        f"{old.id} {where} ({gist}) is gone: cells are never deleted",
        f"put it back; when it no longer holds: mneme retire {old.id}",
    )
