"""Text as tokens, and what two texts have in common by them.

ASCII text and Han are cut as the engine cuts them. Elsewhere the engine breaks words, and we do not: marks stay with
their letters, joiners and soft hyphens inside a word are dropped, full width is half width, composed is decomposed.
Kana, hangul and the scripts of South East Asia run on without blanks or with particles attached, so they are cut into
overlapping pairs as Han is: what is asked for is then found inside of what is written. Thai has its words as well.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Set
from itertools import pairwise

from mneme.text.lazy import lazy

_ENGLISH = (
    "a an the is are was were be been being have has had do does did will would could should may might shall can to of "
    "in for on with at by from as into about that this it its or and but if not no so up out than then too very just "
    "also more some any all each i me my we you your he she they them his her our their what which who how when where"
)

STOP_WORDS = frozenset(_ENGLISH.split())
"""Words that say nothing about a subject."""

KANA_PARTICLES = frozenset("がをにのはとでもへやか")
"""Hiragana that stand alone only because they mark the part of what is before them in the sentence."""

HANGUL_ENDINGS = frozenset(("니다", "합니", "습니", "입니", "됩니"))
"""Pairs that polite verbs end in: without them, sentences that have nothing else in common do not look alike."""

HAN = "\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001b000-\U0001b16f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
UNSPACED = "\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u104c-\u109f\uaa60-\uaa7f\u1780-\u17d3\u17d7\u17dc\u17dd"
"""Lao, Myanmar, Khmer: no blanks between words, and no word list of ours."""

_RUNS = lazy(
    f"(?P<han>[{HAN}]+)|(?P<kana>[{KANA}]+)|(?P<hangul>[{HANGUL}]+)|(?P<thai>[{THAI}]+)|(?P<unspaced>[{UNSPACED}]+)"
    f"|(?P<word>[^\\s{HAN}{KANA}{HANGUL}{THAI}{UNSPACED}]+)"
)
_HAN = lazy(f"[{HAN}]")
_PAIRED = lazy(f"[{HAN}{KANA}{HANGUL}{THAI}{UNSPACED}]")

_JOINERS = (0xAD, 0x180E, 0x200C, 0x200D, 0x2060, 0xFEFF)
_ARABIC = (0x640, *range(0x64B, 0x653), 0x670)
_HEBREW = (*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5)
_VARIATIONS = (*range(0x180B, 0x180E), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))

_DROPPED = frozenset((*_JOINERS, *_ARABIC, *_HEBREW, *_VARIATIONS))
"""What stands inside a word and is no part of its spelling: joiners, soft hyphens, tatweel, vowel points, selectors."""

_NUMBERS = frozenset((0x3007, *range(0x3021, 0x302A), *range(0x3038, 0x303B)))
"""Han, though Unicode calls them numbers: ideographic zero and the like."""


class _Letters(dict[int, int | None]):
    """For ``str.translate``: letters, digits and marks stay, what is dropped goes, all else becomes a blank."""

    def __missing__(self, code: int) -> int | None:
        kept: int | None = 0x20
        kind = unicodedata.category(chr(code))
        if code in _DROPPED or kind == "Me":
            kept = None
        elif kind[0] == "L" or kind in ("Nd", "Mn", "Mc") or code in _NUMBERS:
            kept = code
        self[code] = kept
        return kept


_LETTERS = _Letters()


_UNSAID = STOP_WORDS | HANGUL_ENDINGS


def tokens(text: str) -> frozenset[str]:
    """Return the set of tokens of ``text``, without stop words."""
    if text.isascii():
        return frozenset(text.lower().translate(_LETTERS).split()) - STOP_WORDS
    return frozenset(words(text))


def words(text: str, *, stop_words: bool = False) -> list[str]:
    """Return the tokens of ``text`` in order, with repetitions; stop words only with ``stop_words``.

    A token holds letters, digits and marks: no blank, no punctuation.
    """
    if text.isascii():
        found = text.lower().translate(_LETTERS).split()
        return found if stop_words else [word for word in found if word not in STOP_WORDS]
    pieces: list[str] = []
    for run in _folded(text).split():
        if run.isascii() or not _PAIRED.search(run):
            if run.isascii() or any(map(str.isalnum, run)):
                pieces.append(run)
            continue
        last = ""
        for match in _RUNS.finditer(run):
            script = match.lastgroup or ""
            if script == "kana" and (last == "han" or match.end() < len(run)):
                pieces += _kana_beside_han(run, match.start(), match.end(), last)
            elif stop_words or script != "kana" or match[0] not in KANA_PARTICLES:
                pieces += _cut(match[0], script)
            last = script
    return pieces if stop_words else [word for word in pieces if word not in _UNSAID]


def _folded(text: str) -> str:
    """Return ``text`` with blanks between the runs of letters, each run folded: width, composition, case."""
    plain = text.translate(_LETTERS)
    if plain.isascii():
        return plain.lower()
    folded = unicodedata.normalize("NFKC", plain).casefold().replace("i\u0307", "i")
    if not unicodedata.is_normalized("NFC", folded):
        folded = unicodedata.normalize("NFC", folded)
    # NFKC takes sara am and its Lao sister apart, and some ligatures into words with blanks
    folded = folded.replace("\u0e4d\u0e32", "\u0e33").replace("\u0ecd\u0eb2", "\u0eb3")
    return folded.translate(_LETTERS)


def _cut(run: str, script: str) -> Iterable[str]:
    if not any(map(str.isalnum, run)):  # marks without a letter
        return ()
    if script == "word":
        return (run,)
    units = letters_with_marks(run)
    pairs = [one + other for one, other in pairwise(units)] or units
    if script == "thai":
        from mneme.graph.thai import words_of

        return dict.fromkeys((*words_of(run), *pairs))
    return pairs


def _kana_beside_han(run: str, start: int, end: int, last: str) -> list[str]:
    """Return the pieces of kana inside of ``run``. An ending goes with the Han before it; one kana alone is nothing."""
    pieces = []
    if last == "han" and run[start] < "\u30a0" and run[start] not in KANA_PARTICLES:
        pieces.append(run[start - 1 : start + 1])
    if end - start > 1 or (last != "han" and not _HAN.match(run, end)):
        pieces += _cut(run[start:end], "kana")
    return pieces


def letters_with_marks(run: str) -> list[str]:
    """Return the letters of ``run``, each with the marks after it."""
    if run.isalnum():
        return list(run)  # no marks
    units: list[str] = []
    for char in run:
        if units and unicodedata.category(char)[0] == "M":
            units[-1] += char
        else:
            units.append(char)
    return units


class _Places(dict[int, int]):
    """For ``str.translate``: what is no part of a word becomes a blank; every character keeps its place."""

    def __missing__(self, code: int) -> int:
        self[code] = code if code in _DROPPED or _LETTERS[code] != 0x20 else 0x20
        return self[code]


_PLACES = _Places()


def runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and script of each run of letters, digits and marks; a run ends where the script changes.

    The scripts that write blanks between words are all named ``word``.
    """
    for match in _RUNS.finditer(text.translate(_PLACES)):
        yield match.start(), match.end(), match.lastgroup or ""


def keyword_score(query: Set[str], document: Set[str]) -> float:
    """Return the share of the query's tokens that the document has, 0 to 1; an empty query matches nothing."""
    return len(query & document) / len(query) if query else 0.0


def document_tokens(content: str, tags: Collection[str] = (), entities: Collection[str] = ()) -> frozenset[str]:
    """Return the tokens by which an insight is found: of its content, its tags and its entities."""
    return tokens(" \n ".join((content, *tags, *entities)))


def jaccard(one: Set[str], other: Set[str]) -> float:
    """Return what both have as a share of what either has, 0 to 1; 0 when both are empty."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def containment(one: Set[str], other: Set[str]) -> float:
    """Return what both have as a share of the smaller, 0 to 1; 0 when either is empty."""
    common = len(one & other)
    return common / min(len(one), len(other)) if common else 0.0


def overlap(one: Set[str], other: Set[str]) -> float:
    """Return what both have as a share of the larger, 0 to 1; 0 when either is empty. Decides on causal edges."""
    common = len(one & other)
    return common / max(len(one), len(other)) if common else 0.0
