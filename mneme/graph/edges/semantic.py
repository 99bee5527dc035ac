"""What means nearly the same, by vectors of an embedding model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mneme.graph.model import Edge
from mneme.graph.vectors import cosine, unpack

MIN_COSINE = 0.80
"""Less than this is not near."""

MAX_NEIGHBOURS = 3
"""So many neighbours at most, the nearest ones."""


def nearest(vector: bytes, others: Mapping[str, bytes], least: float) -> list[tuple[float, str]]:
    """Return cosine and ID of those of ``others`` that are at least so near, nearest first, then by ID."""
    asked = unpack(vector)
    if asked is None:
        return []
    found: list[tuple[float, str]] = []
    for other_id, blob in others.items():
        numbers = unpack(blob)
        if numbers is not None and (near := cosine(asked, numbers)) >= least:
            found.append((near, other_id))
    return sorted(found, key=lambda pair: (-pair[0], pair[1]))


def semantic_edges(
    new_id: str, vector: bytes, others: Mapping[str, bytes] | Iterable[tuple[str, bytes]], made: str = ""
) -> list[Edge]:
    """Return both rows between a new insight and each of its nearest neighbours; ``others``: stored vectors by ID.

    ``made``: the time that the rows say they were made at.
    """
    stored = {other_id: blob for other_id, blob in dict(others).items() if other_id != new_id}
    edges: list[Edge] = []
    for near, other_id in nearest(vector, stored, MIN_COSINE)[:MAX_NEIGHBOURS]:
        metadata = {"created_by": "auto", "cosine": f"{near:.4f}"}
        edges.append(Edge(new_id, other_id, "semantic", near, metadata, made))
        edges.append(Edge(other_id, new_id, "semantic", near, metadata, made))
    return edges
