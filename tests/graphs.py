"""Small graphs for tests: a view of insights and edges that are kept in dictionaries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property

from mneme.graph.entities import fold
from mneme.graph.fulltext import Lexicon
from mneme.graph.model import Edge, Insight
from mneme.graph.store import memory_store
from mneme.graph.tokens import document_tokens
from mneme.graph.view import Scope

START = datetime(2026, 11, 1)  # noqa: DTZ001 only text is made of it


def at(hours: float) -> str:
    """Return the time that many hours after the start of the tests' month."""
    return (START + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def insight(key: str, content: str, hours: float = 0, **fields: object) -> Insight:
    """Return an insight made at that hour."""
    return Insight(key, content, **{"created_at": at(hours), "updated_at": at(hours), **fields})  # type: ignore[arg-type]


def pair(one: str, other: str, kind: str, weight: float = 1.0) -> list[Edge]:
    """Return the two rows of a relation that holds both ways."""
    return [Edge(one, other, kind, weight), Edge(other, one, kind, weight)]


class MemoryView:
    """A graph in dictionaries, narrowed to a scope. ``asked`` counts the questions about edges."""

    def __init__(
        self,
        insights: Iterable[Insight],
        edges: Iterable[Edge] = (),
        scope: Scope = Scope(),  # noqa: B008 a constant
        vectors: Mapping[str, bytes] | None = None,
    ) -> None:
        self.insights = {
            one.id: one
            for one in insights
            if (not scope.category or one.category == scope.category)
            and (not scope.source or one.source == scope.source)
            and (scope.every_state or not one.deleted_at)
        }
        self.edges = [edge for edge in edges if edge.source in self.insights and edge.target in self.insights]
        self.stored = {key: blob for key, blob in (vectors or {}).items() if key in self.insights}
        self.asked = 0

    def count(self) -> int:
        return len(self.insights)

    @cached_property
    def _documents(self) -> dict[str, frozenset[str]]:
        return {key: document_tokens(one.content, one.tags, one.entities) for key, one in self.insights.items()}

    @cached_property
    def _rows(self) -> dict[str, list[Edge]]:
        rows: dict[str, list[Edge]] = {}
        for edge in self.edges:
            for key in {edge.source, edge.target}:
                rows.setdefault(key, []).append(edge)
        return rows

    def get(self, ids: Iterable[str]) -> dict[str, Insight]:
        return {key: self.insights[key] for key in ids if key in self.insights}

    def holders(self, tokens: Iterable[str]) -> Mapping[str, Collection[str]]:
        return {token: {key for key, held in self._documents.items() if token in held} for token in tokens}

    def newest(self, limit: int) -> Sequence[Insight]:
        by_id = sorted(self.insights.values())
        return sorted(by_id, key=lambda one: one.created_at, reverse=True)[:limit]

    def with_entities(self, names: Iterable[str]) -> Mapping[str, Collection[str]]:
        return {
            name: {key for key, one in self.insights.items() if name in set(map(fold, one.entities))} for name in names
        }

    def edges_of(self, ids: Iterable[str]) -> Mapping[str, Sequence[Edge]]:
        self.asked += 1
        return {key: self._rows.get(key, []) for key in ids}

    def superseded(self, ids: Collection[str]) -> set[str]:
        return {edge.target for edge in self.edges if edge.type == "supersedes" and edge.target in ids}

    def vectors(self, ids: Collection[str] | None = None) -> Mapping[str, bytes]:
        return self.stored if ids is None else {key: self.stored[key] for key in ids if key in self.stored}

    def lexicon(self) -> Lexicon:
        store = memory_store()
        with store.transaction():
            store.put_insights(sorted(self.insights.values()))
            store.put_edges(self.edges, ours=False)
        return store.view(Scope(every_state=True)).lexicon()
