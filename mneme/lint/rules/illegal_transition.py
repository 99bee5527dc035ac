"""MN705: a state that the format does not let follow."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.format.vocabulary import TRANSITIONS
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, field_span, prefix, violations


@on_workspace("MN705", "illegal-transition", Severity.ERROR, history=True)
def ILLEGAL_TRANSITION(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A committed cell changed its state in a way that the format does not allow.

    Why: superseded and retired are ends; a memory that comes back to life without a word contradicts what replaced it.
    Nothing becomes a proposal again either.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-24
        cue   paging

    Good:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state stale   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-24
        cue   paging

    Fix: none; put the state back, and revive what holds again by a new cell.
    """
    for violation in violations(corpus, Verdict.ILLEGAL):
        (difference,) = violation.differences
        legal = TRANSITIONS[difference.before]
        cell_id = violation.old.id
        yield Hit(
            violation.place, *field_span(violation.place.cell, "state"),
            f"state was {difference.before} {at(violation.source)}, and cannot become {difference.after}",
            f"from {difference.before}: {', '.join(legal)}"
            if legal
            else f'put it back; to revive it: mneme add {prefix(cell_id)} "…" --link relates={cell_id}',
        )  # fmt: skip
