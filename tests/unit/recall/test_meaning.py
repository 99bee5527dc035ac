"""What stands out by its vector, and that it helps the ranker without getting in the way of words."""

from __future__ import annotations

import math

import pytest

from mneme.graph.vectors import pack
from mneme.recall.meaning import CHANCE, FAR, Meaning, Vectors

TILTED = {f"FACT-{number:04d}": pack([math.sin(number), math.cos(number), 0.1]) for number in range(50)}


def meaning(stored: dict[str, bytes], asked: list[float]) -> Meaning:
    return Meaning(Vectors(stored, 4 * len(asked)), pack(asked))


def test_shares_are_standard_deviations_above_chance() -> None:
    stored = {**TILTED, "FACT-0099": pack([0, 0, 3])}
    found = meaning(stored, [0, 0, 1])
    cosines = [0.1 / math.sqrt(1.01)] * 50 + [1.0]
    mean = sum(cosines) / 51
    spread = math.sqrt(sum((cosine - mean) ** 2 for cosine in cosines) / 51)
    assert found.share("FACT-0099") == pytest.approx(((1 - mean) / spread - CHANCE) / FAR, abs=1e-5)
    assert found.share("FACT-0001") == 0
    assert found.candidates() == ["FACT-0099"]
    assert found.cosine("FACT-0099") == pytest.approx(1)
    assert found.cosine("FACT-0001") == pytest.approx(cosines[0], abs=1e-5)
    assert found.chance > 0.9


def test_length_and_order_do_not_matter() -> None:
    longer = {key: pack([5 * number for number in memoryview(blob).cast("f")]) for key, blob in TILTED.items()}
    one, other = meaning(TILTED, [1, 0.5, 0]), meaning(dict(reversed(longer.items())), [20, 10, 0])
    assert one.candidates() == other.candidates()
    assert [one.share(key) for key in TILTED] == pytest.approx([other.share(key) for key in TILTED], abs=1e-5)


def test_where_all_are_alike_nothing_stands_out() -> None:
    same = dict.fromkeys(TILTED, pack([1, 2, 3]))
    found = meaning(same, [3, 2, 1])
    assert found.candidates() == []
    assert found.chance < 0.01


def test_equal_ones_come_by_their_id() -> None:
    stored = {**TILTED, "B": pack([0, 0, 1]), "A": pack([0, 0, 1])}
    assert meaning(stored, [0, 0, 1]).candidates(1) == ["A"]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_vectors_say_nothing(count: int) -> None:
    found = meaning(dict(list(TILTED.items())[:count]), [1, 0, 0])
    assert (found.candidates(), found.share("FACT-0000"), found.chance) == ([], 0.0, 0.0)


@pytest.mark.parametrize("bad", [pack([1, 2]), pack([0, 0, 0]), pack([math.nan, 1, 1]), pack([math.inf, 1, 1]), b""])
def test_vectors_that_cannot_be_compared_take_no_part(bad: bytes) -> None:
    found = meaning({**TILTED, "BAD-0001": bad}, [1, 0, 0])
    assert (found.share("BAD-0001"), found.cosine("BAD-0001")) == (0.0, 0.0)
    assert found.candidates() == meaning(TILTED, [1, 0, 0]).candidates()


@pytest.mark.parametrize("asked", [[0, 0, 0], [math.nan, 0, 1]])
def test_a_question_without_direction_is_near_nothing(asked: list[float]) -> None:
    assert meaning(TILTED, asked).candidates() == []
