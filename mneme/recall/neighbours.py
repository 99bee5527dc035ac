"""The rows around insights, fetched once a query and in batches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mneme.graph.model import Edge
from mneme.graph.view import View


class Neighbours:
    """Edges as a view has them, in no certain order, kept for the length of one query."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._rows: dict[str, Sequence[Edge]] = {}

    def of(self, key: str) -> Sequence[Edge]:
        """Return the rows that touch ``key`` on either side."""
        if key not in self._rows:
            self.fetch((key,))
        return self._rows[key]

    def fetch(self, ids: Iterable[str]) -> None:
        """Read the rows of all of ``ids`` that are not known yet, in one question to the view."""
        missing = sorted(set(ids).difference(self._rows))
        if missing:
            read = self._view.edges_of(missing)
            self._rows.update((key, read.get(key, ())) for key in missing)


def other_end(edge: Edge, key: str) -> str:
    """Return the end of ``edge`` that is not ``key``; ``key`` for a row from an insight to itself."""
    return edge.target if edge.source == key else edge.source
