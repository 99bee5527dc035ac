"""Laws of recall: the same graph gives the same answer, however it is kept and whenever it is asked."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.graph.model import EDGE_TYPES, Edge, Insight
from mneme.recall import forms, pipeline
from mneme.recall.result import CellFacts
from mneme.recall.search import related, search
from tests.conftest import ROOT
from tests.graphs import MemoryView, insight

recall = partial(pipeline.recall, ranker="magma")

WORDS = ("cache", "port", "server", "Redis", "SQLite", "缓存", "数据", "moved", "because", "files")
IDS = tuple(f"C{n}" for n in range(12))

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
insights = st.lists(
    st.tuples(texts, st.integers(0, 3), st.integers(3, 4), st.lists(st.sampled_from(("Redis", "redis", "SQLite")))),
    min_size=1,
    max_size=len(IDS),
).map(
    lambda rows: [
        insight(key, text, hours, importance=importance, entities=tuple(entities))
        for key, (text, hours, importance, entities) in zip(IDS, rows, strict=False)
    ]
)
edges = st.lists(
    st.builds(
        Edge,
        st.sampled_from(IDS),
        st.sampled_from(IDS),
        st.sampled_from(EDGE_TYPES),
        st.sampled_from((0.0, 0.25, 0.5, 1.0)),
    ),
    max_size=40,
    unique_by=lambda edge: edge[:3],
)
facts = st.dictionaries(
    st.sampled_from(IDS),
    st.builds(
        CellFacts,
        st.sampled_from(("live", "stale")),
        st.sampled_from(("low", "med", "high")),
        st.sampled_from(("2026-11-01", "2026-11-02")),
        st.lists(st.sampled_from(IDS), max_size=2).map(tuple),
    ),
    max_size=6,
)
questions = st.tuples(st.sampled_from(("", "why ", "when ", "what is ")), texts).map("".join)


@given(insights, edges, facts, questions, st.integers(1, 12), st.randoms())
@settings(deadline=None, max_examples=150)
def test_the_order_of_insertion_does_not_show(
    kept: list[Insight],
    rows: list[Edge],
    known: dict[str, CellFacts],
    question: str,
    limit: int,
    chance: random.Random,
) -> None:
    shuffled, turned = list(kept), list(rows)
    chance.shuffle(shuffled)
    chance.shuffle(turned)
    one = recall(MemoryView(kept, rows), question, facts=known, limit=limit)
    assert one == recall(MemoryView(shuffled, turned), question, facts=known, limit=limit)
    found = [hit.id for hit in one.hits]
    assert len(set(found)) == len(found) <= limit
    assert len(found) == min(limit, one.traversed) or known
    assert search(MemoryView(kept, rows), question) == search(MemoryView(shuffled, turned), question)
    assert related(MemoryView(kept, rows), "C0") == related(MemoryView(shuffled, turned), "C0")


@given(insights, edges, facts, questions, st.integers(2, 12))
@settings(deadline=None, max_examples=100)
def test_sides_are_neighbours(
    kept: list[Insight], rows: list[Edge], known: dict[str, CellFacts], question: str, limit: int
) -> None:
    hits = recall(MemoryView(kept, rows), question, facts=known, limit=limit).hits
    place = {hit.id: number for number, hit in enumerate(hits)}
    for hit in hits:
        group, todo = {hit.id}, [hit]
        while todo:
            fresh = [hits[place[key]] for key in todo.pop().rivals if key in place and key not in group]
            group.update(one.id for one in fresh)
            todo += fresh
        places = sorted(place[key] for key in group)
        assert places == list(range(places[0], places[0] + len(group)))


@given(insights, edges, texts)
@settings(deadline=None, max_examples=100)
def test_a_one_way_cause_comes_before_its_effect(kept: list[Insight], rows: list[Edge], question: str) -> None:
    acyclic = [edge for edge in rows if edge.type == "causal" and edge.source < edge.target]
    others = [edge for edge in rows if edge.type not in ("causal", "supersedes")]
    hits = recall(MemoryView(kept, acyclic + others), question, intent="WHY").hits
    place = {hit.id: number for number, hit in enumerate(hits)}
    for edge in acyclic:
        if edge.source in place and edge.target in place:
            assert place[edge.source] < place[edge.target]


def large_view() -> MemoryView:
    """Return a graph that is full of ties: equal texts, equal times, cycles and mutual pairs."""
    chance = random.Random(7)
    kept = [insight(f"C{n:03}", " ".join(chance.choices(WORDS, k=3)), n % 5, entities=("Redis",)) for n in range(200)]
    rows = {
        (f"C{chance.randrange(200):03}", f"C{chance.randrange(200):03}", chance.choice(EDGE_TYPES)) for _ in range(800)
    }
    return MemoryView(kept, [Edge(*row, 0.5) for row in sorted(rows)])


def answers() -> str:
    """Return the answers to some questions as one text."""
    view = large_view()
    asked = ("why cache moved", "when port", "what is Redis", "缓存 server files", "the")
    return repr([forms.verbose(recall(view, question, limit=30)) for question in asked])


def test_32_repetitions_are_identical() -> None:
    view = large_view()
    first = recall(view, "why Redis cache", limit=30)
    assert all(recall(view, "why Redis cache", limit=30) == first for _ in range(31))


def test_two_processes_with_other_hash_seeds_agree() -> None:
    script = "from tests.properties.test_recall_laws import answers; print(answers())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "4242")
    ]
    assert runs[0] == runs[1]
    assert runs[0].count(b"'insight'") == 150
