"""The edges that a new insight gets, as the table says; caps, and laws that hold for any insights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.graph.edges.arrival import Arrival
from mneme.graph.edges.causal import causal_edges, first_cue, sub_type
from mneme.graph.edges.entity import entity_edges
from mneme.graph.edges.semantic import semantic_edges
from mneme.graph.edges.temporal import backbone, proximity
from mneme.graph.entities import fold
from mneme.graph.model import Edge, Insight
from mneme.graph.vectors import cosine, pack, unpack
from tests.unit.graph.tables import checks, table

NOON = "2026-03-02T12:00:00Z"


def arrival(name: str, content: str = "", *, at: str = NOON, entities: Iterable[str] = ()) -> Arrival:
    return Arrival(Insight(name, content, created_at=at, entities=tuple(entities)))


def rows(edges: Iterable[Edge]) -> list[str]:
    return [
        f"{edge.source} -> {edge.target} {edge.weight:.4f} "
        + " ".join(f"{key}={value}" for key, value in sorted(edge.metadata.items()))
        for edge in edges
    ]


def pairs(edges: list[Edge]) -> list[str]:
    """Return the neighbours; each has to have both rows, with one weight."""
    ends = {edge[:2]: edge.weight for edge in edges}
    assert len(ends) == len(edges)
    assert all(ends[target, source] == weight for (source, target), weight in ends.items())
    return list(dict.fromkeys(name for edge in edges for name in edge[:2] if name != "N"))


@pytest.mark.parametrize("check", checks("edges", "backbone"))
def test_backbone(check: dict[str, Any]) -> None:
    previous = arrival(check["previous"]) if "previous" in check else None
    assert rows(backbone(arrival("N"), previous)) == check["rows"]


@pytest.mark.parametrize("check", checks("edges", "proximity"))
def test_proximity(check: dict[str, Any]) -> None:
    earlier = [arrival(name, at=at) for name, at in (line.split() for line in check["earlier"])]
    skip = arrival(check["skip"]) if "skip" in check else None
    edges = proximity(arrival("N", at=check["new"]), earlier, skip=skip)
    assert rows(edges) == check["rows"]
    assert {edge.type for edge in edges} <= {"temporal"}


def test_ten_are_near_at_most_and_the_skipped_one_takes_a_place_3_5() -> None:
    earlier = [arrival(f"A{number}") for number in range(12)]
    assert pairs(proximity(arrival("N"), earlier)) == [f"A{number}" for number in range(10)]
    assert pairs(proximity(arrival("N"), earlier, skip=earlier[3])) == [f"A{n}" for n in range(10) if n != 3]
    assert len(pairs(proximity(arrival("N"), earlier, skip=earlier[10]))) == 10


def test_no_more_is_read_than_needed() -> None:
    def endless(at: str) -> Iterator[Arrival]:
        while True:
            yield arrival("A", at=at)

    assert proximity(arrival("N"), endless("2026-02-01T00:00:00Z")) == []
    assert len(entity_edges(arrival("N", entities=["Git"]), lambda _: endless(NOON))) == 2
    assert causal_edges(arrival("N"), endless(NOON)) == []


def holding(others: dict[str, list[str]]) -> Any:
    arrivals = [arrival(name, entities=entities) for name, entities in others.items()]
    return lambda asked: (one for one in arrivals if asked in map(fold, one.insight.entities))


@pytest.mark.parametrize("check", checks("edges", "entity"))
def test_entity(check: dict[str, Any]) -> None:
    edges = entity_edges(arrival("N", entities=check["new"]), holding(check["others"]))
    assert rows(edges) == check["rows"]
    assert {edge.type for edge in edges} <= {"entity"}


def test_fifty_rows_are_the_most_and_a_pair_counts_once_3_6() -> None:
    names = [f"E{number}" for number in range(12)]
    new = arrival("N", entities=names)
    apart = {f"{name}/{number}": [name] for name in names for number in range(5)}
    edges = entity_edges(new, holding(apart))
    assert len(edges) == 50
    assert pairs(edges) == list(apart)[:25]
    # five insights share all twelve: that is ten rows, and the last name stands on each
    together = {f"A{number}": names for number in range(5)}
    edges = entity_edges(new, holding(together))
    assert len(edges) == 10
    assert {edge.metadata["entity"] for edge in edges} == {"E11"}


@pytest.mark.parametrize("check", checks("edges", "causal"))
def test_causal(check: dict[str, Any]) -> None:
    edges = causal_edges(arrival("N", check["new"]), [arrival("A", check["earlier"])])
    assert rows(edges) == check["rows"]
    assert {edge.type for edge in edges} <= {"causal"}


CUES = [cue for language in ("English", "Chinese") for cue in table("edges")["cues"][language]]
SUB_TYPES = [(name, cue) for name in ("prevents", "enables", "causes") for cue in table("edges")["sub_types"][name]]


@pytest.mark.parametrize("cue", CUES)
def test_causal_cue_3_7(cue: str) -> None:
    assert first_cue(f"one {cue} two") == cue
    assert first_cue(f"one {cue.upper()} two") == cue.upper()
    assert arrival("A", f"one {cue} two").has_cue
    if cue.isascii():
        for longer in (f"x{cue}", f"{cue}x", f"{cue}_", f"1{cue}"):
            assert cue not in first_cue(longer)
    else:
        assert first_cue(f"缓存{cue}磁盘") == cue


@pytest.mark.parametrize(("name", "cue"), SUB_TYPES)
def test_cue_of_a_sub_type_3_7(name: str, cue: str) -> None:
    assert sub_type("plain", f"one {cue} two") == name
    assert sub_type(f"one {cue} two", "because") == name


def test_the_first_cue_in_the_text_is_the_one_3_9() -> None:
    assert first_cue("所以 moved due to load") == "所以"
    assert first_cue("chosen because it is small") == "chosen because"
    assert first_cue("nothing") == ""


def test_ten_of_the_source_are_looked_at_3_7() -> None:
    earlier = [arrival(f"A{number}", "cache") for number in range(12)]
    edges = causal_edges(arrival("N", "therefore cache"), [arrival("N", "cache"), *earlier])
    assert [(edge.source, edge.target) for edge in edges] == [(f"A{number}", "N") for number in range(10)]


@pytest.mark.parametrize("check", checks("edges", "semantic"))
def test_semantic(check: dict[str, Any]) -> None:
    others = {name: pack(numbers) for name, numbers in check["others"].items()}
    edges = semantic_edges("N", pack(check["new"]), others)
    assert rows(edges) == check["rows"]
    assert semantic_edges("N", pack(check["new"]), reversed(others.items())) == edges
    assert {edge.type for edge in edges} <= {"semantic"}


def test_vectors_are_little_endian_float32_2_9() -> None:
    assert pack([1.0, -2.0]) == b"\x00\x00\x80\x3f\x00\x00\x00\xc0"
    assert unpack(b"\x00\x00\x80\x3f\x00\x00\x00\xc0").tolist() == [1.0, -2.0]  # type: ignore[union-attr]
    assert len(pack([0.0] * 768)) == 3072
    assert unpack(b"") is unpack(b"\x00\x00\x80") is None


def test_a_row_says_when_it_was_made() -> None:
    new = arrival("N", "therefore cache", entities=["Git"])
    other = arrival("A", "cache", entities=["Git"], at="2026-03-02T11:00:00Z")
    edges = [
        *backbone(new, other),
        *proximity(new, [other]),
        *entity_edges(new, lambda _: [other]),
        *causal_edges(new, [other]),
        *semantic_edges("N", pack([1.0]), {"A": pack([1.0])}, NOON),
    ]
    assert [edge.created_at for edge in edges] == [NOON] * 9


INSIGHTS = st.lists(
    st.builds(
        lambda content, entities, hour: (" ".join(content), entities, f"2026-03-02T{hour:02}:00:00Z"),
        st.lists(st.sampled_from(["because", "cache", "disk", "so that", "blocked", "写入", "因为"]), max_size=5),
        st.lists(st.sampled_from(["Git", "git", "SQLite", "Redis"]), max_size=4),
        st.integers(0, 23),
    ),
    min_size=1,
    max_size=14,
)


@given(INSIGHTS)
def test_rows_are_shares_of_one_within_the_caps_and_pairs_are_symmetric(
    facts: list[tuple[str, list[str], str]],
) -> None:
    new, *earlier = (
        arrival(f"A{number}" if number else "N", content, at=at, entities=entities)
        for number, (content, entities, at) in enumerate(facts)
    )
    holders = holding({one.id: list(one.insight.entities) for one in earlier})
    near, same = proximity(new, earlier, skip=earlier[0] if earlier else None), entity_edges(new, holders)
    causes = causal_edges(new, earlier)
    assert len(pairs(near)) <= 10
    assert len(pairs(same)) <= 25
    assert len(causes) == len({frozenset(edge[:2]) for edge in causes}) <= 10
    for edge in (*near, *same, *causes):
        assert "N" in edge[:2]
        assert edge.source != edge.target
        assert 0 < edge.weight <= 1
        assert all(isinstance(value, str) for value in edge.metadata.values())


VECTORS = st.lists(st.floats(-10, 10, width=32), min_size=3, max_size=3)


@given(VECTORS, VECTORS)
def test_cosine_is_symmetric_and_at_most_one(one: list[float], other: list[float]) -> None:
    first, second = unpack(pack(one)), unpack(pack(other))
    assert first is not None
    assert second is not None
    assert cosine(first, second) == cosine(second, first)
    assert -1 <= cosine(first, second) <= 1


@given(st.dictionaries(st.sampled_from("ABCDEFGH"), VECTORS), st.randoms())
def test_the_order_of_others_does_not_matter(others: dict[str, list[float]], random: Any) -> None:
    stored = [(name, pack(numbers)) for name, numbers in others.items()]
    edges = semantic_edges("N", pack([1.0, 1.0, 0.0]), stored)
    random.shuffle(stored)
    assert semantic_edges("N", pack([1.0, 1.0, 0.0]), stored) == edges
    assert len(pairs(edges)) <= 3
