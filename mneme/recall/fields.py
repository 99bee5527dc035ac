"""How well the words of a cell fit a question: BM25 over fields that count apart (BM25F)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mneme.graph.fulltext import CUE_BREAK, FIELDS, Row
from mneme.recall.asked import Asked
from mneme.recall.weights import Weights


class Held(NamedTuple):
    """What a cell holds of a question: by field the count of each term (by place), and the field's length in tokens."""

    counts: tuple[Mapping[int, float], ...]
    lengths: tuple[int, ...]


class Fit(NamedTuple):
    """How well a cell fits: by term the share of its weight that counts, and the sum over all terms."""

    total: float
    terms: Mapping[int, float]


_NOTHING: Mapping[int, float] = {}

GIST, CUE = FIELDS.index("gist"), FIELDS.index("cue")


class Reader:
    """Reads rows of the index under one question."""

    def __init__(self, asked: Asked, weights: Weights) -> None:
        self._asked = asked
        self._weights = weights
        self._forms: dict[str, list[tuple[int, float]]] = {}
        for place, term in enumerate(asked.terms):
            for form, share in term.forms.items():
                self._forms.setdefault(form, []).append((place, share))
        most = weights.k1 + 1
        self._worth = [term.weight * term.rarity * most for term in asked.terms]
        self.perfect = sum(
            worth * (1.0 if term.known else weights.unknown)
            for worth, term in zip(self._worth, asked.terms, strict=True)
        )
        """What a cell would score that held every term endlessly often, words that no cell holds counting less."""

    def held(self, row: Row) -> Held:
        """Count the terms in ``row``."""
        forms = self._forms
        counts: list[Mapping[int, float]] = []
        lengths: list[int] = []
        for column in row.columns:
            if not column:
                counts.append(_NOTHING)
                lengths.append(0)
                continue
            tokens = column.split()
            lengths.append(len(tokens))
            found: dict[int, float] = {}
            for token in tokens:
                if token in forms:
                    for place, share in forms[token]:
                        found[place] = found.get(place, 0.0) + share
            counts.append(found)
        return Held(tuple(counts), tuple(lengths))

    def own(self, held: Held) -> dict[int, float]:
        """Return how often each term stands in the cell's own fields, weighted by field and length."""
        summed: dict[int, float] = {}
        for field, counts, length in zip(FIELDS, held.counts, held.lengths, strict=True):
            if counts:
                weight = self._weights.fields[field] * self._shortened(length, self._weights.usual[field])
                add(summed, counts, weight)
        return summed

    def borrowed(self, summed: dict[int, float], others: Sequence[Held], weight: float, usual: int) -> None:
        """Add gist and cues of ``others`` to ``summed``, as one field."""
        if not others:
            return
        length = sum(other.lengths[GIST] + other.lengths[CUE] for other in others)
        share = weight * self._shortened(length, usual)
        for other in others:
            add(summed, other.counts[GIST], share)
            add(summed, other.counts[CUE], share)

    def fit(self, summed: Mapping[int, float]) -> Fit:
        """Return what weighted counts are worth: each term soon stops to count."""
        k1 = self._weights.k1
        terms = {place: self._worth[place] * count / (k1 + count) for place, count in summed.items()}
        return Fit(sum(terms.values()), terms)

    def best_clause(self, fit: Fit) -> float:
        """Return how well the cell fits the clause that it fits best, 0 to 1; clauses of one term do not count."""
        best = 0.0
        for clause in self._asked.clauses:
            known = [place for place in clause if place in fit.terms]
            if known and len(clause) > 1:
                perfect = sum(
                    self._worth[place] * (1.0 if self._asked.terms[place].known else self._weights.unknown)
                    for place in clause
                )
                best = max(best, sum(fit.terms[place] for place in sorted(known)) / perfect)
        return best

    def matching_cue(self, row: Row) -> str:
        """Return the tokens of the cue of ``row`` that holds the weightiest terms; nothing when none holds one."""
        best, found = "", 0.0
        for cue in row.cue.split(f" {CUE_BREAK} "):
            places = {place for token in cue.split() for place, _ in self._forms.get(token, ())}
            worth = sum(self._worth[place] for place in sorted(places))
            if worth > found:
                best, found = cue, worth
        return best

    def words(self, places: Iterable[int]) -> tuple[str, ...]:
        """Return the terms at ``places`` as they were written, the weightiest first."""
        ordered = sorted(places, key=lambda place: (-self._worth[place], place))
        return tuple(dict.fromkeys(self._asked.terms[place].text for place in ordered))

    def _shortened(self, length: int, usual: int) -> float:
        b = self._weights.b
        return 1 / (1 - b + b * max(1, length) / usual)


def add(summed: dict[int, float], counts: Mapping[int, float], weight: float) -> None:
    """Add weighted ``counts`` to ``summed``."""
    for place, count in counts.items():
        summed[place] = summed.get(place, 0.0) + weight * count
