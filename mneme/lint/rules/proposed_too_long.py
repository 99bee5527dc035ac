"""MN403: proposed, and left there."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._age import older_than


@on_workspace("MN403", "proposed-too-long")
def PROPOSED_TOO_LONG(corpus: Corpus, settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A proposed cell was not seen for more than `proposed-days` (30).

    Why: nobody decides it any more, and whoever finds it cannot tell whether it was turned down.

    Bad:
        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state proposed   conf med   since 2026-08-01   seen 2026-08-01
        cue   paging

    Good:
        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state proposed   conf med   since 2026-11-15   seen 2026-11-15
        cue   paging

    Fix: none; accept or retire it. Still under discussion: mneme seen ID.
    """
    limit = settings.config.lint.proposed_days
    for place, age in older_than(corpus.by_state.get("proposed", ()), limit, settings.today):
        cell = place.cell
        yield Hit(
            place, *cell.span("seen"),
            f"{cell.id} is proposed and was not seen for {age} days (limit {limit})",
            f"agreed? mneme accept {cell.id}   turned down? mneme retire {cell.id}",
        )  # fmt: skip
