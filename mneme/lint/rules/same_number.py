"""MN104: one number, two spellings."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format import ids
from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace


@on_workspace("MN104", "same-number")
def SAME_NUMBER(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Two cells have the same number, written with more or fewer zeros.

    Why: `DEC-42` and `DEC-0042` are two IDs, and people and models take them for one.

    Bad:
        @ DEC-42  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

        @ DEC-0042  api/auth
        gist  Tokens are valid for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Good:
        @ DEC-42  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

        @ DEC-0043  api/auth
        gist  Tokens are valid for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Fix: none; give the newer cell a number of its own, before others link to it.
    """
    if len({_short(cell_id) for cell_id in corpus.by_id}) == len(corpus.by_id):
        return
    first: dict[ids.Number, str] = {}
    for cell_id, place in corpus.by_id.items():
        number = ids.number(cell_id) if ids.is_id(cell_id) else None
        if number is None:
            continue
        other = first.setdefault(number, cell_id)
        if other != cell_id:
            where = corpus.by_id[other]
            line = where.document.lines.position(where.start)[0]
            yield Hit(
                place, *place.cell.span("id"),
                f"{cell_id} and {other} ({where.document.name}:{line}) are the same number",
                f"give the newer one a number of its own: mneme new-id {number.prefix}",
            )  # fmt: skip


def _short(cell_id: str) -> str:
    """Return the ID without leading zeros: equal for equal numbers, and now and then for others."""
    prefix, _, suffix = cell_id.partition("-")
    return f"{prefix}-{suffix.lstrip('0')}"
