"""The ranker ``magma``: the arithmetic of the engine that we are compatible with (facts, section 7)."""

from __future__ import annotations

from collections.abc import Mapping

from mneme.graph.view import View
from mneme.recall.anchors import anchors
from mneme.recall.causes import causes_first
from mneme.recall.evidence import Evidence, evidence
from mneme.recall.intent import EDGE_WEIGHTS
from mneme.recall.labels import hint
from mneme.recall.neighbours import Neighbours
from mneme.recall.order import best, ordered
from mneme.recall.question import Question
from mneme.recall.rank import graph_signal, lowered, scores, signals, weights
from mneme.recall.result import Answer, CellFacts, Hit
from mneme.recall.sides import rivals, together
from mneme.recall.walk import BEAMS, Grounds, walk

BROUGHT_ALONG = "supersedes"
"""By what a hit came that is there because it contradicts another one."""


def magma(view: View, question: Question, limit: int, facts: Mapping[str, CellFacts]) -> Answer:
    """Anchor, walk, rank, lower what is superseded, order, cut; for WHY, put causes first."""
    found = evidence(view, question)
    neighbours = Neighbours(view)
    starts = anchors(view, found)
    walked = walk(Grounds(neighbours, EDGE_WEIGHTS[question.intent], found.similarity), starts, BEAMS[question.intent])
    graph = graph_signal(walked.scores)
    final, superseded = lowered(scores(graph, found, weights(found)), limit, view.superseded)
    hits = [
        Hit(
            insight,
            final[insight.id],
            question.intent,
            walked.via(insight.id),
            signals(insight.id, found, graph[insight.id]),
            insight.id in superseded,
            walked.path(insight.id),
        )
        for insight in best(view, final, limit)
    ]
    hits = together(_contradicted(view, question, hits, found, neighbours, facts), facts, limit)
    if question.intent == "WHY":
        hits = together(causes_first(hits, neighbours), facts, limit)
    return Answer(
        tuple(hits), question.intent, question.intent_source, len(starts), len(walked.scores), hint(len(hits), limit)
    )


def _contradicted(
    view: View,
    question: Question,
    hits: list[Hit],
    found: Evidence,
    neighbours: Neighbours,
    facts: Mapping[str, CellFacts],
) -> list[Hit]:
    """Return ``hits`` and, after them, the other sides of those that are contradicted, scored without a walk."""
    pairs = rivals([hit.id for hit in hits], neighbours, facts, view.superseded)
    if not pairs:
        return hits
    sides = {other for others in pairs.values() for other in others}
    absent = view.get(sorted(sides.difference(hit.id for hit in hits)))
    direct = scores(dict.fromkeys(absent, 0.0), found, weights(found))
    added = [
        Hit(insight, direct[insight.id], question.intent, BROUGHT_ALONG, signals(insight.id, found, 0.0))
        for insight in ordered(absent.values(), direct)
    ]
    return [hit._replace(rivals=_others(hit.id, pairs)) for hit in [*hits, *added]]


def _others(key: str, pairs: Mapping[str, list[str]]) -> tuple[str, ...]:
    named = {other for other, others in pairs.items() if key in others}
    return tuple(sorted(named.union(pairs.get(key, ()))))
