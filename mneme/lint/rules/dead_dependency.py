"""MN308: a live cell that leans on a dead one."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._links import target_span


@on_workspace("MN308", "dead-dependency")
def DEAD_DEPENDENCY(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A live cell depends on a cell that is retired or superseded.

    It is settled when the cell also depends on the successor.

    Why: its ground is gone, and nobody has asked whether it still stands.

    Bad:
        @ DEC-0001  api/memory
        gist  A page buffer holds 200 rows
        state retired   conf high   since 2026-10-01   seen 2026-11-01
        cue   buffer

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  depends-on DEC-0001

    Good:
        @ DEC-0001  api/memory
        gist  A page buffer holds 200 rows
        state live   conf high   since 2026-10-01   seen 2026-11-01
        cue   buffer

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  depends-on DEC-0001

    Fix: none; if the cell still holds, link it to the successor, else supersede or retire it.
    """
    heads: dict[str, str] = {}
    for place in corpus.linked:
        cell = place.cell
        if cell.status.state != "live":
            continue
        for index, link in enumerate(cell.links):
            if link.relation != "depends-on":
                continue
            target = corpus.by_id.get(link.target)
            if target is None or target.cell.status.state not in ("retired", "superseded") or target.cell is cell:
                continue
            head = _head(link.target, corpus, heads)
            if head and any(other[:2] == ("depends-on", head) for other in cell.links):
                continue
            state = target.cell.status.state
            instead = f" ({head} holds now)" if head else ""
            hint = f"if it still holds, add a line: link  depends-on {head}" if head else "does it still hold?"
            yield Hit(
                place, *target_span(cell, index),
                f"{cell.id} is live and depends on {link.target}, which is {state}{instead}",
                f"{hint}   in doubt: mneme set {cell.id} --state stale",
            )  # fmt: skip


def _head(start: str, corpus: Corpus, heads: dict[str, str]) -> str:
    """Return the cell in force at the end of the chain of successors from ``start``; empty without one.

    ``heads`` keeps the answers: each chain is walked once.
    """
    way: list[str] = []
    at, found = start, ""
    while at not in heads:
        heads[at] = ""  # a circle ends here
        way.append(at)
        place = corpus.by_id.get(at)
        if place is None:
            break
        if place.cell.status.state in ("live", "stale"):
            found = at
            break
        successor = next((link.target for link in place.cell.links if link.relation == "superseded-by"), None)
        if successor is None:
            break
        at = successor
    else:
        found = heads[at]
    heads.update(dict.fromkeys(way, found))
    return found
