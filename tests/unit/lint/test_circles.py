"""Circles in graphs: one for each strongly connected part, real, shortest, and found without recursion."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mneme.lint.rules._graph import circles

NODES = st.sampled_from("abcdef")
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=4), max_size=6)


def reachable(start: str, edges: dict[str, list[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for target in edges.get(waiting.pop(), []):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


@given(GRAPHS)
def test_each_part_with_a_circle_gives_one(edges: dict[str, list[str]]) -> None:
    found = list(circles(edges))
    for circle in found:
        assert len(set(circle)) == len(circle) > 1
        assert all(target in edges[node] for node, target in pairwise([*circle, circle[0]]))
    others = {
        node: {other for other in reachable(node, edges) - {node} if node in reachable(other, edges)} for node in edges
    }
    parts = {frozenset({node, *mates}) for node, mates in others.items() if mates}
    assert sorted(sorted(part) for part in parts) == sorted(
        sorted(next(part for part in parts if circle[0] in part)) for circle in found
    )


def test_a_shortest_circle_is_shown() -> None:
    edges = {"a": ["b", "c"], "b": ["d"], "c": ["a"], "d": ["a"]}
    assert list(circles(edges)) == [["a", "c"]]


def test_long_chains_and_long_circles() -> None:
    size = 100_000
    chain = {str(number): [str(number + 1)] for number in range(size)}
    assert list(circles(chain)) == []
    chain[str(size)] = ["0"]
    assert [len(circle) for circle in circles(chain)] == [size + 1]
