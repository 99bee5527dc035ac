"""Text as the index of words has it, and a question as it looks there.

A text becomes a row of tokens, none of which holds a blank. Words are folded (width, case, composition) and stemmed by
the language of their field; identifiers, paths, versions and dates stand whole, by segment and by part; Han and kana
are cut into pairs, and Han into single characters too; hangul into pairs beside the whole word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from mneme.graph.languages import detect, stem
from mneme.graph.tokens import HAN, HANGUL, KANA, THAI, UNSPACED
from mneme.text.lazy import lazy

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06ed"
    "\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0963\u0966-\u096f\u0971-\u0df3\u0f18-\u0fbc\u1ab0-\u1aff\u1b00-\u1b59"
    "\u1b80-\u1bf3\u1c00-\u1c37\u1cd0-\u1cff\u1dc0-\u1dff\u20d0-\u20ff\ua8e0-\ua8f1\uabe3-\uabed\ufe20-\ufe2f"
)
"""Marks that belong to the letter before them, and whole blocks of Indic scripts, digits and all."""

_SPACELESS = HAN + KANA + HANGUL + THAI + UNSPACED
_LETTER = rf"(?:[^\W_{_SPACELESS}]|[{_MARKS}])"
_RUNS = lazy(
    f"(?P<pairs>[{HAN}{KANA}]+)|(?P<hangul>[{HANGUL}]+)|(?P<unspaced>[{THAI}{UNSPACED}]+)"
    rf"|(?P<word>{_LETTER}+(?:(?:[-._/:\\@#&+=]+|::|->){_LETTER}+)*(?:\+\+|\#)?)"
)
_PIECES = lazy(rf"{_LETTER}+")
_HUMPS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PLURAL = lazy(r"[A-Z]*s?\Z")
_HAN = lazy(f"[{HAN}]")
_GROUPED = lazy(r"(?<!\d)(\d{1,3}(?:[,’']\d{3})+)(?![\d,])")
_NUMERIC = lazy(r"v?\d+(?:[-.:/]\d+)*\Z")
_DATE = lazy(r"(\d{4}-\d\d)-\d\d\Z")
_VERSION = lazy(r"v?(\d+\.\d+)(?:\.\d+)+\Z")
_PATH_PARTS = lazy(r"[/\\@]|::|->")

_DROPPED = dict.fromkeys((
    0xAD, 0x640, 0x670, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0x64B, 0x653), *range(0x591, 0x5BE), 0x5BF,
    0x5C1, 0x5C2, 0x5C4, 0x5C5, *range(0x180B, 0x180F), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
))  # fmt: skip
"""Inside a word, and not part of its spelling: joiners, soft hyphens, vowel points, variation selectors."""

LONGEST = 64
"""Longer runs without a break are cut: keys and blobs are no words."""

SPLIT_FROM = 3
"""Letters before digits that are a word of their own: ``python3`` is, the ``e`` of ``E0382`` is not."""


class Unit(NamedTuple):
    """A piece of text that is looked for as one: ``tokens`` with what each counts; ``kind`` says what it is."""

    kind: str
    text: str
    tokens: tuple[tuple[str, float], ...]


UNIGRAM = 0.3
"""What a single Han character counts beside a pair."""


def plain(text: str) -> str:
    """Return ``text`` with one width, composition and hyphen; case stays, since it parts words."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text.translate(_DROPPED)))
        text = text.replace("‐", "-").replace("‑", "-").replace("’", "'")
    if "," in text or "'" in text:
        text = _GROUPED.sub(lambda match: match[1].replace(",", "").replace("'", ""), text)
    return text


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return ``text`` without case. Accents stay: they are part of the spelling."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.casefold().replace("i\u0307", "i"))


def segment(text: str, language: str = "") -> str:
    """Return the tokens of ``text``, joined by blanks; a language that is not given is told by its words."""
    text = plain(text)
    spoken = language or detect(fold(text))
    found: list[str] = []
    for unit in units(text):
        if unit.kind == "word":
            found.append(stem(unit.text, spoken))
        else:
            found += [stem(token[1:], spoken) if token[0] == STEMMED else token for token, _ in unit.tokens]
    return " ".join(found)


STEMMED = "\0"
"""Stands before a part that is a word, and has yet to be stemmed."""


def units(text: str) -> Iterator[Unit]:
    """Yield what ``text`` (:func:`plain`) is made of, in order."""
    for match in _RUNS.finditer(text):
        run = match[0]
        kind = match.lastgroup
        if kind == "word":
            yield from _word(run)
        elif kind == "pairs":
            yield Unit("pairs", run, tuple(_pairs(run)))
        elif kind == "hangul":
            whole = fold(run)
            pairs = [whole[at : at + 2] for at in range(len(whole) - 1)]
            yield Unit("hangul", whole, tuple((token, 1.0) for token in dict.fromkeys([*pairs, whole])))
        else:
            clusters = _clusters(run)
            pairs = ["".join(clusters[at : at + 2]) for at in range(len(clusters) - 1)] or clusters
            yield Unit("pairs", run, tuple((token, 1.0) for token in pairs))


def _pairs(run: str) -> Iterator[tuple[str, float]]:
    for at, char in enumerate(run):
        if _HAN.match(char):
            yield char, UNIGRAM
        if at:
            yield run[at - 1 : at + 1], 1.0
    if len(run) == 1 and not _HAN.match(run):
        yield run, 1.0


def _clusters(run: str) -> list[str]:
    found: list[str] = []
    for char in run:
        if found and unicodedata.category(char)[0] == "M":
            found[-1] += char
        else:
            found.append(char)
    return found


@lru_cache(maxsize=65536)
def _word(run: str) -> tuple[Unit, ...]:
    run = run[:LONGEST]
    whole = fold(run)
    pieces = _PIECES.findall(run)
    if len(pieces) == 1 and whole == fold(pieces[0]):
        parts = _humps(run)
        if len(parts) == 1:
            return (Unit("word" if not any(map(str.isdigit, whole)) else "number", whole, ((whole, 1.0),)),)
        named = whole if any(map(str.isdigit, whole)) else STEMMED + whole
        return (Unit("code", whole, tuple((token, 1.0) for token in dict.fromkeys((named, *_marked(parts))))),)
    found = [whole]
    if _NUMERIC.match(whole):
        found += [shorter[1] for shorter in (_DATE.match(whole), _VERSION.match(whole)) if shorter]
        if whole[0] == "v":
            found.append(whole[1:])
        return (Unit("number", whole, tuple((token, 1.0) for token in dict.fromkeys(found))),)
    segments = [piece for piece in _PATH_PARTS.split(run) if piece != run and len(_PIECES.findall(piece)) > 1]
    found += [fold(piece).strip("-._:#&+=") for piece in segments]
    for piece in pieces:
        parts = _humps(piece)
        if len(parts) > 1:
            found += _marked([piece])
        found += _marked(parts)
    return (Unit("code", whole, tuple((token, 1.0) for token in dict.fromkeys(found))),)


def _marked(parts: list[str]) -> list[str]:
    return [fold(part) if any(map(str.isdigit, part)) else STEMMED + fold(part) for part in parts]


def _humps(piece: str) -> list[str]:
    """Return the words that ``piece`` (letters and digits) is put together of: camelCase, python3, 15min."""
    if not piece.isascii() or piece.isdigit() or (piece.isalpha() and (piece[1:].islower() or _PLURAL.match(piece))):
        return [piece]
    joined: list[str] = []
    for part in _HUMPS.findall(piece):  # a short head stays with its number: E0382, v2, md5
        if joined and part.isdigit() and len(joined[-1]) < SPLIT_FROM:
            joined[-1] += part
        else:
            joined.append(part)
    return joined or [piece]
