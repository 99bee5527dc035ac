"""MN704: an ID that history knows for another cell."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, prefix, shown, violations


@on_workspace("MN704", "id-reused", Severity.ERROR, history=True)
def ID_REUSED(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A new cell has an ID that was in use before: by a cell that was deleted, or one that was retired or superseded.

    Every commit that this one builds on is looked at. A deleted cell that comes back as it was is fine.

    Why: links, commit messages and people's memories name the old cell by that ID, and would now mean another one.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-24   seen 2026-11-24
        cue   tokens

    Good:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        @ DEC-0003  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-24   seen 2026-11-24
        cue   tokens

    Fix: none; give the new cell a number of its own: mneme new-id PREFIX.
    """
    for violation in violations(corpus, Verdict.REUSED):
        old, cell = violation.old, violation.place.cell
        state = f"{old.status.state} " if old.status.state in ("retired", "superseded") else ""
        yield Hit(
            violation.place, *cell.span("id"),
            f"{cell.id} was used before, {at(violation.source)}: {state}{shown(old.gist)}; "
            f"now it is {shown(cell.gist)}",
            f"an ID is never used again; take a new one: mneme new-id {prefix(cell.id)}",
        )  # fmt: skip
