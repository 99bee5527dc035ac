"""MN307: links that run in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._graph import circles
from mneme.lint.rules._links import target_span

_ORDERED = ("supersedes", "depends-on", "refines", "causes", "blocks")
"""Relations that put one cell before the other, so that a circle is nonsense."""
_SHOWN = 6


@on_workspace("MN307", "link-cycle")
def LINK_CYCLE(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Links of one relation that orders cells (supersedes, depends-on, refines, causes, blocks) run in a circle.

    Why: of cells that all replace, need or cause each other, none is the last word.

    Bad:
        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  depends-on DEC-0002

        @ DEC-0002  api/memory
        gist  A page fits into one buffer
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   buffer
        link  depends-on DEC-0001

    Good:
        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  depends-on DEC-0002

        @ DEC-0002  api/memory
        gist  A page fits into one buffer
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   buffer

    Fix: none; replace the cell whose link is wrong by a new one without it.
    """
    edges: dict[str, dict[str, list[str]]] = {}
    for place in corpus.linked:
        cell = place.cell
        for relation, target, _ in cell.links:
            if relation in _ORDERED:
                edges.setdefault(relation, {}).setdefault(cell.id, []).append(target)
            elif relation == "superseded-by":
                edges.setdefault("supersedes", {}).setdefault(target, []).append(cell.id)
    for relation, graph in edges.items():
        for circle in circles(graph):
            yield _hit(corpus, relation, circle)


def _hit(corpus: Corpus, relation: str, circle: list[str]) -> Hit[Placed]:
    """Report at a cell that is there: a link may lead through one that is not."""
    at = next((number for number, member in enumerate(circle) if member in corpus.by_id), 0)
    circle = circle[at:] + circle[:at]
    place = corpus.by_id[circle[0]]
    own = [number for number, link in enumerate(place.cell.links) if link[:2] == (relation, circle[1])]
    span = target_span(place.cell, own[0]) if own else place.cell.span("id")
    shown = circle if len(circle) <= _SHOWN else [*circle[:_SHOWN], "…"]
    message = f"links run in a circle: {f' {relation} '.join([*shown, circle[0]])}"
    return Hit(place, *span, message, "one of these links is wrong")
