"""What the index of words makes of texts: the table tests/cases/recall/words.case."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.graph import languages
from mneme.graph.languages import NAMES, detect, stem
from mneme.graph.stop_words import STOP_WORDS
from mneme.graph.words import fold, plain, segment
from tests.conftest import ROOT


def rows() -> list[tuple[str, str]]:
    text = (ROOT / "tests/cases/recall/words.case").read_text(encoding="utf-8")
    pairs = [line.split("  =>", 1) for line in text.splitlines() if "  =>" in line]
    return [(left.replace("\\u0301", "\u0301").replace("\\u00ad", "\u00ad"), right.strip()) for left, right in pairs]


@pytest.mark.parametrize(("text", "tokens"), rows())
def test_tokens(text: str, tokens: str) -> None:
    assert segment(text) == tokens


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_tokens_hold_no_blank_and_composition_does_not_matter(text: str) -> None:
    tokens = segment(text, "en")
    assert tokens == " ".join(tokens.split())
    assert all(token.isprintable() or not token.isascii() for token in tokens.split())
    assert segment(unicodedata.normalize("NFD", plain(text)), "en") == segment(plain(text), "en")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the database is copied each night", "en"),
        ("Die Datenbank wird nicht jede Nacht kopiert", "de"),
        ("la base n'est pas copiée dans la nuit", "fr"),
        ("la base de datos no se copia por la noche, pero sí los lunes", "es"),
        ("база данных не копируется", "ru"),
        ("η βάση δεδομένων", "el"),
        ("قاعدة البيانات", "ar"),
        ("پایگاه داده", "fa"),
        ("डेटाबेस", "hi"),
        ("cache port", "en"),
        ("缓存", "en"),
    ],
)
def test_languages_are_told(text: str, language: str) -> None:
    assert detect(fold(plain(text))) == language


def test_what_words_do_not_tell_stays_as_it_was() -> None:
    assert detect("port 5432", "de") == "de"


def test_every_language_has_a_stemmer_and_frequent_words() -> None:
    assert set(NAMES) == set(STOP_WORDS)
    for code in NAMES:
        word = min((word for word in STOP_WORDS[code] if len(word) > 2), key=lambda word: (len(word), word))
        assert stem(word, code)


def test_one_language_is_loaded_at_a_time() -> None:
    assert stem("running", "en") == "run"
    import subprocess
    import sys

    code = (
        "import sys; from mneme.graph.languages import stem; stem('running', 'en');"
        "print(len([name for name in sys.modules if 'snowball' in name]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 4
    assert languages.NAMES["en"] == "english"
