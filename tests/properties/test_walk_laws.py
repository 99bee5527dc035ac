"""The beam search against the engine's rules (facts 7.3), written down a second time, one walk after the other."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.graph.model import Edge
from mneme.recall.anchors import Anchor
from mneme.recall.neighbours import Neighbours
from mneme.recall.order import best
from mneme.recall.rank import lowered
from mneme.recall.walk import Beam, Grounds, walk
from tests.graphs import MemoryView, insight

IDS = tuple("ABCDEFGH")
WEIGHTS = {"causal": 0.5, "temporal": 0.25, "entity": 0.25, "supersedes": 0.0}

edges = st.lists(
    st.builds(
        Edge, st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(sorted(WEIGHTS)),
        st.sampled_from((0.0, 0.25, 0.5, 1.0)),
    ),
    max_size=30,
    unique_by=lambda edge: edge[:3],
)  # fmt: skip
starts = st.dictionaries(st.sampled_from(IDS), st.sampled_from((0.25, 0.5, 0.75, 1.0)), min_size=1)
similarities = st.dictionaries(st.sampled_from(IDS), st.sampled_from((-0.5, 0.0, 0.25, 1.0)))
beams = st.builds(Beam, st.integers(1, 4), st.integers(0, 4), st.integers(1, 9))


def plain_walk(
    rows: list[Edge], anchors: dict[str, float], similarity: dict[str, float], beam: Beam
) -> dict[str, tuple[float, str]]:
    best = {key: (score, "anchor") for key, score in anchors.items()}
    for anchor in sorted(anchors):
        visited = {anchor}
        level = [(anchor, anchors[anchor])]
        for _ in range(beam.depth):
            queued: list[tuple[str, float]] = []
            for node, score in level:
                moves = []
                for edge in rows:
                    if node in (edge.source, edge.target) and edge.source != edge.target:
                        other = edge.target if edge.source == node else edge.source
                        gain = 1.0 * (WEIGHTS[edge.type] * edge.weight) + 0.4 * max(0.0, similarity.get(other, 0.0))
                        moves.append((-gain, other, edge.type, edge.source))
                for loss, other, kind, _ in sorted(moves):
                    if len(visited) >= beam.visits:
                        break
                    reached = score - loss
                    if other not in best or reached > best[other][0]:
                        best[other] = (reached, kind)
                    if other not in visited:
                        visited.add(other)
                        queued.append((other, reached))
            level = sorted(queued, key=lambda entry: (-entry[1], entry[0]))[: beam.width]
    return best


@given(edges, starts, similarities, beams)
@settings(deadline=None, max_examples=400)
def test_walking_in_step_is_walking_one_after_the_other(
    rows: list[Edge], anchors: dict[str, float], similarity: dict[str, float], beam: Beam
) -> None:
    view = MemoryView([insight(key, key) for key in IDS], rows)
    starts = {key: Anchor(score, "anchor") for key, score in anchors.items()}
    walked = walk(Grounds(Neighbours(view), WEIGHTS, similarity), starts, beam)
    expected = plain_walk(rows, anchors, similarity, beam)
    assert {key: (score, walked.via(key)) for key, score in walked.scores.items()} == expected
    for key in walked.scores:
        path = walked.path(key)
        assert (path[-1].target if path else key) == key
        assert all(one.target == other.origin for one, other in pairwise(path))
        assert not path or path[0].origin in anchors


@given(
    st.dictionaries(st.integers(0, 150).map(str), st.sampled_from((0.0, 0.1, 0.125, 0.4, 0.5, 1.0))),
    st.sets(st.integers(0, 150).map(str)),
    st.integers(1, 20),
)
@settings(deadline=None, max_examples=200)
def test_asking_about_the_top_alone_gives_the_same_first_results(
    scores: dict[str, float], gone: set[str], limit: int
) -> None:
    view = MemoryView([insight(key, key) for key in scores])
    final, superseded = lowered(scores, limit, gone.intersection)
    everything = {key: score * 0.25 if key in gone else score for key, score in scores.items()}
    top = best(view, final, limit)
    assert top == best(view, everything, limit)
    assert all((one.id in superseded) == (one.id in gone) for one in top)
