"""The shapes in which results are handed out, with exactly the engine's keys (facts 7.10, 8.2, 8.3).

Values are ready for :func:`mneme.graph.go_json.dumps`. What we know beyond the engine comes in as ``extras``: by
insight ID, keys that are added after the engine's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mneme.graph.model import Insight
from mneme.recall.excerpt import DEFAULT_CHARACTERS, excerpt
from mneme.recall.labels import confidence, hint, rounded
from mneme.recall.result import Answer, Hit
from mneme.recall.search import Found, Near

Extras = Mapping[str, Mapping[str, Any]]

PROGRAM = "mneme"

SIGNALS = ("keyword", "entity", "similarity", "graph")


def insight(one: Insight) -> dict[str, Any]:
    """Return the insight object: every field that is not the database's alone; ``deleted_at`` only of a deleted one."""
    value: dict[str, Any] = {
        "id": one.id,
        "content": one.content,
        "category": one.category,
        "importance": one.importance,
        "tags": list(one.tags),
        "entities": list(one.entities),
        "source": one.source,
        "access_count": one.access_count,
        "created_at": one.created_at,
        "updated_at": one.updated_at,
    }
    return value | ({"deleted_at": one.deleted_at} if one.deleted_at else {})


def compact(answer: Answer, extras: Extras | None = None) -> dict[str, Any]:
    """Return the default form: one flat object a hit."""
    results = [
        {
            "id": hit.id,
            "content": hit.insight.content,
            "category": hit.insight.category,
            "importance": hit.insight.importance,
            "intent": hit.intent,
            "matched_via": hit.via,
            "confidence": confidence(hit.score),
            "score": rounded(hit.score),
            **_superseded(hit),
            **(extras or {}).get(hit.id, {}),
        }
        for hit in answer.hits
    ]
    return {"results": results, **_hint(answer.hint)}


def verbose(answer: Answer, extras: Extras | None = None) -> dict[str, Any]:
    """Return the whole insights with their signals, and how the answer came about."""
    results = [
        {
            "insight": insight(hit.insight),
            "score": hit.score,
            "intent": hit.intent,
            "via": hit.via,
            "signals": {name: hit.signals.get(name, 0.0) for name in SIGNALS},
            **_superseded(hit),
            **(extras or {}).get(hit.id, {}),
        }
        for hit in answer.hits
    ]
    meta = {
        "intent": answer.intent,
        "intent_source": answer.intent_source,
        "anchor_count": answer.anchor_count,
        "traversed": answer.traversed,
        **_hint(answer.hint),
    }
    return {"results": results, "meta": meta}


def basic(insights: Iterable[Insight]) -> list[dict[str, Any]]:
    """Return the insights themselves."""
    return [insight(one) for one in insights]


def brief(
    answer: Answer,
    query: str,
    *,
    characters: int = DEFAULT_CHARACTERS,
    program: str = PROGRAM,
    extras: Extras | None = None,
) -> dict[str, Any]:
    """Return the short form, meant for one line: of each hit the piece that the question is about."""
    results = [
        {
            **_piece(hit.insight, query, characters),
            "score": rounded(hit.score),
            "confidence": confidence(hit.score),
            **_superseded(hit),
            **(extras or {}).get(hit.id, {}),
        }
        for hit in answer.hits
    ]
    return _brief(results, answer.hint, program)


def brief_basic(
    insights: Sequence[Insight], query: str, limit: int, *, characters: int = DEFAULT_CHARACTERS, program: str = PROGRAM
) -> dict[str, Any]:
    """Return the short form of what has no score."""
    return _brief([_piece(one, query, characters) for one in insights], hint(len(insights), limit), program)


def found(results: Iterable[Found]) -> list[dict[str, Any]]:
    """Return what ``search`` found."""
    return [
        {
            "id": one.insight.id,
            "content": one.insight.content,
            "category": one.insight.category,
            "importance": one.insight.importance,
            "tags": list(one.insight.tags),
            "score": one.score,
        }
        for one in results
    ]


def brief_found(
    results: Sequence[Found], query: str, *, characters: int = DEFAULT_CHARACTERS, program: str = PROGRAM
) -> dict[str, Any]:
    """Return the short form of what ``search`` found."""
    pieces = [{**_piece(one.insight, query, characters), "score": rounded(one.score)} for one in results]
    return _brief(pieces, "", program)


def near(results: Iterable[Near]) -> list[dict[str, Any]]:
    """Return what ``related`` reached."""
    return [
        {
            "id": one.insight.id,
            "content": one.insight.content,
            "category": one.insight.category,
            "importance": one.insight.importance,
            "depth": one.depth,
            "via_edge_type": one.edge.type,
        }
        for one in results
    ]


def _brief(results: list[dict[str, Any]], said: str, program: str) -> dict[str, Any]:
    command = {"detail_command": f"{program} show <id>"} if results else {}
    return {"results": results, **_hint(said), **command}


def _piece(one: Insight, query: str, characters: int) -> dict[str, Any]:
    category = {"category": one.category} if one.category else {}
    return {"id": one.id, "excerpt": excerpt(one.content, query, characters), **category}


def _hint(said: str) -> dict[str, str]:
    return {"hint": said} if said else {}


def _superseded(hit: Hit) -> dict[str, bool]:
    return {"superseded": True} if hit.superseded else {}
