"""MN401: live, and not confirmed for too long."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.dates import parse_date
from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._age import earliest


def _settled(corpus: Corpus) -> set[int]:
    """The cells whose evidence is all there and never changed."""
    return {id(place.cell) for place in corpus.evidence.settled}


@on_workspace("MN401", "overdue")
def OVERDUE(corpus: Corpus, settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A live cell was not confirmed for longer than its decay limit (45 days, or as configured).

    Why: what nobody has checked for weeks is trusted like what was checked today.

    Bad:
        @ FACT-0001  env/staging
        gist  Staging has two nodes
        state live   conf high   since 2026-01-01   seen 2026-01-01
        cue   staging

    Good:
        @ FACT-0001  env/staging
        gist  Staging has two nodes
        state live   conf high   since 2026-01-01   seen 2026-11-20
        cue   staging

    Fix: none; check it, then mneme seen ID, or mneme set ID --state stale. With evidence-decay-days, a cell that leans
    on code which did not change since has longer.
    """
    config, today = settings.config, settings.today
    own = {prefix: entry.decay_days for prefix, entry in config.prefixes.items() if entry.decay_days is not None}
    start = earliest(min([config.decay_days, *own.values()]), today)
    for place in corpus.live:
        cell = place.cell
        seen_text = cell.status.seen
        if seen_text >= start and len(seen_text) == len(start):
            continue
        seen = parse_date(seen_text)
        limit = config.decay_for(cell.id) if own else config.decay_days
        if seen is not None and (age := (today - seen).days) > limit:
            if config.evidence_decay_days > limit and id(cell) in _settled(corpus):
                limit = config.evidence_decay_days
                if age <= limit:
                    continue
            yield Hit(
                place, *cell.span("seen"),
                f"{cell.id} is live but was not confirmed for {age} days (limit {limit})",
                f"still true? mneme seen {cell.id}   in doubt? mneme set {cell.id} --state stale",
            )  # fmt: skip
