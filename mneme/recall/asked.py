"""A question taken apart into what the index of words is asked for."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from mneme.graph.fulltext import Lexicon, language_mark
from mneme.graph.languages import ENGLISH, NAMES, detect, script_of, stem
from mneme.graph.stop_words import STOP_WORDS
from mneme.graph.words import STEMMED, fold, plain, units
from mneme.recall.weights import PROMPT_CLAUSES, PROMPT_TERMS, Weights
from mneme.text.lazy import lazy

_HAN_FUNCTION_WORDS = lazy(
    "为什么|為什麼|为甚么|為甚麼|什么时候|什麼時候|怎么样|怎麼樣|怎么|怎麼|怎样|怎樣|如何|什么|什麼|甚麼|哪些|哪个|哪個|哪里|哪裡|哪儿|哪|多少|多久|几个"
    "|幾個|是否|是不是|有没有|有沒有|能不能|会不会|會不會|可不可以|可以|我们|我們|你们|你們|他们|他們|请问|請問|请|請|一下|这个|這個|那个|那個|这些"
    "|這些|那些|之间|之間|以及|或者|还是|還是|但是|因为|因為|所以|如果|目前|现在|現在|应该|應該|需要|的|了|吗|嗎|呢|吧|啊|是|在|和|与|與|或|把|被"
    "|让|讓|给|給|对|對|从|從|到|为|為|就|都|也|要|会|會|应|應|有|谁|誰|我|你|他|它|这|這|那|个|個"
)
"""Chinese words that say how something is asked; pairs of characters that span them are words of no language."""

_CLAUSES = lazy(r"(?<=[.!?;])\s+|[。！？；…\n]+")

LIKE_FROM = 4
"""Shorter words are not taken for misspelt ones."""

LEAST_ALIKE = 0.5
MOST_ALIKE = 3
"""A word that no cell holds stands for at most so many words that are alike, each at least so much."""

FORGIVEN_WITHIN = 24
"""In a question of more different words nothing hangs on one that is misspelt, and looking for each would take long."""

MOST_SURELY = 0.8
"""Words that are so much alike are not compared letter by letter."""

TWO_SLIPS_FROM = 8
"""Letters in a word that is forgiven two slips."""

POSTINGS = 4000
"""Candidates are looked for by the rarest terms, as long as these stand in so many insights all together."""

KEPT = 5
"""So many of the rarest terms choose candidates however frequent they are."""


class Term(NamedTuple):
    """Something that is asked for. ``forms`` are its tokens with what each counts; ``text`` is what was written.

    ``weight`` is its weight in the question, ``rarity`` its inverse document frequency; ``known``: some insight holds
    it as it was written.
    """

    text: str
    kind: str
    forms: Mapping[str, float]
    weight: float
    rarity: float
    frequency: int
    known: bool


class Asked(NamedTuple):
    """A question for the index. ``clauses`` are sets of places in ``terms``; there are none in a short question."""

    terms: tuple[Term, ...]
    clauses: tuple[frozenset[int], ...]
    total: int

    @property
    def prompt(self) -> bool:
        """Whether this is a task, mostly about something else."""
        return len(self.clauses) >= PROMPT_CLAUSES and len(self.terms) >= PROMPT_TERMS

    def tokens(self) -> list[str]:
        """Return the tokens by which candidates are chosen, the rarest terms first."""
        chosen: list[Term] = []
        postings = 0
        for term in sorted(self.terms, key=lambda term: (term.frequency, term.text)):
            postings += term.frequency
            if term.frequency and (len(chosen) < KEPT or postings <= POSTINGS):
                chosen.append(term)
        return list(dict.fromkeys(form for term in chosen for form in term.forms))


class _Found(NamedTuple):
    text: str
    kind: str
    forms: tuple[str, ...]
    weight: float


def ask_for(text: str, lexicon: Lexicon, weights: Weights) -> Asked:
    """Take ``text`` apart. No character of it is syntax."""
    total = lexicon.total()
    spoken = _languages(text, lexicon)
    found: dict[tuple[str, ...], list[_Found]] = {}
    for one in pieces(text, spoken):
        found.setdefault(one.forms, []).append(one)
    known = lexicon.frequencies(token for forms in found for token in forms)
    forgiving = len(found) <= FORGIVEN_WITHIN
    terms = tuple(
        _term(forms, same, min(total, sum(known.get(form, 0) for form in forms)), total, lexicon, weights, forgiving)
        for forms, same in found.items()
    )
    places = {forms: place for place, forms in enumerate(found)}
    clauses: list[frozenset[int]] = []
    parts = [part for part in _CLAUSES.split(text) if part.strip()]
    if len(parts) >= PROMPT_CLAUSES and len(terms) >= PROMPT_TERMS:
        clauses = [
            frozenset(places[one.forms] for one in pieces(part, spoken) if one.forms in places) for part in parts
        ]
    return Asked(terms, tuple(clauses), total)


def _term(
    forms: tuple[str, ...],
    same: Sequence[_Found],
    frequency: int,
    total: int,
    lexicon: Lexicon,
    weights: Weights,
    forgiving: bool,
) -> Term:
    one = same[0]
    counted = dict.fromkeys(forms, 1.0)
    known = frequency > 0
    if forgiving and not known and one.kind in ("word", "part") and len(one.text) >= LIKE_FROM:
        alike = similar(one.text, forms[0], lexicon)
        if alike:
            counted = {token: weights.unsure * share for token, share, _ in alike}
            frequency = min(total, sum(count for _, _, count in alike))
    repeated = 1 + 0.25 * (min(len(same), 3) - 1)
    return Term(one.text, one.kind, counted, one.weight * repeated, rarity(frequency, total), frequency, known)


def rarity(frequency: int, total: int) -> float:
    """Return the inverse document frequency (BM25) of what ``frequency`` of ``total`` insights hold."""
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def pieces(text: str, languages: Iterable[str] = ()) -> list[_Found]:
    """Return what ``text`` asks for, in order, without words that say nothing; with them when there is nothing else."""
    text = plain(text)
    spoken = list(dict.fromkeys((ENGLISH, *languages)))
    empty = _empty_words(tuple(spoken))
    kept: list[_Found] = []
    left_out: list[_Found] = []
    for unit in units(text if text.isascii() else _HAN_FUNCTION_WORDS.sub(" ", text)):
        if unit.kind == "word":
            one = _Found(unit.text, "word", _stems(unit.text, spoken), 1.0)
            (left_out if unit.text in empty or len(unit.text) == 1 else kept).append(one)
            continue
        for token, weight in unit.tokens:
            if token[0] != STEMMED:
                kept.append(_Found(token, unit.kind, (token,), weight))
            elif token[1:] not in empty and len(token) > 2:
                kept.append(_Found(token[1:], "part", _stems(token[1:], spoken), weight))
    if kept:
        return kept
    if left_out:
        return left_out
    return [
        _Found(token.lstrip(STEMMED), unit.kind, (token.lstrip(STEMMED),), weight)
        for unit in units(text)
        for token, weight in unit.tokens
    ]


def _stems(word: str, languages: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stem(word, language) for language in languages))


@cache
def _empty_words(languages: tuple[str, ...]) -> Collection[str]:
    return frozenset(word for language in languages for word in STOP_WORDS[language])


def _languages(text: str, lexicon: Lexicon) -> list[str]:
    """Return the languages by which the words of ``text`` are stemmed: its own, and those of the insights."""
    folded = fold(plain(text))
    others = [code for code in NAMES if code != ENGLISH]
    marks = {mark for mark, _ in lexicon.starting(language_mark(""))}
    own = detect(folded)
    scripts = {code for word in folded.split() for code in script_of(word)}
    return [
        own,
        *(code for code in others if language_mark(code) in marks and (code in scripts or not _scripted(code))),
    ]


def _scripted(code: str) -> bool:
    return code in ("ru", "el", "hi", "ar", "fa", "ta", "hy")


def similar(word: str, stemmed: str, lexicon: Lexicon) -> list[tuple[str, float, int]]:
    """Return the tokens of the index that are most like ``word``, how alike they are (0 to 1), and their frequencies.

    Alike are words that share trigrams, and stems that one or two slips part: a letter too many, too few, another one,
    or two that changed places. They begin with one of the first two letters of ``word``.
    """
    asked = _trigrams(word)
    slips = 1 if len(stemmed) < TWO_SLIPS_FROM else 2
    found: dict[str, tuple[float, int]] = {}
    for first in dict.fromkeys(word[:2]):
        for token, frequency in lexicon.starting(first, len(word) // 2 + 1, len(word) + len(word) // 2):
            if not token.isalpha():
                continue
            held = _trigrams(token)
            alike = 2 * len(asked & held) / (len(asked) + len(held))
            if alike < MOST_SURELY and len(set(stemmed) ^ set(token)) <= 2 * slips:
                alike = max(alike, 1 - apart(stemmed, token, slips) / len(stemmed))
            if alike >= LEAST_ALIKE:
                found[token] = alike, frequency
    best = sorted(found, key=lambda token: (-found[token][0], token))[:MOST_ALIKE]
    return [(token, *found[token]) for token in best]


def apart(one: str, other: str, most: int) -> int:
    """Return how many slips part two words, at most; their whole length when there are more than ``most``."""
    if abs(len(one) - len(other)) > most:
        return len(one)
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        older, before, row = before, row, [at]
        for place, letter in enumerate(other, 1):
            cost = min(row[-1] + 1, before[place] + 1, before[place - 1] + (char != letter))
            if at > 1 and place > 1 and char == other[place - 2] and letter == one[at - 2]:
                cost = min(cost, older[place - 2] + 1)
            row.append(cost)
    return row[-1] if row[-1] <= most else len(one)


def _trigrams(word: str) -> set[str]:
    padded = f"^{word}$"
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
