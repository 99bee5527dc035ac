"""MN310: one cell, two live successors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mneme.format.conflict import stronger
from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._links import target_span


@on_workspace("MN310", "forked-supersession", Severity.ERROR)
def FORKED_SUPERSESSION(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Two live cells supersede the same cell.

    Why: two writers replaced one belief by two, and a reader may follow either.

    Bad:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging
        link  superseded-by DEC-0002
        link  superseded-by DEC-0003

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

        @ DEC-0003  api/limits
        gist  Pages hold as many rows as fit into 1 MB
        state live   conf med   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

    Good:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging
        link  superseded-by DEC-0002

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

    Fix: none; the cell with the higher confidence wins, then the one seen later; supersede the other.
    """
    for fork in forks(corpus):
        names = [place.cell.id for place in fork.successors]
        winner = stronger([place.cell for place in fork.successors])
        hint = (
            f"{winner.id} wins (confidence, then last seen): supersede the other by it"
            if winner
            else "confidence and date do not decide: settle it, and supersede one by the other"
        )
        message = f"{fork.old.cell.id} is superseded by {len(names)} live cells: {', '.join(names)}"
        yield Hit(fork.place, *fork.span, message, f"{hint} (mneme conflicts shows how)")


class Fork(NamedTuple):
    """A cell with several live successors, in file order; and where to point: ``span`` in the cell at ``place``."""

    old: Placed
    successors: list[Placed]
    place: Placed
    span: tuple[int, int]


def forks(corpus: Corpus) -> Iterator[Fork]:
    """Yield every cell that several live cells supersede, whichever end says so."""
    live: dict[str, dict[str, tuple[Placed, int | None]]] = {}
    superseded: dict[str, Placed] = {}
    for new, old, holder, index in corpus.supersessions:
        if new.cell.status.state == "live":
            superseded.setdefault(old.cell.id, old)
            own = live.setdefault(old.cell.id, {})
            if holder is new or new.cell.id not in own:
                own[new.cell.id] = new, index if holder is new else None
    for old_id, successors in live.items():
        if len(successors) < 2:
            continue
        winner = stronger([place.cell for place, _ in successors.values()])
        places = sorted(successors.values(), key=lambda entry: (entry[0].document.name, entry[0].start))
        place, own_link = next(entry for entry in reversed(places) if entry[0].cell is not winner)
        span = place.cell.span("id") if own_link is None else target_span(place.cell, own_link)
        yield Fork(superseded[old_id], [entry[0] for entry in places], place, span)
