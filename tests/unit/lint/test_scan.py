"""Many texts asked at once give what each gives by itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.lint.scan import Joined

TEXTS = st.lists(st.text(alphabet="ab_-9 é\0\x1b\n汉İ", max_size=12), max_size=6)


@given(TEXTS, st.lists(st.text(alphabet="ab汉", min_size=1, max_size=3), max_size=3))
def test_holding(texts: list[str], needles: list[str]) -> None:
    expected = [number for number, text in enumerate(texts) if any(needle in text for needle in needles)]
    assert Joined(texts).holding(needles) == expected
    folded = [number for number, text in enumerate(texts) if any(needle in text.lower() for needle in needles)]
    assert Joined.folded(texts).holding(needles) == folded


@given(TEXTS, st.integers(1, 4))
def test_long_words(texts: list[str], length: int) -> None:
    run = re.compile(rf"[\w-]{{{length},}}", re.ASCII)
    assert Joined(texts).with_words(length) == [number for number, text in enumerate(texts) if run.search(text)]
    for text in texts:
        met = Joined([text]).runs(length)
        for match in run.finditer(text):
            assert any(match.start() <= place < match.end() for place in met)


@given(TEXTS)
def test_controls(texts: list[str]) -> None:
    assert Joined(texts).with_controls() == [number for number, text in enumerate(texts) if "\x1b" in text]


@pytest.mark.parametrize("texts", [[], [""], ["", ""]])
def test_nothing_holds_nothing(texts: list[str]) -> None:
    joined = Joined(texts)
    assert (joined.holding(["a"]), joined.with_words(1), joined.with_controls(), joined.runs(1)) == ([], [], [], [])
