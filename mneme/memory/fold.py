"""Folding: text as people mean it when they search. Width, case and accents do not tell words apart."""

from __future__ import annotations

import re
import unicodedata

IDEOGRAPHIC = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Han, kana and hangul, as the inside of a character class: scripts whose words are not set apart reliably."""

_ACCENTED = re.compile("[\u00c0-\u052f\u1e00-\u1fff\u0300-\u036f]")
_ACCENT = re.compile("[\u0300-\u036f]+")


def fold(text: str) -> str:
    """Return ``text`` in compatibility form and folded case, Latin, Greek and Cyrillic letters without accents.

    Marks that make another letter stay: the voicing marks of kana, the vowel signs of Indic scripts.
    """
    if text.isascii():
        return text.lower()
    text = fold_case(text)
    if _ACCENTED.search(text):
        text = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text)))
    return text


def fold_case(text: str) -> str:
    """Return ``text`` in compatibility form and folded case, accents kept."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
