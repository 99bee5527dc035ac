"""MN402: in doubt, and left there."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._age import older_than


@on_workspace("MN402", "stale-too-long")
def STALE_TOO_LONG(corpus: Corpus, settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A stale cell was not seen for more than `stale-days` (90).

    Why: it still stands in the spine, so every session reads it and has to doubt it.

    Bad:
        @ FACT-0001  env/staging
        gist  Staging has two nodes
        state stale   conf med   since 2026-01-01   seen 2026-06-01
        cue   staging

    Good:
        @ FACT-0001  env/staging
        gist  Staging has two nodes
        state stale   conf med   since 2026-01-01   seen 2026-10-01
        cue   staging

    Fix: none; check it: set it live again, supersede it or retire it.
    """
    limit = settings.config.lint.stale_days
    for place, age in older_than(corpus.by_state.get("stale", ()), limit, settings.today):
        cell = place.cell
        yield Hit(
            place, *cell.span("seen"),
            f"{cell.id} is stale and was not seen for {age} days (limit {limit})",
            f"true? mneme set {cell.id} --state live   not any more? mneme retire {cell.id}",
        )  # fmt: skip
