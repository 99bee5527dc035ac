"""Which language a text is written in, its words that say nothing, and the stems of the others.

Stems are Snowball's (the package ``snowballstemmer``). Its ``__init__`` imports three dozen languages, which takes as
long as a whole recall may; so a language's module is imported by itself, when a word of that language is stemmed.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from mneme.graph.stop_words import STOP_WORDS

ENGLISH = "en"

NAMES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "da": "danish", "no": "norwegian", "fi": "finnish", "hu": "hungarian",
    "pl": "polish", "cs": "czech", "ro": "romanian", "tr": "turkish", "id": "indonesian", "ru": "russian",
    "el": "greek", "hi": "hindi", "ar": "arabic", "fa": "persian", "ta": "tamil", "hy": "armenian",
}  # fmt: skip

LATIN = tuple(code for code in NAMES if code not in ("ru", "el", "hi", "ar", "fa", "ta", "hy"))
"""Languages of one script are told apart by their frequent words."""

_SCRIPTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Ѐ", "ԯ", ("ru",)), ("Ͱ", "Ͽ", ("el",)), ("ἀ", "῿", ("el",)), ("ऀ", "ॿ", ("hi",)), ("؀", "ۿ", ("ar", "fa")),
    ("஀", "௿", ("ta",)), ("԰", "֏", ("hy",)),
)  # fmt: skip
_PERSIAN = re.compile("[پچژگ]")
_WORDS = re.compile(r"[^\W\d_]+")

LEAST = 0.9
"""A word that n languages have counts 1/n for each; so much of another language, and more than of English, tells."""


@cache
def _hints() -> dict[str, tuple[str, ...]]:
    """Return the frequent words of the languages in Latin letters, each with the languages that have it."""
    found: dict[str, tuple[str, ...]] = {}
    for code in LATIN:
        for word in STOP_WORDS[code]:
            found[word] = (*found.get(word, ()), code)
    return found


def detect(text: str, otherwise: str = ENGLISH) -> str:
    """Return the code of the language of ``text`` among those that we stem; ``otherwise`` where words do not tell.

    ``text`` is folded (:func:`mneme.graph.words.fold`). What is told is which stemmer fits, no more.
    """
    if not text.isascii():
        for first, last, codes in _SCRIPTS:
            if any(first <= char <= last for char in text):
                return codes[-1] if len(codes) > 1 and _PERSIAN.search(text) else codes[0]
    counts: dict[str, float] = {}
    hints = _hints()
    for word in _WORDS.findall(text):
        having = hints.get(word, ())
        for code in having:
            counts[code] = counts.get(code, 0.0) + 1 / len(having)
    if not counts:
        return otherwise
    best = max(sorted(counts), key=lambda code: (counts[code], code == otherwise))
    if best == ENGLISH:
        return best if counts[best] >= LEAST else otherwise
    return best if counts[best] >= LEAST and counts[best] > counts.get(ENGLISH, 0.0) else otherwise


@cache
def stem(word: str, language: str) -> str:
    """Return the stem of ``word``, which is folded, in ``language``; a word in other letters is another language's."""
    script = script_of(word)
    if script and language not in script:
        language = script[0]
    elif not script and language not in LATIN:
        language = ENGLISH
    stemmed: str = _stemmer(language).stemWord(word)
    return stemmed or word


def script_of(word: str) -> tuple[str, ...]:
    """Return the languages that write with the letters of ``word``, the likelier first; none for Latin letters."""
    if word.isascii():
        return ()
    for first, last, codes in _SCRIPTS:
        if first <= word[0] <= last:
            return codes
    return ()


_ALIAS = "mneme_snowball"
"""The name under which the package's modules are imported, so that its ``__init__`` does not run."""


@cache
def _stemmer(language: str) -> Any:
    if _ALIAS not in sys.modules:
        found = find_spec("snowballstemmer")
        if found is None or found.submodule_search_locations is None:
            raise ModuleNotFoundError("No module named 'snowballstemmer'", name="snowballstemmer")
        package = ModuleType(_ALIAS)
        package.__path__ = list(found.submodule_search_locations)
        sys.modules[_ALIAS] = package
    name = NAMES[language]
    module = import_module(f"{_ALIAS}.{name}_stemmer")
    return getattr(module, f"{name.capitalize()}Stemmer")()
