"""Insights and edges as values, named as the engine that we are compatible with names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

CATEGORIES = ("preference", "decision", "fact", "insight", "context", "general")
"""What an insight can be about."""

EDGE_TYPES = ("temporal", "semantic", "causal", "entity", "supersedes")
"""The kinds of edges; only ``supersedes`` and ``causal`` have a direction that means something."""

MAX_WEIGHT = 1.0


class Insight(NamedTuple):
    """One memory. Times are RFC 3339 in UTC with whole seconds and ``Z``, so that they sort as text.

    ``importance`` is 1 to 5; ``deleted_at`` is empty while the insight is active.
    """

    id: str
    content: str
    category: str = "general"
    importance: int = 3
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    source: str = "user"
    access_count: int = 0
    created_at: str = ""
    updated_at: str = ""
    deleted_at: str = ""
    last_accessed_at: str = ""
    effective_importance: float = 0.5


class Edge(NamedTuple):
    """A row of the graph: identity is source, target and type; ``weight`` is 0 to 1, metadata texts only."""

    source: str
    target: str
    type: str
    weight: float
    metadata: Mapping[str, str] = {}
    created_at: str = ""
