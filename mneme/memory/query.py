"""Questions as terms: what to look for in folded text, and how well a text holds it.

A question is text and never syntax. Words of alphabetic scripts are looked for as words, then as beginnings, then
inside other words; Han, kana and hangul by substring and by bigrams, since their words are not set apart; IDs and
identifiers as such, then by their parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from mneme.format import ids
from mneme.memory.fold import IDEOGRAPHIC, fold, fold_case

FIELD_WEIGHTS = {"cue": 1.0, "topic": 0.9, "gist": 0.85, "body": 0.6}
"""What a match is worth by the field it is in. Cues are written to be found; a body mentions much in passing."""

WORD, BEGINNING, INSIDE = 1.0, 0.8, 0.4
"""What a match is worth by how it sits: a whole word, the beginning of one, anywhere."""

_WITHIN_RUN = 0.6
"""What Han, kana or hangul inside a longer run is worth, when equal matches are told apart."""

_ACCENT_MISSED = 0.95
_DETAIL = 0.1
"""What everything besides the number of words found may add to a score at most."""
_STOP = frozenset(
    re.findall(
        "[a-z]+",
        "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my"
        " no nor not of on or our should so than that the their them then there these they this to us was we were what"
        " when where which who why will with would you your",
    )
)
_EDGES = "\"'`“”‘’«»‹›「」『』《》〈〉【】()[]{}<>,;:!?.*…·、。，；：！？（）［］｛｝~|^=&"
_RUN = re.compile(f"[{IDEOGRAPHIC}]+|[^{IDEOGRAPHIC}]+")
_PARTS = re.compile(r"[^\W_]+")
_OTHER = f"[^\\W_{IDEOGRAPHIC}]"


Fields = dict[str, str]
"""A cell's searchable text by field, folded; and, under ``accented``, all of it with its accents."""


class Term:
    """One thing to look for: folded text, with how well a folded field holds it as a number from 0 to 1."""

    def __init__(self, text: str, *, weight: float = 1.0, accented: str = "") -> None:
        self.text = text
        self.weight = weight
        self.accented = accented

    @cached_property
    def _word(self) -> re.Pattern[str]:
        return re.compile(f"(?<!{_OTHER}){re.escape(self.text)}(?!{_OTHER})")

    @cached_property
    def _beginning(self) -> re.Pattern[str]:
        return re.compile(f"(?<!{_OTHER}){re.escape(self.stem)}")

    @cached_property
    def stem(self) -> str:
        """The word without an English ending: what its other forms begin with."""
        for ending, shortest in (("ies", 3), ("ing", 4), ("ed", 4), ("es", 4), ("s", 3), ("e", 4), ("y", 4)):
            if self.text.endswith(ending) and len(self.text) - len(ending) >= shortest and not self.text.endswith("ss"):
                return self.text[: -len(ending)]
        return self.text

    def within(self, text: str) -> bool:
        """Whether ``text`` can match at all."""
        return self.stem in text

    def fit(self, text: str) -> float:
        """Return how exactly ``text`` holds the term, where it holds it: what tells equal matches apart."""
        return self.quality(text)

    def quality(self, text: str) -> float:
        """Return how well ``text`` holds the term."""
        if self.stem not in text:
            return 0.0
        if self.text in text and self._word.search(text):
            return WORD
        if len(self.stem) >= 3 and self._beginning.search(text):
            return BEGINNING
        return INSIDE if len(self.text) >= 3 and self.text in text else 0.0


class Run(Term):
    """A piece of Han, kana or hangul: found wherever it stands."""

    @cached_property
    def stem(self) -> str:
        """The text itself: these scripts have no endings to leave off."""
        return self.text

    def quality(self, text: str) -> float:
        """Return 1 when the text is there."""
        return WORD if self.text in text else 0.0

    def fit(self, text: str) -> float:
        """Return more where the text stands by itself, as a cue or a part of a topic, than inside a longer run."""
        if self.text not in text:
            return 0.0
        return WORD if self._alone.search(text) else _WITHIN_RUN

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return re.compile(f"(?<![{IDEOGRAPHIC}]){re.escape(self.text)}(?![{IDEOGRAPHIC}])")


class Identifier(Term):
    """A path, a setting, a name with marks inside: found as a whole, or by its parts."""

    def __init__(self, text: str, parts: Sequence[Term], **more: Any) -> None:
        super().__init__(text, **more)
        self.parts = parts

    @cached_property
    def stem(self) -> str:
        """The whole identifier."""
        return self.text

    def within(self, text: str) -> bool:
        """Whether the whole or a part can match."""
        return self.text in text or any(part.within(text) for part in self.parts)

    def quality(self, text: str) -> float:
        """Return what the whole is worth, or less for the parts that are there."""
        whole = super().quality(text) if self.text in text else 0.0
        if whole or not self.parts:
            return whole
        return 0.7 * sum(part.quality(text) for part in self.parts) / len(self.parts)


class Query:
    """The words of a question, ready to be compared."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.ids: list[str] = []
        terms: dict[str, Term] = {}
        words = text.split()
        plain = [word for word in words if fold(word.strip(_EDGES)) not in _STOP]
        for word in plain or words:
            self._read(word, terms)
        if not terms and (bare := fold(text.strip())):
            terms[bare] = Run(bare)
        self.terms = list(terms.values())

    def _read(self, word: str, terms: dict[str, Term]) -> None:
        stripped = word.strip(_EDGES)
        stripped = stripped.lstrip("-") if stripped.strip("-") else ""
        meant = ids.canonical(stripped)
        if ids.is_id(meant):
            self.ids.append(meant)
        for piece in _RUN.findall(fold_case(stripped)):
            text = fold(piece)
            if re.match(f"[{IDEOGRAPHIC}]", text):
                _add_run(text, terms)
            elif bare := text.strip(_EDGES):
                terms.setdefault(bare, _latin(bare, fold_case(piece)))

    def score_of(self, fields: Fields, rarity: Sequence[float]) -> float:
        """Return how well a cell matches: how much of the query it holds, and in small part how rare and where."""
        coverage = detail = 0.0
        for term, rare in zip(self.terms, rarity, strict=True):
            found = best = 0.0
            for name, weight in FIELD_WEIGHTS.items():
                text = fields.get(name)
                if text and (quality := term.quality(text)):
                    found = max(found, quality)
                    best = max(best, term.fit(text) * weight)
            if found:
                coverage += term.weight * (1.0 if found >= BEGINNING else found)
                missed = term.accented and term.accented not in fields["accented"]
                detail += term.weight * rare * best * (_ACCENT_MISSED if missed else 1.0)
        most = sum(term.weight * rare for term, rare in zip(self.terms, rarity, strict=True))
        return coverage + _DETAIL * detail / most

    def part_found(self, fields: Fields, rarity: Sequence[float]) -> tuple[float, str]:
        """Return how much of the question a cell holds, rare words counting more, from 0 to 1; and what that is."""
        held = [any(term.quality(text) for text in fields.values()) for term in self.terms]
        weights = [term.weight * rare for term, rare in zip(self.terms, rarity, strict=True)]
        share = sum(weight for weight, there in zip(weights, held, strict=True) if there) / (sum(weights) or 1.0)
        pieces: list[str] = []
        for term, there in zip(self.terms, held, strict=True):
            if not there or (pieces and term.text in pieces[-1]):
                continue
            if pieces and isinstance(term, Run) and term.text[0] == pieces[-1][-1] and len(term.text) == 2:
                pieces[-1] += term.text[1]  # bigrams that overlap
            else:
                pieces.append(term.text)
        return share, " ".join(pieces)


def _add_run(text: str, terms: dict[str, Term]) -> None:
    """Add a run of Han, kana or hangul: its bigrams, and the whole of a short one, which is then likely one word."""
    pairs = [text[at : at + 2] for at in range(len(text) - 1)] or [text]
    for pair in pairs:
        terms.setdefault(pair, Run(pair, weight=1.0 if len(pairs) == 1 else 0.6))
    if 2 < len(text) <= 8:
        terms.setdefault(text, Run(text))


def _latin(text: str, accented: str) -> Term:
    parts = _PARTS.findall(text)
    accented = "" if accented == text else accented
    if parts == [text]:
        return Term(text, accented=accented)
    if len(parts) < 2 or ids.number(text):
        parts = []  # the parts of an ID say nothing by themselves
    inner = [Term(part) for part in parts if len(part) > 1]
    return Identifier(text, inner, accented=accented)
