"""MN706: a confirmation taken back."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, field_span, violations


@on_workspace("MN706", "seen-moved-back", Severity.ERROR, history=True)
def SEEN_MOVED_BACK(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A committed cell has an earlier `seen` than before.

    Why: somebody confirmed the memory on that day. Taking it back makes it look older than it is, and it will be
    verified again, or dropped.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-10
        cue   paging

    Good:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-24
        cue   paging

    Fix: none; put the date back; mark what is doubtful by `mneme set ID --state stale`.
    """
    for violation in violations(corpus, Verdict.SEEN_BACK):
        (difference,) = violation.differences
        yield Hit(
            violation.place, *field_span(violation.place.cell, "seen"),
            f"seen was {difference.before} {at(violation.source)}, and moved back to {difference.after}",
            f"put {difference.before} back; when it is in doubt: mneme set {violation.old.id} --state stale",
        )  # fmt: skip
