"""Laws of the default ranker, on made-up cells and questions."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.graph.fulltext import Entry
from mneme.graph.store import memory_store
from mneme.graph.store.lexicon import StoredLexicon
from mneme.recall.answerable import answerable
from mneme.recall.asked import apart
from mneme.recall.ranking import Ranking, rank

WORDS = (
    "cache",
    "caches",
    "port",
    "server",
    "Redis",
    "SQLite",
    "缓存",
    "数据",
    "moved",
    "files",
    "pool.py",
    "DEC-0003",
)
IDS = tuple(f"DEC-{number:04d}" for number in range(8))
RELATIONS = ("supersedes", "superseded-by", "causes", "depends-on", "relates", "prevents")

texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
links = st.lists(st.tuples(st.sampled_from(RELATIONS), st.sampled_from(IDS)), max_size=3).map(tuple)


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    ids = draw(st.lists(st.sampled_from(IDS), unique=True, min_size=1))
    return [
        Entry(
            key,
            draw(texts),
            tuple(draw(st.lists(texts, max_size=2))),
            draw(st.sampled_from(("a/b", "a/c", "d"))),
            draw(texts),
            links=draw(links),
            state=draw(st.sampled_from(("live", "stale", "superseded", "proposed", "retired"))),
            since=draw(st.sampled_from(("2026-01-01", "2026-02-01"))),
        )
        for key in ids
    ]


def index(kept: list[Entry]) -> StoredLexicon:
    store = memory_store()
    with store.transaction():
        store.put_entries(kept)
    return store.view().lexicon()


def order(ranking: Ranking) -> list[tuple[str, float]]:
    return [(one.id, one.score) for one in ranking.ranked]


@given(entries(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), st.randoms())
@settings(max_examples=60, deadline=None)
def test_neither_the_order_of_insertion_nor_what_was_there_before_shows(
    kept: list[Entry], question: str, chance: random.Random
) -> None:
    shuffled = list(kept)
    chance.shuffle(shuffled)
    before = [one._replace(gist="server " + one.body, links=()) for one in shuffled[::2]]
    here, there = index(kept), index([*before, *shuffled])
    for intent in ("GENERAL", "WHY", "WHEN"):
        assert order(rank(here, question, intent)) == order(rank(there, question, intent))
        assert order(rank(here, question, intent)) == order(rank(here, question, intent))


@given(entries(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join))
@settings(max_examples=80, deadline=None)
def test_what_supersedes_stands_above(kept: list[Entry], question: str) -> None:
    ranking = rank(index(kept), question)
    place = {one.id: number for number, one in enumerate(ranking.ranked)}
    for key, number in place.items():
        for newer in ranking.bonds.newer(key):
            if newer in place and newer not in ranking.bonds.predecessors(key, ranking.rows):
                assert place[newer] < number


@given(entries(), st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_question(kept: list[Entry], question: str) -> None:
    ranking = rank(index(kept), question)
    assert 0 <= answerable(ranking) <= 1
    assert [one.score for one in ranking.ranked] == sorted((one.score for one in ranking.ranked), reverse=True)


@given(entries(), st.sampled_from(IDS))
@settings(max_examples=60, deadline=None)
def test_an_id_finds_its_cell_or_what_came_after_it(kept: list[Entry], key: str) -> None:
    ranking = rank(index(kept), key)
    if key in {one.id for one in kept if one.state not in ("proposed", "retired")}:
        ids = [one.id for one in ranking.ranked]
        assert key in ids
        assert all(key in ranking.bonds.predecessors(one, ranking.rows) for one in ids[: ids.index(key)])


letters = st.text(alphabet="abc", max_size=6)


@given(letters, letters, st.integers(0, 3))
def test_slips_are_counted_alike_from_both_sides(one: str, other: str, most: int) -> None:
    there = apart(one, other, most)
    back = apart(other, one, most)
    assert (there <= most) == (back <= most) or len(one) <= most or len(other) <= most
    if there <= most and back <= most:
        assert (there == 0) == (one == other) or not one
