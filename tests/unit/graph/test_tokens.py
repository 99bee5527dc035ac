"""Texts become the tokens that the table says, and scores what it says; laws that hold for any text."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mneme.graph.tokens import (
    STOP_WORDS,
    containment,
    document_tokens,
    jaccard,
    keyword_score,
    overlap,
    tokens,
    words,
)
from tests.unit.graph.tables import checks, table

MEASURES = {"keyword": keyword_score, "jaccard": jaccard, "containment": containment, "overlap": overlap}


@pytest.mark.parametrize("check", checks("tokens", "tokens"))
def test_a_text_has_these_tokens(check: dict[str, Any]) -> None:
    assert tokens(check["text"]) == set(check["tokens"])
    assert len(check["tokens"]) == len(set(check["tokens"]))


@pytest.mark.parametrize("check", checks("tokens", "finds"))
def test_a_question_finds_the_text_that_holds_it(check: dict[str, Any]) -> None:
    assert keyword_score(tokens(check["question"]), tokens(check["text"])) == 1


@pytest.mark.parametrize("check", checks("tokens", "score"))
def test_a_score_is_as_the_table_says(check: dict[str, Any]) -> None:
    score = MEASURES[check["measure"]](tokens(check["one"]), tokens(check["other"]))
    assert round(score, 4) == check["value"]


@pytest.mark.parametrize("word", table("tokens")["stop_words"].split())
def test_stop_word_5_1(word: str) -> None:
    assert tokens(f"{word} {word.upper()} kept") == {"kept"}


def test_the_stop_list_is_whole_5_1() -> None:
    assert set(table("tokens")["stop_words"].split()) == STOP_WORDS


def test_a_document_is_found_by_content_tags_and_entities_5_2() -> None:
    assert document_tokens("uses SQLite", ["storage/cache"], ["本地缓存"]) == {
        "uses", "sqlite", "storage", "cache", "本地", "地缓", "缓存",
    }  # fmt: skip


def test_words_keep_order_and_repetition_and_stop_words_when_asked() -> None:
    text = "The cache is a cache"
    assert words(text) == ["cache", "cache"]
    assert words(text, stop_words=True) == ["the", "cache", "is", "a", "cache"]
    assert words("SQLiteが") == ["sqlite"]
    assert words("SQLiteが", stop_words=True) == ["sqlite", "が"]


@given(st.text())
def test_words_are_tokens(text: str) -> None:
    assert frozenset(words(text)) == tokens(text)
    assert tokens(text) <= frozenset(words(text, stop_words=True))


@given(st.text())
@example("\u17b4")
def test_a_token_is_nothing_but_letters_digits_and_marks(text: str) -> None:
    for token in words(text, stop_words=True):
        assert token
        assert not token.isspace()
        assert all(unicodedata.category(char) in ("Nd", "Nl", "Mn", "Mc") or char.isalpha() for char in token)
        assert any(char.isalnum() for char in token)


@given(st.text(st.characters(codec="ascii")))
def test_ascii_goes_the_same_way_as_other_text(text: str) -> None:
    """Beside a word that is not ASCII, the long way is taken."""
    assert tokens(f"{text} é") == tokens(text) | {"é"}


@given(st.text())
def test_composed_and_decomposed_text_have_the_same_tokens(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert tokens(unicodedata.normalize("NFD", composed)) == tokens(composed)


RUNNING_ON = ("しりとりがーガ", "끝말잇기를가", "知识图谱库")
UNSPACED = st.one_of(*(st.text(st.sampled_from(letters)) for letters in RUNNING_ON))


@given(UNSPACED, st.data())
def test_what_is_asked_in_two_characters_or_more_is_found_inside_of_a_run(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(0, len(text)))
    if end - start >= 2:
        assert tokens(text[start:end]) <= tokens(text)


SETS = st.frozensets(st.sampled_from("abcdef"))


@given(SETS, SETS)
def test_scores_are_shares(one: frozenset[str], other: frozenset[str]) -> None:
    for measure in MEASURES.values():
        assert 0 <= measure(one, other) <= 1
    for measure in (jaccard, containment, overlap):
        assert measure(one, other) == measure(other, one)
    assert jaccard(one, other) <= overlap(one, other) <= containment(one, other)


def test_the_word_list_for_thai_is_loaded_for_thai_only() -> None:
    code = (
        "import sys; from mneme.graph.tokens import tokens; tokens('知识 しりとり 끝말 Café'); "
        "print('budoux' in sys.modules); tokens('ข้อมูล'); print('budoux' in sys.modules, 'html' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["False", "True", "False"]
