"""MN105: a prefix nobody explained."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format import ids
from mneme.format.model import Placed
from mneme.format.vocabulary import PREFIXES
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace


@on_workspace("MN105", "unknown-prefix", Severity.NOTE)
def UNKNOWN_PREFIX(corpus: Corpus, settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """An ID has a prefix that is neither conventional (DEC, OKR, PREF, GOTCHA, FACT, TODO) nor in the configuration.

    It is told once, at the first cell with that prefix.

    Why: the prefix says what kind of memory a cell is. The set is open, so this is only a note.

    Bad:
        @ DECISION-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; use a known prefix, or say in the configuration what this one means.
    """
    known = {*PREFIXES, *settings.config.prefixes}
    first: dict[str, Placed] = {}
    for place in corpus.placed:
        prefix = place.cell.id.partition("-")[0]
        if prefix not in known and prefix not in first:
            first[prefix] = place
    for prefix, place in first.items():
        if not ids.is_id(place.cell.id):
            continue
        start, end = place.cell.span("id")
        import difflib

        near = difflib.get_close_matches(prefix, sorted(known), 1, 0.5)
        guess = f"did you mean {near[0]}? " if near else ""
        yield Hit(
            place, start, end, f"unknown prefix {prefix}",
            f'{guess}If it is yours, explain it in the configuration: prefixes.{prefix} = "its meaning"',
        )  # fmt: skip
