"""Nothing printed is hidden."""

from __future__ import annotations

import pytest

from mneme.text.visible import quote, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("漢字 é 😀", "漢字 é 😀"),
        ("a\tb", "a b"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("no\u00a0break", "no<U+00A0>break"),
        ("bidi\u202eidib", "bidi<U+202E>idib"),
        ("line\u2028end\r\n", "line<U+2028>end<U+000D><U+000A>"),
        ("filler\u3164", "filler<U+3164>"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("variation\ufe0f", "variation<U+FE0F>"),
        ("lone\ud800", "lone<U+D800>"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_quotes_are_cut() -> None:
    assert quote("short") == "'short'"
    assert quote("0123456789", 5) == "'0123…'"
    assert quote("01234", 5) == "'01234'"
