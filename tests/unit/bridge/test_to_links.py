"""Edges as links: which cell says what (engine's facts 1.2, 1.3, 3.5 to 3.8, 8.1)."""

from __future__ import annotations

import pytest

from mneme.bridge.to_links import Node, is_automatic, plan_links
from mneme.graph.model import Edge

NODES = {
    "a": Node("DEC-0001", "2026-01-01"),
    "b": Node("DEC-0002", "2026-01-02"),
    "c": Node("DEC-0003", "2026-01-03"),
    "d": Node("DEC-0004", "2026-01-04"),
    "own": Node("OWN-0001", "2026-01-05", fixed=True),
    "own2": Node("OWN-0002", "2026-01-06", fixed=True),
    "over": Node("FACT-0009", "2025-01-01", final=True),
    "done": Node("FACT-0008", "2025-01-01", successor="FACT-0009"),
}


@pytest.mark.parametrize(
    ("kind", "metadata", "automatic"),
    [
        ("temporal", {"sub_type": "backbone", "direction": "precedes"}, True),
        ("temporal", {"sub_type": "proximity", "hours_diff": "1.00"}, True),
        ("temporal", {"created_by": "claude"}, False),
        ("temporal", {}, False),
        ("entity", {"entity": "SQLite"}, True),
        ("entity", {"reason": "same team"}, False),
        ("causal", {"overlap": "0.2500", "sub_type": "causes"}, True),
        ("causal", {"sub_type": "causes", "created_by": "agent"}, False),
        ("causal", {"overlap": "0.2500", "created_by": "mcp"}, False),
        ("semantic", {"created_by": "auto", "cosine": "0.8123"}, True),
        ("semantic", {"created_by": "claude"}, False),
        ("semantic", {}, False),
        ("supersedes", {}, False),
    ],
)
def test_3_5_to_3_8_what_rules_drew(kind: str, metadata: dict[str, str], *, automatic: bool) -> None:
    assert is_automatic(Edge("a", "b", kind, 1.0, metadata)) is automatic


def said(edges: list[Edge], *, paired: bool = True) -> dict[str, list[str]]:
    plan = plan_links(edges, NODES, paired=paired)
    return {
        NODES[key].id: [
            " ".join([link.relation, link.target, *(part for pair in link.attributes for part in pair)])
            for link in links
        ]
        for key, links in plan.links.items()
    }


def both(one: str, other: str, kind: str, weight: float = 0.5, **metadata: str) -> list[Edge]:
    return [Edge(one, other, kind, weight, metadata), Edge(other, one, kind, weight, metadata)]


@pytest.mark.parametrize(
    ("edges", "links"),
    [
        (both("a", "b", "semantic"), {"DEC-0002": ["relates DEC-0001"]}),
        (both("b", "a", "semantic", 0.8), {"DEC-0002": ["relates DEC-0001 weight 0.80"]}),
        (both("a", "b", "semantic", 0.81234, created_by="claude"),
         {"DEC-0002": ["relates DEC-0001 weight 0.8123 created_by claude"]}),
        (both("a", "b", "semantic", 1.0, note="a b"), {"DEC-0002": ["relates DEC-0001 weight 1.00 note a%20b"]}),
        (both("a", "b", "semantic", sub_type="refines"), {"DEC-0001": ["refines DEC-0002"]}),
        (both("a", "b", "temporal"), {"DEC-0002": ["relates DEC-0001 edge temporal"]}),
        (both("a", "b", "entity", 0.0), {"DEC-0002": ["relates DEC-0001 edge entity weight 0.00"]}),
        (both("b", "a", "causal", sub_type="enables"), {"DEC-0002": ["enables DEC-0001"]}),
        ([Edge("a", "b", "causal", 0.5, {"sub_type": "depends-on"})], {"DEC-0002": ["depends-on DEC-0001"]}),
        ([Edge("a", "b", "causal", 0.5, {"sub_type": "odd one"})],
         {"DEC-0001": ["causes DEC-0002 sub_type odd%20one"]}),
        ([Edge("a", "b", "causal", 0.5), Edge("b", "a", "causal", 0.9)],
         {"DEC-0001": ["causes DEC-0002"], "DEC-0002": ["causes DEC-0001 weight 0.90"]}),
        ([Edge("b", "a", "supersedes", 1.0)],
         {"DEC-0002": ["supersedes DEC-0001 weight 1.00"], "DEC-0001": ["superseded-by DEC-0002"]}),
        ([Edge("a", "a", "semantic", 0.5), Edge("a", "gone", "semantic", 0.5)], {}),
        # two cells in force may not supersede the same one
        ([Edge("b", "a", "supersedes", 0.5), Edge("c", "a", "supersedes", 0.5)],
         {"DEC-0003": ["supersedes DEC-0001"], "DEC-0001": ["superseded-by DEC-0003"],
          "DEC-0002": ["relates DEC-0001 sub_type supersedes"]}),
        # but one that is superseded itself may
        ([Edge("b", "a", "supersedes", 0.5), Edge("c", "a", "supersedes", 0.5), Edge("c", "b", "supersedes", 0.5)],
         {"DEC-0002": ["supersedes DEC-0001", "superseded-by DEC-0003"],
          "DEC-0003": ["supersedes DEC-0001", "supersedes DEC-0002"],
          "DEC-0001": ["superseded-by DEC-0002", "superseded-by DEC-0003"]}),
        # a circle is not closed
        ([Edge("b", "a", "supersedes", 0.5), Edge("c", "b", "supersedes", 0.5), Edge("a", "c", "supersedes", 0.5)],
         {"DEC-0002": ["supersedes DEC-0001", "superseded-by DEC-0003"], "DEC-0001": ["superseded-by DEC-0002",
          "relates DEC-0003 sub_type supersedes"], "DEC-0003": ["supersedes DEC-0002"]}),
        # what is over, or has a successor, gets none
        ([Edge("a", "over", "supersedes", 0.5)], {"DEC-0001": ["relates FACT-0009 sub_type supersedes"]}),
        ([Edge("a", "done", "supersedes", 0.5)], {"DEC-0001": ["relates FACT-0008 sub_type supersedes"]}),
        # a cell whose text must stay says nothing new
        (both("a", "own", "semantic"), {"DEC-0001": ["relates OWN-0001"]}),
        ([Edge("own", "a", "causal", 0.5)], {"DEC-0001": ["depends-on OWN-0001"]}),
        ([Edge("own", "a", "supersedes", 0.5)], {"DEC-0001": ["superseded-by OWN-0001"]}),
        ([Edge("a", "own", "supersedes", 0.5)], {"DEC-0001": ["relates OWN-0001 sub_type supersedes"]}),
        (both("own", "own2", "semantic"), {}),
        # weights and keys of another program's making
        ([Edge("b", "a", "semantic", 7.5, {"weight": "3", "edge": "causal", "": "x", "k": ""})],
         {"DEC-0002": ["relates DEC-0001 weight 1.00"]}),
        ([Edge("b", "a", "semantic", float("nan"), {"#k": "#v\n"})],
         {"DEC-0002": ["relates DEC-0001 weight 0.00 %23k %23v%0A"]}),
    ],
)  # fmt: skip
def test_links(edges: list[Edge], links: dict[str, list[str]]) -> None:
    assert said(edges) == links


def test_8_7_a_draft_s_edges_are_as_given() -> None:
    edges = both("a", "b", "causal")
    assert said(edges) == {"DEC-0001": ["causes DEC-0002"]}
    assert said(edges, paired=False) == {"DEC-0001": ["causes DEC-0002"], "DEC-0002": ["causes DEC-0001"]}


def test_what_could_not_be_said_is_told() -> None:
    plan = plan_links(both("own", "own2", "semantic"), NODES, paired=True)
    assert plan.remarks
    assert "OWN-0001" in plan.remarks[0]
    fork = [Edge("b", "a", "supersedes", 0.5), Edge("c", "a", "supersedes", 0.5)]
    (remark,) = plan_links(fork, NODES, paired=True).remarks
    assert remark.startswith("DEC-0002 and DEC-0003 both supersede DEC-0001")
