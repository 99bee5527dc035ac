"""What recall may ask of a graph, wherever it is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from mneme.graph.fulltext import Lexicon
from mneme.graph.model import Edge, Insight


class Scope(NamedTuple):
    """Which insights take part. Empty ``category`` or ``source``: all. ``every_state``: proposed and retired too."""

    category: str = ""
    source: str = ""
    every_state: bool = False


class View(Protocol):
    """A graph as read at one moment, narrowed to a scope: insights outside of it are as if they were not there."""

    def count(self) -> int:
        """Return how many insights there are."""

    def get(self, ids: Iterable[str]) -> dict[str, Insight]:
        """Return the insights that exist, by ID."""

    def holders(self, tokens: Iterable[str]) -> Mapping[str, Collection[str]]:
        """Return for each token (:mod:`mneme.graph.tokens`) the IDs whose content, tags or entities hold it."""

    def newest(self, limit: int) -> Sequence[Insight]:
        """Return the ``limit`` newest: created_at descending, then ID ascending."""

    def with_entities(self, names: Iterable[str]) -> Mapping[str, Collection[str]]:
        """Return for each name in lower case the IDs that have it among their entities, compared without case."""

    def edges_of(self, ids: Iterable[str]) -> Mapping[str, Sequence[Edge]]:
        """Return for each ID the rows that touch it on either side, both ends in scope; order unspecified."""

    def superseded(self, ids: Collection[str]) -> set[str]:
        """Return those of ``ids`` that are the target of a supersedes row."""

    def vectors(self, ids: Collection[str] | None = None) -> Mapping[str, bytes]:
        """Return stored vectors, little-endian float32, by ID; all that there are when ``ids`` is None."""

    def lexicon(self) -> Lexicon:
        """Return the index of words, narrowed to the same scope."""
