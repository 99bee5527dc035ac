"""Search by words alone, and a look at what is nearby: no ranker, no intent (facts 8.2, 8.3, and `--basic` of 7.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mneme.errors import UsageError
from mneme.graph.model import EDGE_TYPES, Edge, Insight
from mneme.graph.tokens import tokens
from mneme.graph.view import View
from mneme.recall.evidence import shares
from mneme.recall.neighbours import Neighbours, other_end
from mneme.recall.order import best
from mneme.recall.pipeline import DEFAULT_LIMIT, check_limit

DEFAULT_DEPTH = 2


class Found(NamedTuple):
    """An insight that holds a share of the words asked for, 0 to 1, not rounded."""

    insight: Insight
    score: float


class Near(NamedTuple):
    """An insight ``depth`` edges away, first reached over ``edge``."""

    insight: Insight
    depth: int
    edge: Edge


def search(view: View, text: str, *, limit: int = DEFAULT_LIMIT) -> list[Found]:
    """Return the insights that hold most of the words of ``text``.

    Raises:
        UsageError: ``limit`` is below 1.
    """
    check_limit(limit)
    asked = tokens(text)
    scores = shares(view.holders(sorted(asked)), len(asked))
    return [Found(insight, scores[insight.id]) for insight in best(view, scores, limit)]


def basic(view: View, text: str, *, limit: int = DEFAULT_LIMIT) -> list[Insight]:
    """Return the insights whose content holds ``text`` as it stands, compared without case: no character is a wildcard.

    The important ones come first, then the newer ones.

    Raises:
        UsageError: ``limit`` is below 1.
    """
    check_limit(limit)
    wanted = text.casefold()
    holding = [insight for insight in view.newest(view.count()) if wanted in insight.content.casefold()]
    return sorted(holding, key=lambda insight: -insight.importance)[:limit]


def related(view: View, start: str, *, edge_type: str = "", depth: int = DEFAULT_DEPTH) -> list[Near]:
    """Return what is at most ``depth`` edges away from ``start``, the near first; rows count in either direction.

    Of what is equally near, the one that was reached from the nearer and over the heavier edge comes first, then by ID.

    Raises:
        UsageError: there is no such insight or type of edge, or ``depth`` is below 1.
    """
    if edge_type and edge_type not in EDGE_TYPES:
        raise UsageError(f"There is no edge type {edge_type!r}.", f"Choose one of {', '.join(EDGE_TYPES)}.")
    if depth < 1:
        raise UsageError(f"The depth is {depth}, and at least 1 is needed.", "Give --depth a whole number from 1.")
    if start not in view.get((start,)):
        raise UsageError(f"There is no insight {start}.", "`mneme search` finds insights by their words.")
    neighbours = Neighbours(view)
    reached: dict[str, tuple[int, Edge]] = {}
    level = [start]
    for distance in range(1, depth + 1):
        neighbours.fetch(level)
        after: list[str] = []
        for key in level:
            for edge in _outward(neighbours.of(key), key, edge_type):
                other = other_end(edge, key)
                if other != start and other not in reached:
                    reached[other] = distance, edge
                    after.append(other)
        level = after
        if not level:
            break
    insights = view.get(list(reached))
    return [Near(insights[key], *where) for key, where in reached.items() if key in insights]


def _outward(edges: Sequence[Edge], key: str, edge_type: str) -> list[Edge]:
    wanted = [edge for edge in edges if not edge_type or edge.type == edge_type]
    return sorted(wanted, key=lambda edge: (-edge.weight, other_end(edge, key), edge.type, edge.source))
