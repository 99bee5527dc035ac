"""MN302: a link with a relation that the format does not know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mneme.format.model import Cell
from mneme.format.vocabulary import RELATIONS
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.lint.rules._links import relation_span
from mneme.text.visible import quote

_KNOWN = frozenset(RELATIONS)
_SYNONYMS = {
    "replaces": "supersedes", "replaced-by": "superseded-by", "requires": "depends-on", "needs": "depends-on",
    "see": "relates", "see-also": "relates", "extends": "refines", "leads-to": "causes",
}  # fmt: skip


@on_cells("MN302", "unknown-relation")
def UNKNOWN_RELATION(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A link has a relation that is not in the format's list.

    Why: the link is kept, but nothing that walks links knows what it means.

    Bad:
        @ DEC-0001  api/style
        gist  List endpoints are paged
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   lists

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  depend-on DEC-0001

    Good:
        @ DEC-0001  api/style
        gist  List endpoints are paged
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   lists

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  depends-on DEC-0001

    Fix: none; add a link with the relation that is meant.
    """
    for cell in batch.linked:
        for index, link in enumerate(cell.links):
            if link.relation not in _KNOWN:
                near = _nearest(link.relation)
                hint = f"did you mean {near}?" if near else f"known: {', '.join(RELATIONS)}"
                yield Hit(cell, *relation_span(cell, index), f"unknown relation {quote(link.relation)}", hint)


@lru_cache(maxsize=1024)
def _nearest(relation: str) -> str:
    folded = relation[:40].casefold().replace("_", "-")
    if folded in _SYNONYMS:
        return _SYNONYMS[folded]
    import difflib

    near = difflib.get_close_matches(folded, RELATIONS, 1, 0.6)
    return near[0] if near else ""
