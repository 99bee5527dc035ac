"""Drafts of insights: what is read, and what is refused (engine's facts, 8.7, 8.13, 1.4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mneme.bridge.import_draft import read_draft
from mneme.errors import UsageError
from mneme.graph.model import Edge, Insight


def draft(*insights: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"schema_version": "1", "insights": list(insights), **more}).encode()


ONE, TWO = {"content": "one"}, {"content": "two"}


def test_8_7_defaults() -> None:
    found = read_draft(draft(ONE, TWO, edges=[{"source_index": 0, "target_index": 1, "edge_type": "causal"}]), "d")
    assert found.insights == (
        Insight("0", "one", source="import", created_at=""),
        Insight("1", "two", source="import", created_at=""),
    )
    assert found.edges == (Edge("0", "1", "causal", 0.5, {}),)


def test_8_7_everything() -> None:
    item = {
        "content": "x", "category": "decision", "importance": 5, "tags": [" a ", "", "b"], "entities": ["SQLite"],
        "source": "chat", "created_at": "2026-06-03T08:00:00.25+02:00",
    }  # fmt: skip
    edge = {"source_index": 1, "target_index": 0, "edge_type": "supersedes", "weight": 0.75, "reason": "newer"}
    found = read_draft(b"\xef\xbb\xbf" + draft(item, ONE, source="log", edges=[edge]), "d")
    assert found.insights[0] == Insight(
        "0", "x", "decision", 5, ("a", "b"), ("SQLite",), "chat", created_at="2026-06-03T08:00:00.25+02:00"
    )
    assert found.insights[1].source == "log", "insight > top level > import"
    assert found.edges == (Edge("1", "0", "supersedes", 0.75, {"reason": "newer"}),)


@pytest.mark.parametrize(("key", "value", "default"), [("importance", 0, 3), ("importance", None, 3)])
def test_8_7_zero_or_absent_importance(key: str, value: object, default: int) -> None:
    assert read_draft(draft({"content": "x", key: value}), "d").insights[0].importance == default


@pytest.mark.parametrize("weight", [0, None, 0.0])
def test_8_7_zero_or_absent_weight(weight: object) -> None:
    edge = {"source_index": 0, "target_index": 1, "edge_type": "semantic", "weight": weight}
    assert read_draft(draft(ONE, TWO, edges=[edge]), "d").edges[0].weight == 0.5


def _edge(**more: Any) -> bytes:
    return draft(ONE, TWO, edges=[{"source_index": 0, "target_index": 1, "edge_type": "causal", **more}])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (draft({"content": "a \ud800"}), "insights[0].content holds half of a surrogate pair"),
        (draft({"content": "x", "tags": ["\udfff"]}), "insights[0].tags holds half of a surrogate pair"),
        (b"[]", "not a JSON object"),
        (b'{"insights": [{"content": "x"}]}', "schema_version is missing"),
        (b'{"schema_version": "2"}', 'schema_version "2" is not supported'),
        (b'{"schema_version": 1, "insights": [{"content": "x"}]}', "schema_version 1 is not supported"),
        (b'{"schema_version": "1"}', "insights is missing or empty"),
        (draft(), "insights is missing or empty"),
        (b'{"schema_version": "1", "insights": {}}', "insights is missing or empty"),
        (b'{"schema_version": "1", "insights": ["x"]}', "insights[0] is no object"),
        (draft(ONE, {}), "insights[1].content is missing or empty"),
        (draft({"content": " \n"}), "insights[0].content is missing or empty"),
        (draft({"content": "\u200b"}), "insights[0].content is missing or empty"),
        (draft({"content": 3}), "insights[0].content is no text"),
        (draft({"content": "x" * 8001}), "insights[0].content has 8,001 characters"),
        (draft(ONE, {"content": "x", "category": "x"}), 'insights[1].category "x" is none'),
        (draft({"content": "x", "importance": 6}), "insights[0].importance 6 is out of range"),
        (draft({"content": "x", "importance": -1}), "insights[0].importance -1 is out of range"),
        (draft({"content": "x", "importance": True}), "insights[0].importance true"),
        (draft({"content": "x", "importance": "5"}), 'insights[0].importance "5"'),
        (draft({"content": "x", "importance": 2.5}), "insights[0].importance 2.5"),
        (draft({"content": "x", "tags": "a,b"}), "insights[0].tags is no list of texts"),
        (draft({"content": "x", "tags": [1]}), "insights[0].tags is no list of texts"),
        (draft({"content": "x", "tags": ["t"] * 21}), "insights[0].tags has 21 items"),
        (draft({"content": "x", "tags": ["t" * 101]}), "has 101 bytes"),
        (draft({"content": "x", "entities": ["t"] * 51}), "insights[0].entities has 51 items"),
        (draft({"content": "x", "entities": ["字" * 67]}), "has 201 bytes"),
        (draft({"content": "x", "created_at": "2026-06-03"}), "insights[0].created_at"),
        (draft({"content": "x", "created_at": "2026-02-30T00:00:00Z"}), "insights[0].created_at"),
        (draft({"content": "x", "created_at": "2026-06-03T08:00:00"}), "insights[0].created_at"),
        (draft({"content": "x", "created_at": 5}), "insights[0].created_at is no text"),
        (draft(ONE, edges={}), "edges is no list"),
        (draft(ONE, edges=[3]), "edges[0] is no object"),
        (draft(ONE, TWO, edges=[{"target_index": 1, "edge_type": "causal"}]), "edges[0].source_index is missing"),
        (_edge(target_index=2), "edges[0].target_index 2 is out of range"),
        (_edge(target_index=-1), "edges[0].target_index -1 is out of range"),
        (_edge(target_index="1"), 'edges[0].target_index "1" is out of range'),
        (_edge(target_index=True), "edges[0].target_index true is out of range"),
        (_edge(target_index=0), "edges[0] leads from an insight to itself"),
        (_edge(edge_type="narrative"), 'edges[0].edge_type "narrative" is none'),
        (_edge(edge_type=["causal"]), "edges[0].edge_type"),
        (draft(ONE, TWO, edges=[{"source_index": 0, "target_index": 1}]), "edges[0].edge_type is missing"),
        (_edge(weight=1.01), "edges[0].weight 1.01 is out of range"),
        (_edge(weight=-0.5), "edges[0].weight -0.5 is out of range"),
        (_edge(weight="1"), 'edges[0].weight "1" is out of range'),
        (_edge(weight=float("nan")), "edges[0].weight NaN is out of range"),
        (_edge(weight=float("inf")), "edges[0].weight Infinity is out of range"),
        (_edge(reason=1), "edges[0].reason is no text"),
        (draft({"content": "x", "importance": 10**400}), "insights[0].importance 1000"),
        (draft({"content": "x", "importance": float("inf")}), "insights[0].importance Infinity"),
    ],
)  # fmt: skip
def test_8_7_what_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_draft(data, "draft.json")
    assert said in caught.value.message
    assert "draft.json" in caught.value.message


def test_1_4_characters_are_counted_and_not_bytes() -> None:
    """11.3: the engine calls bytes characters; what it takes is taken here."""
    assert len(read_draft(draft({"content": "字" * 8000}), "d").insights[0].content) == 8000
