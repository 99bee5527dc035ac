"""Values as tokens: one word, never a key, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.format.encoded import decode, encode, origin_token, origin_values
from mneme.format.vocabulary import BLANKS


@pytest.mark.parametrize(
    ("value", "token"),
    [
        ("plain", "plain"), ("two words", "two%20words"), ("100 %", "100%20%25"), ("缓存", "缓存"),
        ("a\u3000b", "a%E3%80%80b"),
        ("#1", "%231"), ("C#", "C#"), ("state", "%73tate"), ("link", "%6Cink"),
        ("a\nb", "a%0Ab"), ("\u200b", "%E2%80%8B"),
    ],
)  # fmt: skip
def test_encode(value: str, token: str) -> None:
    assert encode(value) == token


@given(st.text(min_size=1))
def test_a_value_is_one_token_and_comes_back(value: str) -> None:
    token = encode(value)
    assert token
    assert not any(char in BLANKS or char in "\r\n" for char in token)
    assert decode(token) == value


def test_values_on_an_origin_line() -> None:
    line = [origin_token("entity", "Page Store"), "session=1", origin_token("entity", "a=b"), "entity"]
    assert origin_values(line, "entity") == ["Page Store", "a=b"]
    assert origin_values(line, "agent") == []
