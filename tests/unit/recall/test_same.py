"""What says the same again, and what is about something else: the pairs of tests/cases/recall/pairs.case."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.recall.difference import DUPLICATE, difference
from mneme.recall.same import same
from tests.graphs import MemoryView, insight
from tests.unit.recall.compiled import cases


def pairs() -> Iterator[tuple[str, bool, str, str]]:
    for title, parts in cases("pairs.case"):
        for label, lines in parts.items():
            for line in lines.strip().splitlines():
                one, _, other = line.replace("\\u0301", "\u0301").partition(" | ")
                yield title, label == "same", one, other


PAIRS = list(pairs())


def test_there_are_enough_in_both_languages() -> None:
    chinese = [pair for pair in PAIRS if any("\u4e00" <= char <= "\u9fff" for char in pair[2])]
    assert len(PAIRS) >= 120
    assert len(chinese) >= 40
    assert len(PAIRS) - len(chinese) >= 40


@pytest.mark.parametrize(("title", "alike", "one", "other"), PAIRS)
def test_pairs(title: str, one: str, other: str, *, alike: bool) -> None:
    assert same(one, other) is same(other, one) is alike, title


@given(st.text(max_size=50))
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert same(text, text)
    assert same(text, f"{text}\n")


@pytest.mark.parametrize(("title", "alike", "one", "other"), [pair for pair in PAIRS if not pair[1]])
def test_what_is_about_something_else_is_never_suggested_as_a_duplicate(
    title: str, one: str, other: str, *, alike: bool
) -> None:
    filler = " ".join(f"word{number}" for number in range(40))
    for text, stored in ((one, other), (other, one), (f"{one} {filler}", f"{other} {filler}")):
        view = MemoryView([insight("A", stored)])
        assert alike is False
        assert difference(view, text).suggestion != DUPLICATE, title


def test_what_is_the_same_is_suggested_as_a_duplicate() -> None:
    view = MemoryView([insight("A", "Backups of the EU region are kept for ninety days")])
    assert difference(view, "Backups of the EU region are kept for ninety days!").suggestion == DUPLICATE
