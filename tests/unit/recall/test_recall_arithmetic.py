"""The arithmetic of recall, against the engine's numbers. Each check names its section of the engine's facts."""

from __future__ import annotations

from functools import partial

import pytest

from mneme.errors import UsageError
from mneme.graph.model import Edge, Insight
from mneme.graph.vectors import pack, unpack
from mneme.graph.view import Scope
from mneme.recall import anchors, causes, pipeline, rank, walk
from mneme.recall.evidence import Evidence, cosines, evidence
from mneme.recall.labels import confidence, hint, rounded
from mneme.recall.neighbours import Neighbours
from mneme.recall.order import best
from mneme.recall.pipeline import DEFAULT_LIMIT, RANKERS
from mneme.recall.question import ask
from mneme.recall.result import Answer, Hit
from mneme.recall.walk import BEAMS, Beam, Grounds
from tests.graphs import MemoryView, insight, pair

recall = partial(pipeline.recall, ranker="magma")

FLAT = {"causal": 0.25, "temporal": 0.25, "entity": 0.25, "semantic": 0.25, "supersedes": 0.0}


def ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer.hits]


def walked(
    edges: list[Edge], starts: dict[str, float], beam: Beam, similarity: dict[str, float] | None = None
) -> walk.Walked:
    keys = sorted({key for edge in edges for key in edge[:2]} | set(starts))
    grounds = Grounds(Neighbours(MemoryView([insight(key, key) for key in keys], edges)), FLAT, similarity)
    return walk.walk(grounds, {key: anchors.Anchor(score, "keyword") for key, score in starts.items()}, beam)


def scores(reached: walk.Walked) -> dict[str, float]:
    return {key: round(score, 6) for key, score in reached.scores.items()}


CONSTANTS = {
    "7.2 anchors per signal": (anchors.PER_SIGNAL, 20),
    "7.2 fusion constant": (anchors.RANK_OFFSET, 60),
    "7.2 least cosine": (anchors.LEAST_COSINE, 0.1),
    "7.3 beam WHY": (BEAMS["WHY"], (15, 5, 500)),
    "7.3 beam WHEN": (BEAMS["WHEN"], (10, 5, 400)),
    "7.3 beam ENTITY": (BEAMS["ENTITY"], (10, 4, 400)),
    "7.3 beam GENERAL": (BEAMS["GENERAL"], (10, 4, 500)),
    "7.3 an edge counts": (walk.STRUCTURE, 1.0),
    "7.3 a cosine counts": (walk.SIMILARITY, 0.4),
    "7.4 with embeddings": (rank.WITH_EMBEDDINGS, (0.30, 0.15, 0.35, 0.20)),
    "7.4 without": (rank.WITHOUT_EMBEDDINGS, (0.45, 0.25, 0.0, 0.30)),
    "7.5 superseded factor": (rank.SUPERSEDED_FACTOR, 0.25),
    "7 default limit": (DEFAULT_LIMIT, 10),
}


@pytest.mark.parametrize("check", CONSTANTS)
def test_constant(check: str) -> None:
    ours, engine = CONSTANTS[check]
    assert ours == engine


LABELS = {
    "7.9 zero": (0.0, "low"),
    "7.9 rounds to below medium": (0.2494, "low"),
    "7.9 rounds up to medium": (0.2496, "medium"),
    "7.9 medium from": (0.25, "medium"),
    "7.9 rounds to below high": (0.5994, "medium"),
    "7.9 rounds up to high": (0.5996, "high"),
    "7.9 high from": (0.60, "high"),
    "7.9 top": (1.0, "high"),
}


@pytest.mark.parametrize("check", LABELS)
def test_confidence_label(check: str) -> None:
    score, label = LABELS[check]
    assert confidence(score) == label


@pytest.mark.parametrize(
    ("score", "shown"), [(0.525, 0.525), (0.1234999, 0.123), (0.1235, 0.124), (0.0625, 0.063), (-0.0625, -0.063)]
)
def test_7_9_score_has_three_decimals_and_a_half_goes_up(score: float, shown: float) -> None:
    assert rounded(score) == shown


HINTS = {
    "7.8 none": (0, 10, "sparse_results"),
    "7.8 none of one": (0, 1, "sparse_results"),
    "7.8 below half": (4, 10, "sparse_results"),
    "7.8 half": (5, 10, ""),
    "7.8 integer division": (2, 5, ""),
    "7.8 one of three": (1, 3, ""),
}


@pytest.mark.parametrize("check", HINTS)
def test_hint(check: str) -> None:
    count, limit, said = HINTS[check]
    assert hint(count, limit) == said


def test_7_4_worked_example() -> None:
    """Two insights, A newer than B, one mutual temporal pair; a query of two tokens, A has one, B none."""
    view = MemoryView([insight("A", "release notes", 2), insight("B", "other matter", 1)], pair("A", "B", "temporal"))
    answer = recall(view, "release plan")
    first, second = answer.hits
    assert answer.intent == "GENERAL"
    assert (first.id, round(first.score, 4), confidence(first.score), first.via) == ("A", 0.5250, "medium", "temporal")
    assert (second.id, round(second.score, 4), confidence(second.score), second.via) == ("B", 0, "low", "temporal")
    assert first.signals == {"keyword": 0.5, "entity": 0.0, "similarity": 0.0, "graph": 1.0}
    assert second.signals == {"keyword": 0.0, "entity": 0.0, "similarity": 0.0, "graph": 0.0}
    assert answer.hint == "sparse_results"
    assert (answer.anchor_count, answer.traversed) == (2, 2)


def test_7_4_worked_example_anchors_and_walk() -> None:
    view = MemoryView([insight("A", "release notes", 2), insight("B", "other matter", 1)], pair("A", "B", "temporal"))
    starts = anchors.anchors(view, evidence(view, ask(view, "release plan")))
    assert starts["A"] == (1.0, "hybrid")
    assert round(starts["B"].score, 4) == 0.4919
    assert starts["B"].via == "time"
    reached = walk.walk(Grounds(Neighbours(view), FLAT, None), starts, BEAMS["GENERAL"])
    assert scores(reached) == {"A": 1.5, "B": 1.25}
    assert [step[:2] for step in reached.path("A")] == [("A", "B"), ("B", "A")]


FUSIONS = {
    "7.2 one signal": ({"time": ["a", "b"]}, {"a": (1.0, "time"), "b": (61 / 62, "time")}),
    "7.2 two signals": (
        {"keyword": ["a"], "time": ["b", "a"]},
        {"a": (1.0, "hybrid"), "b": ((1 / 61) / (1 / 61 + 1 / 62), "time")},
    ),
    "7.2 four signals": (
        {"keyword": ["a"], "vector": ["a"], "time": ["a"], "entity": ["a", "b"]},
        {"a": (1.0, "hybrid"), "b": ((1 / 62) / (4 / 61), "entity")},
    ),
    "7.2 vector alone": ({"vector": ["a"]}, {"a": (1.0, "vector")}),
    "7.2 nothing": ({"time": []}, {}),
}


@pytest.mark.parametrize("check", FUSIONS)
def test_fusion(check: str) -> None:
    rankings, fused = FUSIONS[check]
    found = anchors.fuse(rankings)
    assert {key: anchor.via for key, anchor in found.items()} == {key: via for key, (_, via) in fused.items()}
    assert {key: anchor.score for key, anchor in found.items()} == pytest.approx(
        {key: score for key, (score, _) in fused.items()}
    )


def test_7_2_each_signal_names_twenty() -> None:
    many = [insight(f"K{n:02}", "needle", n) for n in range(25)] + [
        insight(f"T{n:02}", "hay", 50 + n) for n in range(25)
    ]
    view = MemoryView(many)
    starts = anchors.anchors(view, evidence(view, ask(view, "needle")))
    assert sorted(starts) == [f"K{n:02}" for n in range(5, 25)] + [f"T{n:02}" for n in range(5, 25)]


def test_7_2_recency_gives_anchors_for_any_question_and_ties_go_by_id() -> None:
    view = MemoryView([insight(key, "x") for key in "CAB"])
    starts = anchors.anchors(view, evidence(view, ask(view, "the is a an")))
    assert {key: round(1 / start.score, 4) for key, start in starts.items()} == {
        "A": 1.0, "B": round(62 / 61, 4), "C": round(63 / 61, 4),
    }  # fmt: skip


def test_7_2_only_a_cosine_above_a_tenth_is_an_anchor() -> None:
    found = Evidence({}, {}, {"a": 0.1, "b": 0.1001, "c": 0.9, "d": -1.0})
    starts = anchors.anchors(MemoryView([]), found)
    assert {key: (round(1 / score, 6), via) for key, (score, via) in starts.items()} == {
        "b": (round(62 / 61, 6), "vector"), "c": (1.0, "vector"),
    }  # fmt: skip


ENTITIES = {
    "7.2 all of one": ("use Redis", ("Redis",), 1.0),
    "7.2 half": ("Redis or SQLite", ("SQLite",), 0.5),
    "7.2 case does not count": ("use Redis", ("redis", "REDIS"), 1.0),
    "7.2 whole string": ("use Redis", ("Redis Cluster",), None),
}


@pytest.mark.parametrize("check", ENTITIES)
def test_entity_signal(check: str) -> None:
    query, entities, share = ENTITIES[check]
    view = MemoryView([insight("A", "x", entities=entities)])
    assert evidence(view, ask(view, query)).entity.get("A") == share


KEYWORDS = {
    "5.2 content": (insight("A", "alpha beta"), 0.5),
    "5.2 tags": (insight("A", "x", tags=("alpha",)), 0.5),
    "5.2 entities": (insight("A", "x", entities=("gamma alpha",)), 1.0),
    "5.2 all together": (insight("A", "alpha", tags=("gamma",)), 1.0),
    "5.2 nothing": (insight("A", "x"), None),
}


@pytest.mark.parametrize("check", KEYWORDS)
def test_keyword_signal(check: str) -> None:
    one, share = KEYWORDS[check]
    view = MemoryView([one])
    assert evidence(view, ask(view, "the alpha and gamma")).keyword.get("A") == share


ORDERS = {
    "7.6 score": ([("A", 1, 0, 0.2), ("B", 1, 0, 0.9)], "BA"),
    "7.6 importance": ([("A", 3, 5, 0.5), ("B", 4, 0, 0.5)], "BA"),
    "7.6 newer first": ([("A", 3, 0, 0.5), ("B", 3, 1, 0.5)], "BA"),
    "7.6 id": ([("B", 3, 0, 0.5), ("A", 3, 0, 0.5)], "AB"),
    "7.6 score before importance": ([("A", 5, 9, 0.5), ("B", 1, 0, 0.51)], "BA"),
}


@pytest.mark.parametrize("check", ORDERS)
def test_order(check: str) -> None:
    rows, order = ORDERS[check]
    view = MemoryView([insight(key, "x", hours, importance=importance) for key, importance, hours, _ in rows])
    assert "".join(one.id for one in best(view, {row[0]: row[3] for row in rows}, 10)) == order


def test_7_6_the_cut_keeps_the_first_of_equal_scores() -> None:
    view = MemoryView([insight(key, "x") for key in "DCBA"])
    equal = dict.fromkeys("ABCD", 0.5)
    assert [one.id for one in best(view, equal, 2)] == ["A", "B"]
    assert best(view, equal, 0) == []


def test_7_3_scores_add_up_and_grow_with_depth() -> None:
    chain = [Edge("A", "B", "causal", 1.0), Edge("B", "C", "causal", 0.5)]
    assert scores(walked(chain, {"A": 1.0}, Beam(10, 4, 500)))["C"] == 1.0 + 0.25 + 0.125


def test_7_3_stepping_back_raises_the_node_one_came_from() -> None:
    reached = walked([Edge("A", "B", "causal", 1.0)], {"A": 1.0}, Beam(10, 4, 500))
    assert scores(reached) == {"A": 1.5, "B": 1.25}
    assert reached.via("A") == "causal"


def test_7_3_each_anchor_starts_from_its_own_score() -> None:
    reached = walked([Edge("A", "B", "causal", 1.0)], {"A": 1.0, "B": 0.9}, Beam(10, 4, 500))
    assert scores(reached) == {"A": 1.5, "B": 1.4}


def test_7_3_depth_bounds_the_walk() -> None:
    chain = [Edge(f"N{n}", f"N{n + 1}", "causal", 1.0) for n in range(8)]
    assert sorted(walked(chain, {"N0": 1.0}, Beam(10, 4, 500)).scores) == [f"N{n}" for n in range(5)]


def test_7_3_budget_counts_the_start_and_goes_to_the_best_transitions() -> None:
    star = [Edge("hub", f"N{n:03}", "causal", 0.1) for n in range(520)] + [Edge("hub", "right", "causal", 0.9)]
    reached = walked(star, {"hub": 1.0}, Beam(10, 4, 400)).scores
    assert len(reached) == 400
    assert "right" in reached
    assert "N397" in reached
    assert "N398" not in reached


def test_7_3_equal_transitions_go_by_id() -> None:
    star = [Edge("hub", key, "causal", 0.5) for key in "DCBA"]
    assert sorted(walked(star, {"hub": 1.0}, Beam(10, 1, 3)).scores) == ["A", "B", "hub"]


def test_7_3_beam_keeps_the_best_of_a_level() -> None:
    edges = [
        *(Edge("hub", f"N{n}", "causal", 0.1 * n) for n in range(1, 5)),
        *(Edge(f"N{n}", f"far{n}", "causal", 1.0) for n in range(1, 5)),
    ]
    reached = walked(edges, {"hub": 1.0}, Beam(2, 2, 500)).scores
    assert [key for key in sorted(reached) if key.startswith("far")] == ["far3", "far4"]
    assert {"N1", "N2"} <= set(reached)


def test_7_3_a_negative_cosine_counts_nothing() -> None:
    edges = [Edge("A", "B", "causal", 1.0), Edge("A", "C", "causal", 1.0)]
    reached = walked(edges, {"A": 1.0}, Beam(10, 1, 500), {"B": -0.5, "C": 0.5})
    assert scores(reached) == {"A": 1.0, "B": 1.25, "C": 1.45}


def test_7_3_supersedes_is_walked_and_adds_nothing() -> None:
    reached = walked([Edge("new", "old", "supersedes", 1.0)], {"new": 1.0}, Beam(10, 1, 500))
    assert (reached.scores["old"], reached.via("old")) == (1.0, "supersedes")


def test_7_3_an_edge_to_itself_raises_nothing() -> None:
    assert scores(walked([Edge("A", "A", "causal", 1.0)], {"A": 1.0}, Beam(10, 4, 500))) == {"A": 1.0}


def test_7_3_one_question_about_edges_for_each_level() -> None:
    chain = [Edge(f"N{n}", f"N{n + 1}", "causal", 1.0) for n in range(40)]
    view = MemoryView([insight(f"N{n}", "x", n) for n in range(41)], chain)
    recall(view, "why", limit=5)
    assert view.asked <= BEAMS["WHY"].depth + 2


SUPERSEDED = {
    "7.5 lowered": ("port 22", 0.25),
    "7.5 not removed": ("port", 0.25),
}


@pytest.mark.parametrize("check", SUPERSEDED)
def test_superseded_factor(check: str) -> None:
    query, factor = SUPERSEDED[check]
    insights = [insight("OLD", "port 22"), insight("NEW", "port 2222", 1)]
    rows = pair("OLD", "NEW", "temporal")
    before = {hit.id: hit for hit in recall(MemoryView(insights, rows), query).hits}
    after = {
        hit.id: hit for hit in recall(MemoryView(insights, [*rows, Edge("NEW", "OLD", "supersedes", 1)]), query).hits
    }
    assert after["OLD"].superseded
    assert not after["NEW"].superseded
    assert after["OLD"].score == before["OLD"].score * factor
    assert after["NEW"].score == before["NEW"].score


def hits(*keys_and_scores: tuple[str, float]) -> list[Hit]:
    return [Hit(Insight(key, key), score, "WHY", "time", {}) for key, score in keys_and_scores]


def causal(*rows: str) -> Neighbours:
    edges = [Edge(row[0], row[1], "causal", 1.0) for row in rows]
    return Neighbours(MemoryView([insight(key, key) for key in sorted(set("".join(rows)))], edges))


SORTS = {
    "7.7 cause before effect": ("ABC", ("CA",), "BCA"),
    "7.7 no rows": ("ABC", (), "ABC"),
    "7.7 chain": ("ABC", ("CB", "BA"), "CBA"),
    "7.7 ready by score": ("ABCD", ("DA",), "BCDA"),
    "7.7 outside of the result": ("AB", ("XA", "XB"), "AB"),
    "7.7 cycle goes last": ("ABCD", ("AB", "BC", "CA"), "DABC"),
    "7.7 behind a cycle": ("DABC", ("AB", "BC", "CA", "AD"), "DABC"),
    "7.7 a mutual pair keeps its places (11.3)": ("ABC", ("AB", "BA"), "ABC"),
    "7.7 a mutual pair beside a cause (11.3)": ("ABC", ("AB", "BA", "CA"), "BCA"),
    "7.7 two causes": ("ABC", ("BA", "CA"), "BCA"),
}


@pytest.mark.parametrize("check", SORTS)
def test_causal_order(check: str) -> None:
    ranked, rows, order = SORTS[check]
    before = hits(*((key, 1 - place / 10) for place, key in enumerate(ranked)))
    assert "".join(hit.id for hit in causes.causes_first(before, causal(*rows))) == order


REPLACED = {
    "7.7 superseded cause": ("NCO", ("OE", "OC"), ("NO",), "NOC"),
    "7.7 its successor has a cause of its own": ("CON", ("CN",), ("NO",), "CNO"),
    "7.7 the old one caused the new one": ("NO", ("ON",), ("NO",), "NO"),
    "7.7 each supersedes the other": ("NO", (), ("NO", "ON"), "NO"),
}


@pytest.mark.parametrize("check", REPLACED)
def test_a_superseded_cause_stays_behind_its_successor(check: str) -> None:
    ranked, rows, supersedes, order = REPLACED[check]
    edges = [Edge(row[0], row[1], "causal", 1.0) for row in rows]
    edges += [Edge(row[0], row[1], "supersedes", 1.0) for row in supersedes]
    view = MemoryView([insight(key, key) for key in "NOCE"], edges)
    before = hits(*((key, 1 - place / 10) for place, key in enumerate(ranked)))
    assert "".join(hit.id for hit in causes.causes_first(before, Neighbours(view))) == order


def test_7_7_equal_scores_keep_their_rank() -> None:
    assert [hit.id for hit in causes.causes_first(hits(("C", 0.5), ("A", 0.5), ("B", 0.5)), causal())] == [
        "C",
        "A",
        "B",
    ]


def test_7_7_only_why_puts_causes_first_and_after_the_cut() -> None:
    insights = [insight("A", "cache moved to SQLite", 3), insight("B", "files were corrupted", 2), insight("C", "x", 1)]
    view = MemoryView(insights, [Edge("B", "A", "causal", 1.0)])
    assert ids(recall(view, "cache SQLite", intent="why", limit=2)) == ["B", "A"]
    assert ids(recall(view, "cache SQLite", intent="general", limit=2)) == ["A", "B"]
    assert ids(recall(view, "cache SQLite", intent="why", limit=1)) == ["A"]


SCOPES = {
    "7.1 all": (Scope(), ["A", "B", "C"]),
    "7.1 category": (Scope(category="fact"), ["B", "C"]),
    "7.1 source": (Scope(source="agent"), ["C"]),
    "7.1 exact": (Scope(category="Fact"), []),
}


@pytest.mark.parametrize("check", SCOPES)
def test_scope(check: str) -> None:
    scope, found = SCOPES[check]
    view = MemoryView(
        [
            insight("A", "x", category="decision"),
            insight("B", "x", category="fact"),
            insight("C", "x", category="fact", source="agent"),
        ],
        pair("A", "C", "entity"),
        scope,
    )
    assert sorted(ids(recall(view, "x"))) == found


VECTORS = {
    "2.9 same direction": ([1.0, 0.0], [2.0, 0.0], 1.0),
    "2.9 opposite": ([1.0, 0.0], [-2.0, 0.0], -1.0),
    "2.9 right angle": ([1.0, 0.0], [0.0, 3.0], 0.0),
    "2.9 other dimension": ([1.0, 0.0], [1.0], 0.0),
    "2.9 no length": ([1.0, 0.0], [0.0, 0.0], 0.0),
    "2.9 not a number": ([1.0, 0.0], [float("nan"), 0.0], 0.0),
}


@pytest.mark.parametrize("check", VECTORS)
def test_cosine(check: str) -> None:
    query, stored, cosine = VECTORS[check]
    assert cosines(pack(query), {"A": pack(stored)}) == {"A": cosine}


@pytest.mark.parametrize("blob", [b"", b"abc", b"abcde"])
def test_2_9_what_is_no_vector_is_left_out(blob: bytes) -> None:
    assert unpack(blob) is None
    assert cosines(pack([1.0]), {"A": blob}) is None
    assert cosines(blob, {"A": pack([1.0])}) is None


def test_2_9_little_endian_float32() -> None:
    assert pack([1.0, -2.0]) == bytes.fromhex("0000803f000000c0")
    assert list(unpack(bytes.fromhex("0000803f000000c0")) or ()) == [1.0, -2.0]


def test_7_4_with_embeddings() -> None:
    """Keyword 0.30, entity 0.15, similarity 0.35, graph 0.20; the weights change as soon as one vector is usable."""
    insights = [insight("A", "plan", 1), insight("B", "note")]
    stored = {"A": pack([0.6, 0.8]), "B": b"odd"}
    answer = recall(MemoryView(insights, vectors=stored), "plan", vector=pack([1.0, 0.0]))
    parts = answer.hits[0].signals
    assert parts == {"keyword": 1.0, "entity": 0.0, "similarity": pytest.approx(0.6), "graph": 1.0}
    assert answer.hits[0].score == pytest.approx(0.30 + 0.35 * 0.6 + 0.20)
    without = recall(MemoryView(insights, vectors={"B": b"odd"}), "plan", vector=pack([1.0, 0.0]))
    assert without.hits[0].score == pytest.approx(0.45 + 0.30)


def test_7_4_all_equal_gives_no_graph_signal() -> None:
    answer = recall(MemoryView([insight("A", "plan")]), "plan")
    assert answer.hits[0].signals["graph"] == 0.0


def test_7_intent_override_and_its_source() -> None:
    view = MemoryView([insight("A", "x")])
    assert recall(view, "x", intent=" when ")[1:3] == ("WHEN", "override")
    assert recall(view, "why x")[1:3] == ("WHY", "auto")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"intent": "HOW"}, "no intent 'HOW'"), ({"limit": 0}, "limit is 0"), ({"ranker": "best"}, "no ranker 'best'")],
)
def test_8_13_what_cannot_be_asked(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        recall(MemoryView([insight("A", "x")]), "x", **wrong)  # type: ignore[arg-type]
    assert caught.value.hint


def test_an_empty_graph_has_nothing_to_say() -> None:
    answer = recall(MemoryView([]), "anything at all")
    assert answer.hits == ()
    assert (answer.anchor_count, answer.traversed, answer.hint) == (0, 0, "sparse_results")


def test_path_names_the_edges_that_brought_a_hit() -> None:
    view = MemoryView([insight("A", "cache", 9), insight("B", "x", 1)], [Edge("B", "A", "causal", 0.5)])
    by_id = {hit.id: hit for hit in recall(view, "cache").hits}
    assert [(step.origin, step.target, step.edge.type) for step in by_id["B"].path] == [("A", "B", "causal")]


def test_a_direct_hit_has_no_path() -> None:
    hit = recall(MemoryView([insight("A", "cache")]), "cache").hits[0]
    assert (hit.path, hit.via) == ((), "hybrid")


def test_rankers_are_a_closed_table() -> None:
    assert "magma" in RANKERS
