"""MN306: the states of a cell and of its successor do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.format.vocabulary import WORKING_STATES
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace


@on_workspace("MN306", "successor-not-live")
def SUCCESSOR_NOT_LIVE(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """The states of an old cell and the one that supersedes it do not fit together.

    Either the old cell was given up although its successor is still proposed: the spine shows neither. Or the
    successor is in force and the old cell still live, stale or proposed: the spine shows both.

    Why: between the two, a reader finds no answer, or two.

    Bad:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state live   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging
        link  superseded-by DEC-0002

        @ DEC-0002  api/limits
        gist  List endpoints return 200 rows
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

    Good:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging
        link  superseded-by DEC-0002

        @ DEC-0002  api/limits
        gist  List endpoints return 200 rows
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

    Fix: none; set the state that the hint names.
    """
    told: set[str] = set()
    in_force = {
        old.cell.id for new, old, _, _ in corpus.supersessions if new.cell.status.state in WORKING_STATES
    }  # a superseded cell among these was really replaced
    for new, old, _, _ in corpus.supersessions:
        before, after = old.cell.status.state, new.cell.status.state
        replaced = after in WORKING_STATES or (after == "superseded" and new.cell.id in in_force)
        if before in ("live", "stale", "proposed") and replaced and old.cell.id not in told:
            told.add(old.cell.id)
            yield Hit(
                old, *old.cell.span("state"),
                f"{old.cell.id} is still {before}, although {new.cell.id} supersedes it",
                f"mneme set {old.cell.id} --state superseded",
            )  # fmt: skip
        elif before == "superseded" and after == "proposed" and old.cell.id not in in_force and new.cell.id not in told:
            told.add(new.cell.id)
            yield Hit(
                new, *new.cell.span("state"),
                f"superseding cell not yet live: {old.cell.id} is superseded by {new.cell.id}, which is only proposed",
                f"mneme accept {new.cell.id}",
            )  # fmt: skip
