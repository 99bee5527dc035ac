"""What questions are after, in eleven languages, and what edges then count."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.recall.cues import COUNTED, PRESENT
from mneme.recall.intent import EDGE_WEIGHTS, INTENTS, detect
from tests.unit.graph.tables import checks, table

INTENT = table("intent")


def listed(kind: str) -> list[Any]:
    section = INTENT[kind]["section"]
    return [
        pytest.param(intent, text, id=f"{section} {language} {text}")
        for language, intents in INTENT[kind].items()
        if language != "section"
        for intent, texts in intents.items()
        for text in texts
    ]


@pytest.mark.parametrize(("intent", "cue"), listed("counted"))
def test_a_counted_cue_shows_its_intent(intent: str, cue: str) -> None:
    assert detect(f"cache, {cue} ?") == intent
    assert detect(cue.upper()) == intent
    assert detect(f"“{cue}”") == intent
    if cue.isascii():
        assert detect(cue.replace(" ", "\u00a0")) == intent
        assert detect(f"x{cue}x") == "GENERAL"
    else:
        assert detect(f"缓存{cue}缓存") == intent


@pytest.mark.parametrize(("intent", "question"), listed("added"))
def test_a_question_in_another_language_shows_its_intent(intent: str, question: str) -> None:
    assert detect(question) == intent
    assert detect(question.upper()) == intent
    assert detect(unicodedata.normalize("NFD", question)) == intent
    assert detect(f"«{question}»") == "GENERAL"


def test_no_cue_is_forgotten_6_1_6_2() -> None:
    for number, language in enumerate(("English", "Chinese")):
        ours = {intent: {cue.partition("(")[0] for cue in cues[number]} for intent, cues in COUNTED.items()}
        assert ours == {intent: set(cues) for intent, cues in INTENT["counted"][language].items()}
    assert set(PRESENT) == set(INTENT["added"]) - {"section"}
    assert len(PRESENT) == 9


@pytest.mark.parametrize("check", checks("intent", "detect"))
def test_detect(check: dict[str, Any]) -> None:
    assert detect(check["text"]) == check["intent"]


@pytest.mark.parametrize("intent", INTENTS)
def test_weights_6_4(intent: str) -> None:
    assert EDGE_WEIGHTS[intent] == dict(zip(INTENT["weights"]["edges"], INTENT["weights"][intent], strict=True))
    assert sum(EDGE_WEIGHTS[intent].values()) == pytest.approx(1)


WORDS = ["why", "when", "about", "warum", "wann", "was ist", "为什么", "时间", "cache", "“", "”", "'", "क्या", "है"]


@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_question_has_an_intent_whatever_its_case_and_spaces(question: str) -> None:
    intent = detect(question)
    assert intent in INTENTS
    assert detect(question.upper()) == intent
    assert detect(f" {question.replace(' ', chr(0x3000))}\n") == intent
