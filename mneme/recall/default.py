"""The ranker ``mneme``: words first, links and state after (docs/recall.md)."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mneme.graph.model import Edge, Insight
from mneme.graph.view import View
from mneme.graph.words import segment
from mneme.recall.answerable import answerable
from mneme.recall.attach import Chains
from mneme.recall.bonds import Bond
from mneme.recall.labels import hint
from mneme.recall.neighbours import Neighbours
from mneme.recall.question import Question
from mneme.recall.ranking import Ranked, Ranking, rank
from mneme.recall.result import Answer, CellFacts, Hit, Step
from mneme.recall.sides import rivals, together
from mneme.recall.timely import in_order
from mneme.recall.weights import DEFAULT, Weights

if TYPE_CHECKING:
    from mneme.recall.meaning import Meaning

FEWEST = 30
"""So many insights are ranked at least: some of them hang on others, or are another side."""

CAUSAL = ("causes", "enables", "prevents", "blocks", "depends-on")


def answer(
    view: View,
    questions: Sequence[Question],
    limit: int,
    facts: Mapping[str, CellFacts],
    *,
    attach: int = 0,
    weights: Weights = DEFAULT,
) -> Answer:
    """Answer several questions at once: one list without repetitions, every hit saying which of them it serves.

    With ``attach`` the insights that links bring hang on their hit, at most so many each, and do not take a place.
    """
    lexicon = view.lexicon()
    most = max(FEWEST, 3 * limit)
    found = [
        rank(lexicon, question.text, question.intent, weights, most=most, meaning=meaning)
        for question, meaning in zip(questions, _meanings(view, questions), strict=True)
    ]
    best: dict[str, tuple[Ranked, int]] = {}
    serves: dict[str, list[int]] = {}
    for number, ranking in enumerate(found):
        for place, one in enumerate(ranking.ranked):
            if place < limit:
                serves.setdefault(one.id, []).append(number)
            if one.id not in best or one.score > best[one.id][0].score:
                best[one.id] = one, number
    ordered = _merged(found, best)
    chains = Chains(found)
    if attach:
        ordered = chains.apart(ordered, best, attach)
    hits = _hits(view, ordered[: 2 * limit], best, questions, serves if len(questions) > 1 else {})
    rows = {key: row for ranking in found for key, row in ranking.rows.items()}
    said = {key: CellFacts(*row.standing) for key, row in rows.items()}
    hits = _sided(view, hits, ChainMap(facts, said), limit)  # type: ignore[arg-type]  # nothing is written
    hits = in_order(hits, rows, chains.bonds)
    if attach:
        hits = chains.attached(view, hits, attach)
    return Answer(
        tuple(hits),
        questions[0].intent,
        questions[0].intent_source,
        sum(len(ranking.rows) for ranking in found),
        len(best),
        hint(len(hits), limit),
        max(answerable(ranking) for ranking in found),
    )


def _meanings(view: View, questions: Sequence[Question]) -> list[Meaning | None]:
    """Return what is near each question by vectors. None where it has none: then the vectors are not even read."""
    if not any(question.vector for question in questions):
        return [None] * len(questions)
    from mneme.recall.meaning import Meaning, Vectors

    stored = view.vectors()
    sizes = {len(question.vector) for question in questions if question.vector}
    vectors = {size: Vectors(stored, size) for size in sizes}
    return [
        Meaning(vectors[len(one.vector)], one.vector) if one.vector and vectors[len(one.vector)].ids else None
        for one in questions
    ]


def _merged(found: Sequence[Ranking], best: Mapping[str, tuple[Ranked, int]]) -> list[str]:
    """Return the IDs best first. The best hit of every question comes before the second ones of any."""
    if len(found) == 1:
        return [one.id for one in found[0].ranked]
    heads = {ranking.ranked[0].id for ranking in found if ranking.ranked}
    return sorted(best, key=lambda key: (key not in heads, -round(best[key][0].score, 9), key))


def _hits(
    view: View,
    ordered: Sequence[str],
    best: Mapping[str, tuple[Ranked, int]],
    questions: Sequence[Question],
    serves: Mapping[str, Sequence[int]],
) -> list[Hit]:
    insights = view.get(ordered)
    hits = []
    for key in ordered:
        if key in insights:
            one, number = best[key]
            hits.append(_hit(insights[key], one, questions[number].intent, tuple(serves.get(key, ()))))
    return hits


def _hit(insight: Insight, one: Ranked, intent: str, serves: tuple[int, ...]) -> Hit:
    direct = one.link is None or one.own >= one.near
    edge = None if direct or one.link is None else edge_of(one.origin, one.link)
    return Hit(
        insight,
        min(1.0, one.score),
        intent,
        edge.type if edge is not None else "keyword" if one.words or not one.similar else "vector",
        {"keyword": min(1.0, one.own), "entity": 0.0, "similarity": one.similar, "graph": min(1.0, one.near)},
        one.superseded,
        () if edge is None else (Step(one.origin, insight.id, edge),),
        (),
        one.words,
        _cue(insight, one),
        serves,
    )


def edge_of(origin: str, bond: Bond) -> Edge:
    """Return the edge that a link is, seen from ``origin``."""
    ends = (origin, bond.other) if bond.forward else (bond.other, origin)
    if bond.relation == "depends-on":
        ends = ends[1], ends[0]
    kind = "causal" if bond.relation in CAUSAL else "semantic"
    return Edge(*ends, kind, 0.5, {"sub_type": bond.relation})


def _cue(insight: Insight, one: Ranked) -> str:
    """Return the cue, as it is written, that holds most of what was asked."""
    if one.cue_tokens:
        for tag in insight.tags:
            if segment(tag).split() == one.cue_tokens.split():
                return tag
    return ""


def _sided(view: View, hits: list[Hit], facts: Mapping[str, CellFacts], limit: int) -> list[Hit]:
    """Put the sides of a fork or a marked conflict together; the other side comes even when it was not found."""
    pairs = rivals([hit.id for hit in hits[:limit]], Neighbours(view), facts, view.superseded)
    if not pairs:
        return hits[:limit]
    there = {hit.id for hit in hits}
    absent = view.get(sorted({other for others in pairs.values() for other in others} - there))
    least = min((hit.score for hit in hits), default=0.0)
    none = {"keyword": 0.0, "entity": 0.0, "similarity": 0.0, "graph": 0.0}
    added = [Hit(absent[key], least, hits[0].intent, "supersedes", none) for key in sorted(absent)]
    named: dict[str, set[str]] = {}
    for key, others in pairs.items():
        for other in others:
            named.setdefault(key, set()).add(other)
            named.setdefault(other, set()).add(key)
    sides = [hit._replace(rivals=tuple(sorted(named.get(hit.id, ())))) for hit in [*hits, *added]]
    return together(sides, facts, limit)
