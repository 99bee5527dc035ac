"""Cues for a text that came without any."""

from __future__ import annotations

import pytest

from mneme.memory.cue_words import derived_cues, is_cue


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("SQLite keeps the queue because files lost writes", ("SQLite", "keeps", "queue", "writes")),
        ("See mneme/graph/store.py for the pages", ("mneme/graph/store.py", "pages")),
        ("The PageStore of GitHub, FAISS, Redis and Kafka", ("PageStore", "GitHub", "FAISS", "Redis")),
        ("缓存使用SQLite，因为会丢数据", ("缓存使用", "SQLite", "丢数据")),
        ("キャッシュは「設定」に保存する", ("キャッシュは", "設定", "保存")),
        ("캐시는 SQLite를 사용한다", ("캐시는", "SQLite", "사용한다")),
        ("ข้อมูลในแคช", ("ข้อมูลใน", "แคช")),
        ("Wir speichern Sitzungen in der Datenbank", ("speichern", "Sitzungen", "Datenbank")),
        ("it is so", ("it is so",)),
        ("a / b", ()),
        ("...", ()),
    ],
)
def test_derived(text: str, cues: tuple[str, ...]) -> None:
    assert derived_cues(text, text) == cues


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("CI/CD", True),
        ("two words", True),
        ("a, b", False),
        ("a / b", False),
        ("a、b", False),
        (" a", False),
        ("", False),
    ],
)  # fmt: skip
def test_what_can_be_a_cue(text: str, fits: bool) -> None:
    assert is_cue(text) is fits
