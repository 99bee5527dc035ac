"""The ranker ``magma``: the arithmetic of the engine that we are compatible with (facts, section 7)."""

from __future__ import annotations

from collections.abc import Mapping

from mneme.graph.model import Insight
from mneme.graph.view import View
from mneme.recall.anchors import anchors
from mneme.recall.causes import causes_first
from mneme.recall.evidence import Evidence, evidence
from mneme.recall.intent import EDGE_WEIGHTS
from mneme.recall.labels import hint
from mneme.recall.neighbours import Neighbours
from mneme.recall.order import best, ordered
from mneme.recall.question import Question
from mneme.recall.rank import graph_signal, score, signals, weights
from mneme.recall.result import Answer, CellFacts, Hit
from mneme.recall.sides import rivals, together
from mneme.recall.walk import BEAMS, Grounds, Reached, walk


class _Scores:
    """What every insight that is in question scores, and the hits that follow from it."""

    def __init__(self, intent: str, reached: Mapping[str, Reached], found: Evidence) -> None:
        self._intent = intent
        self._reached = reached
        self._found = found
        self._weights = weights(found)
        self._graph = graph_signal(reached)
        self.superseded: set[str] = set()

    def of(self, key: str) -> float:
        """Return the score of an insight, reached or not."""
        return score(self._signals(key), self._weights, superseded=key in self.superseded)

    def hit(self, insight: Insight) -> Hit:
        """Return the hit that an insight becomes. One that no walk reached is there as the rival of another."""
        reached = self._reached.get(insight.id, _NOT_REACHED)
        return Hit(
            insight,
            self.of(insight.id),
            self._intent,
            reached.via,
            self._signals(insight.id),
            insight.id in self.superseded,
            reached.trail.steps() if reached.trail else (),
        )

    def _signals(self, key: str) -> dict[str, float]:
        return signals(key, self._found, self._graph.get(key, 0.0))


_NOT_REACHED = Reached(0.0, "supersedes")


def magma(view: View, question: Question, limit: int, facts: Mapping[str, CellFacts]) -> Answer:
    """Anchor, walk, rank, lower what is superseded, order, cut; for WHY, put causes first."""
    found = evidence(view, question)
    neighbours = Neighbours(view)
    starts = anchors(view, found)
    reached = walk(Grounds(neighbours, EDGE_WEIGHTS[question.intent], found.similarity), starts, BEAMS[question.intent])
    scores = _Scores(question.intent, reached, found)
    scores.superseded = view.superseded(sorted(reached))
    hits = [scores.hit(insight) for insight in best(view, {key: scores.of(key) for key in reached}, limit)]
    hits = together(_contradicted(view, hits, scores, neighbours, facts), facts, limit)
    if question.intent == "WHY":
        hits = together(causes_first(hits, neighbours), facts, limit)
    return Answer(
        tuple(hits), question.intent, question.intent_source, len(starts), len(reached), hint(len(hits), limit)
    )


def _contradicted(
    view: View, hits: list[Hit], scores: _Scores, neighbours: Neighbours, facts: Mapping[str, CellFacts]
) -> list[Hit]:
    """Return ``hits`` and, after them, the other sides of those that are contradicted."""
    pairs = rivals([hit.id for hit in hits], neighbours, facts, view.superseded)
    if not pairs:
        return hits
    absent = view.get(
        sorted({other for others in pairs.values() for other in others}.difference(hit.id for hit in hits))
    )
    added = [scores.hit(insight) for insight in ordered(absent.values(), {key: scores.of(key) for key in absent})]
    return [hit._replace(rivals=_others(hit.id, pairs)) for hit in [*hits, *added]]


def _others(key: str, pairs: Mapping[str, list[str]]) -> tuple[str, ...]:
    named = {other for other, others in pairs.items() if key in others}
    return tuple(sorted(named.union(pairs.get(key, ()))))
