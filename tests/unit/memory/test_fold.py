"""Folding: width, case and accents do not tell words apart; marks that make another letter do."""

from __future__ import annotations

import pytest

from mneme.memory.fold import fold


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("SQLite", "sqlite"), ("ＳＱＬｉｔｅ", "sqlite"), ("Café", "cafe"), ("Cafe\u0301", "cafe"),
        ("STRASSE", "straße"), ("ﾃﾞｰﾀ", "データ"), ("ΑΘΉΝΑ", "αθηνα"), ("ё", "е"), ("①", "1"),
        ("가\u00a0나", "가 나"), ("ﬁle", "file"), ("İ", "i"),
    ],
)  # fmt: skip
def test_equal(left: str, right: str) -> None:
    assert fold(left) == fold(right)


@pytest.mark.parametrize(
    ("left", "right"), [("か", "が"), ("は", "ぱ"), ("缓存", "緩存"), ("가", "각"), ("कि", "क"), ("ø", "o")]
)
def test_different(left: str, right: str) -> None:
    assert fold(left) != fold(right)


@pytest.mark.parametrize("text", ["가각", "データ", "अनुभव", "Ελλάδα", "naïve", "İstanbul"])
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
