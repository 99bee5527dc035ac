"""How far each insight answers a question by itself, before any edge is walked (facts 5.2, 7.2, 7.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from mneme.graph.vectors import cosine, unpack
from mneme.graph.view import View
from mneme.recall.question import Question


class Evidence(NamedTuple):
    """Signals by ID, 0 to 1; an insight that is not named has none. ``similarity`` is None without embeddings.

    A negative cosine stays as it is; who adds it up leaves it out.
    """

    keyword: Mapping[str, float]
    entity: Mapping[str, float]
    similarity: Mapping[str, float] | None


def evidence(view: View, question: Question) -> Evidence:
    """Return what ``question`` and the insights of ``view`` have in common."""
    return Evidence(
        shares(view.holders(sorted(question.tokens)), len(question.tokens)),
        shares(view.with_entities(sorted(question.entities)), len(question.entities)),
        cosines(question.vector, view.vectors()) if question.vector else None,
    )


def shares(held: Mapping[str, Collection[str]], asked: int) -> dict[str, float]:
    """Return for each ID that holds something the share of the ``asked`` things that it holds."""
    counts: Counter[str] = Counter()
    for holders in held.values():
        counts.update(set(holders))
    return {key: count / asked for key, count in counts.items()}


def cosines(query: bytes, stored: Mapping[str, bytes]) -> dict[str, float] | None:
    """Return the cosine between ``query`` and each usable vector, by ID; None when there is nothing to compare."""
    asked = unpack(query)
    if asked is None:
        return None
    usable = ((key, unpack(blob)) for key, blob in stored.items())
    return {key: cosine(asked, numbers) for key, numbers in usable if numbers is not None} or None
