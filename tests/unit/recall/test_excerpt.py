"""The piece of a text that a question is about (engine's facts, 7.10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.recall.excerpt import DEFAULT_CHARACTERS, QUERY_BYTES, QUERY_TERMS, WIDEST, excerpt, terms

FILLER = " ".join(f"w{n:03}" for n in range(100))  # 499 characters, words of four
HAN = "".join(chr(0x4E00 + n) for n in range(300))

CASES: dict[str, tuple[str, str, int, str]] = {
    "blanks collapse": ("a  b\n\tc ", "x", 10, "a b c"),
    "fits exactly": ("abcde", "x", 5, "abcde"),
    "one too long": ("abcdef", "x", 5, "abcd…"),
    "blanks collapsed, it fits": ("a     b", "x", 3, "a b"),
    "one character": ("abcdef", "def", 1, "a"),
    "two characters": ("abcdef", "def", 2, "ab"),
    "three characters": ("abcdef", "x", 3, "ab…"),
    "no match: bare cut": ("alpha beta gamma", "zulu", 8, "alpha b…"),
    "nothing asked": ("alpha beta gamma", "", 8, "alpha b…"),
    "only stop words asked": ("alpha beta gamma", "the of", 8, "alpha b…"),
    "match at the start": ("needle " + FILLER, "needle", 20, "needle w000 w001…"),
    "match at the end": (FILLER + " needle", "needle", 20, "…w098 w099 needle"),
    # width 28, spare 22: 7 before the match, 15 after, both cut back to whole words
    "match in the middle": (FILLER + " needle " + FILLER, "needle", 30, "…w099 needle w000 w001 w002…"),
    "case does not count": (FILLER + " NeeDLE " + FILLER, "nEEdle", 30, "…w099 NeeDLE w000 w001 w002…"),
    "a word, not a part of one": ("needles " + FILLER + " needle", "needle", 20, "…w098 w099 needle"),
    "most different terms": ("red red red " + FILLER + " red blue", "blue red", 20, "…w098 w099 red blue"),
    "then the shorter span": ("red x x blue " + FILLER + " red blue", "blue red", 20, "…w098 w099 red blue"),
    "then the earlier one": ("red blue " + FILLER + " red blue", "blue red", 20, "red blue w000 w001…"),
    "longer than the window": (FILLER + " needleneedle", "needleneedle", 10, "w000 w001…"),
    "Han is cut anywhere": (HAN, HAN[150:152], 12, "…" + HAN[148:157] + HAN[157] + "…"),
    "two of Han inside a sentence": (FILLER + "，本地缓存改用数据库", "缓存", 14, "…，本地缓存改用数据库"),
}


@pytest.mark.parametrize("name", CASES)
def test_excerpt(name: str) -> None:
    text, query, characters, piece = CASES[name]
    assert excerpt(text, query, characters) == piece


LIMITS = {
    "default characters": (DEFAULT_CHARACTERS, 240),
    "query bytes": (QUERY_BYTES, 4096),
    "query terms": (QUERY_TERMS, 64),
    "widest window": (WIDEST, 4096),
}


@pytest.mark.parametrize("name", LIMITS)
def test_7_10_limit(name: str) -> None:
    ours, engine = LIMITS[name]
    assert ours == engine


def test_a_query_is_cut_at_64_terms() -> None:
    assert len(terms(FILLER)) == 64
    assert terms(FILLER)[-1] == "w063"
    assert excerpt("alpha " * 50 + "w064", FILLER, 20) == "alpha alpha alpha a…"
    assert excerpt("alpha " * 50 + "w063", FILLER, 20).endswith("w063")


def test_a_query_is_cut_at_4096_bytes_between_characters() -> None:
    assert terms("a " * 2048 + "needle") == []
    assert terms("é" + "x" * 4093 + "é") == ["é" + "x" * 4093]


def test_a_window_is_never_wider_than_4096() -> None:
    text = "alpha " * 2000 + "needle " + "omega " * 2000
    piece = excerpt(text, "needle", 10000)
    assert 4080 < len(piece) <= WIDEST + 2
    assert " needle " in piece


@given(
    st.text(alphabet="ab é缓存しก ́\n.-", max_size=120),
    st.text(alphabet="ab é缓存しก ́", max_size=8),
    st.integers(1, 40),
)
def test_an_excerpt_is_a_piece_within_its_limit(text: str, query: str, characters: int) -> None:
    piece = excerpt(text, query, characters)
    assert len(piece) <= characters
    assert piece.removeprefix("…").removesuffix("…") in " ".join(text.split())


@given(st.integers(0, 60), st.integers(12, 60))
def test_a_term_of_the_query_is_always_shown(place: int, characters: int) -> None:
    words = ["word"] * 60
    words.insert(place, "needle")
    assert "needle" in excerpt(" ".join(words), "where is the needle", characters)


def test_a_term_that_is_everywhere_costs_little() -> None:
    text = "a1 b1 " * 20000
    assert excerpt(text, "a1 b1 c1", 5000).startswith("a1 b1 a1")
