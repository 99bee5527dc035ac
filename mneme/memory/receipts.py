"""What the verbs print as JSON: the engine's keys in its order, then ours. The schemas are in ``docs/verbs.md``."""

from __future__ import annotations

from typing import Any

from mneme.memory.forget import Forgotten
from mneme.memory.link import Linked
from mneme.memory.remember import SKIPPED, Remembered


def remembered(done: Remembered) -> dict[str, Any]:
    """Return the receipt of ``remember`` (facts 3.10)."""
    one = done.insight
    matches = [
        {"id": match.insight.id, "content": match.insight.content, "similarity": match.similarity, "kind": match.kind}
        for match in done.difference.matches
    ]
    ours = {"path": done.path, "line": done.line, "state": done.state, "personal": done.personal}
    if done.action == SKIPPED:
        return {
            "id": one.id, "content": done.text, "action": done.action,
            "diff_suggestion": done.difference.suggestion, "replaced_id": done.replaced_id,
            "path": done.path, "line": done.line, "personal": done.personal, "notes": list(done.notes),
        }  # fmt: skip
    return {
        "id": one.id,
        "content": done.text,
        "category": one.category,
        "importance": one.importance,
        "tags": list(one.tags),
        "entities": list(one.entities),
        "action": done.action,
        "diff_suggestion": done.difference.suggestion,
        "created_at": one.created_at,
        "edges_created": {"temporal": 0, "entity": 0, "causal": 0, "semantic": 0} | dict(done.edges),
        "semantic_candidates": [
            {
                "id": near.insight.id, "content": near.insight.content, "category": near.insight.category,
                "similarity": near.similarity, "auto_linked": False,
            }
            for near in done.semantic
        ],
        "causal_candidates": [
            {
                "id": near.insight.id, "content": near.insight.content, "category": near.insight.category,
                "hop": near.hop, "via_edge": near.via, "causal_signal": near.signal,
                "suggested_sub_type": near.suggested,
            }
            for near in done.causal
        ],
        "embedded": False,
        "effective_importance": one.effective_importance,
        "auto_pruned": len(done.pruned),
        "auto_pruned_ids": list(done.pruned),
        **ours,
        "resembles": matches,
        "notes": list(done.notes),
    }  # fmt: skip


def linked(done: Linked) -> dict[str, Any]:
    """Return the receipt of ``link`` (facts 8.1)."""
    return {
        "status": "linked",
        "source_id": done.source,
        "target_id": done.target,
        "edge_type": done.type,
        "weight": done.weight,
        "metadata": dict(sorted(done.metadata.items())),
        "action": done.action,
        "rows": done.rows,
        "path": done.path,
        "line": done.line,
        "notes": list(done.notes),
    }


def forgotten(done: Forgotten) -> dict[str, Any]:
    """Return the receipt of ``forget`` (facts 8.5)."""
    where = f"retired in {done.path}:{done.line}; the text keeps it" if done.path else "deleted in the store"
    return {
        "id": done.id,
        "status": "deleted",
        "message": f"{done.id}: {where}",
        "path": done.path,
        "line": done.line,
        "state": "retired" if done.path else None,
        "notes": list(done.notes),
    }
