"""Cells that several live cells supersede."""

from __future__ import annotations

from collections.abc import Iterable

from mneme.history.merge.items import Item


def forks(items: Iterable[Item]) -> dict[str, set[str]]:
    """Return for each superseded ID the live cells that take its place, whichever end says so."""
    cells = [item.cell for item in items if item.cell is not None]
    live = {cell.id for cell in cells if cell.status.state == "live"}
    found: dict[str, set[str]] = {}
    for cell in cells:
        for link in cell.links:
            if link.relation == "supersedes" and cell.id in live:
                found.setdefault(link.target, set()).add(cell.id)
            elif link.relation == "superseded-by" and link.target in live:
                found.setdefault(cell.id, set()).add(link.target)
    return found
