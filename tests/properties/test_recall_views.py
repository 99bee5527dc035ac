"""A store answers as the graph in dictionaries does: the two views are one thing to recall."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.graph.model import EDGE_TYPES, Edge
from mneme.graph.store import memory_store
from mneme.graph.vectors import pack
from mneme.graph.view import Scope
from mneme.recall.pipeline import recall
from mneme.recall.search import basic, related, search
from tests.graphs import MemoryView, insight

IDS = ("DEC-0001", "FACT-0002", "a b", "数-1", "e\u0301", "x'\"%")
WORDS = ("cache", "Port", "cafe\u0301", "缓存数据", "しりとり", "끝말잇기", "E0382", "foo_bar", "C++")

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
rows = st.lists(
    st.tuples(
        texts,
        st.integers(0, 3),
        st.sampled_from(("fact", "decision")),
        st.sampled_from(("", "2026-11-02T00:00:00Z")),
        st.lists(st.sampled_from(("Redis", "redis", "缓存"))),
        st.lists(st.sampled_from(("cache", "x/y"))),
    ),
    min_size=1,
    max_size=len(IDS),
)
edges = st.lists(
    st.builds(
        Edge, st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(EDGE_TYPES), st.sampled_from((0.25, 0.5, 1.0))
    ).filter(lambda edge: edge.source != edge.target),
    max_size=12,
    unique_by=lambda edge: edge[:3],
)
scopes = st.sampled_from((Scope(), Scope(category="fact"), Scope(every_state=True), Scope("fact", "user", True)))


@given(rows, edges, scopes, texts, st.booleans())
@settings(deadline=None, max_examples=60)
def test_a_store_answers_like_the_plain_graph(
    kept: list[tuple[str, int, str, str, list[str], list[str]]],
    links: list[Edge],
    scope: Scope,
    question: str,
    with_vectors: bool,
) -> None:
    insights = [
        insight(key, text, hours, category=category, deleted_at=deleted, entities=tuple(entities), tags=tuple(tags))
        for key, (text, hours, category, deleted, entities, tags) in zip(IDS, kept, strict=False)
    ]
    there = {one.id for one in insights}
    links = [edge for edge in links if {edge.source, edge.target} <= there and edge.type != "supersedes"]
    vectors = {one.id: pack([1.0, len(one.content)]) for one in insights} if with_vectors else {}
    plain = MemoryView(insights, links, scope, vectors)
    with memory_store() as store:
        with store.transaction():
            store.put_insights(insights)
            store.put_edges(links)
            store.put_vectors(vectors)
        view = store.view(scope)
        query = pack([1.0, 5.0]) if with_vectors else b""
        asked = {"ranker": "magma", "vector": query}
        ours, theirs = (recall(one, question, **asked) for one in (view, plain))  # type: ignore[arg-type]
        assert [hit[:7] for hit in map(without_path, ours.hits)] == [hit[:7] for hit in map(without_path, theirs.hits)]
        assert ours[1:6] == theirs[1:6]
        assert search(view, question) == search(plain, question)
        assert basic(view, question[:3]) == basic(plain, question[:3])
        if IDS[0] in plain.insights:
            ours_near, theirs_near = related(view, IDS[0]), related(plain, IDS[0])
            assert [(one.insight, one.depth, one.edge[:4]) for one in ours_near] == [
                (one.insight, one.depth, one.edge[:4]) for one in theirs_near
            ]


def without_path(hit: object) -> object:
    return hit._replace(path=tuple((s.origin, s.target, s.edge[:4]) for s in hit.path))  # type: ignore[attr-defined]
