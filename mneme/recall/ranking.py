"""The default ranker's order: what fits by words first, lifted by links, lowered by state. Reads the index of words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from mneme.graph.fulltext import Lexicon, Row
from mneme.graph.words import fold
from mneme.recall.asked import Asked, ask_for
from mneme.recall.bonds import Bond, Bonds, spread
from mneme.recall.fields import Fit, Held, Reader, add
from mneme.recall.weights import CANDIDATES, CONSIDERED, DEFAULT, Weights
from mneme.text.lazy import lazy

if TYPE_CHECKING:
    from mneme.recall.meaning import Meaning

_DATED = lazy(r"(?<!\S)(?:\d{4}-\d\d(?:-\d\d)?|\d\d?:\d\d)(?!\S)|\d [年月日号點点时時]")

LOWEST = 1e-9
"""Scores that differ by less are equal: what was added in another order is no other result."""


class Ranked(NamedTuple):
    """A cell in the order of an answer. ``score`` is a share of what a perfect answer would score, and may exceed 1.

    ``own`` is the part from the cell's own words and ``near`` the part from links, both on the same scale; ``link`` is
    the link that brought the most, ``origin`` the cell it came from.
    """

    id: str
    score: float
    own: float
    near: float
    superseded: bool
    words: tuple[str, ...]
    cue_tokens: str
    origin: str = ""
    link: Bond | None = None
    similar: float = 0.0


class Ranking(NamedTuple):
    """An ordered answer. ``strongest`` is the best sum of own words, unscaled, and ``best_terms`` its terms.

    ``by_meaning`` is the chance that there is an answer, by vectors; 0 without.
    """

    asked: Asked
    ranked: tuple[Ranked, ...]
    rows: Mapping[str, Row]
    bonds: Bonds
    strongest: float = 0.0
    best_own: float = 0.0
    best_terms: frozenset[int] = frozenset()
    by_meaning: float = 0.0


def rank(
    lexicon: Lexicon, text: str, intent: str = "GENERAL", weights: Weights = DEFAULT, *, most: int = CANDIDATES,
    meaning: Meaning | None = None,
) -> Ranking:  # fmt: skip
    """Return the ``most`` cells that have most to do with ``text``, best first, whatever the order of insertion."""
    asked = ask_for(text, lexicon, weights)
    return _Run(lexicon, asked, intent, weights, meaning).ranking(most)


class _Run:
    """One question under way."""

    def __init__(self, lexicon: Lexicon, asked: Asked, intent: str, weights: Weights, meaning: Meaning | None) -> None:
        self._lexicon = lexicon
        self._meaning = meaning
        self._asked = asked
        self._intent = intent
        self._weights = weights
        self._reader = Reader(asked, weights)
        self._perfect = self._reader.perfect or 1.0
        self._rows: dict[str, Row] = {}
        self._held: dict[str, Held] = {}
        self._own: dict[str, dict[int, float]] = {}
        self._own_fit: dict[str, Fit] = {}
        self._bonds = Bonds()
        self._names = {form for term in asked.terms for form in term.forms}

    def ranking(self, most: int) -> Ranking:
        """Return the ranking, at most ``most`` long."""
        self._read(self._lexicon.candidates(self._asked.tokens(), CANDIDATES))
        if self._meaning is not None:
            self._read(self._meaning.candidates())
        if not self._rows:
            return Ranking(self._asked, (), {}, self._bonds)
        best = self._gather()
        turns = self._turns(best)
        fits = {key: self._fit(key, turns) for key in sorted(self._rows)}
        plain = {key: self._scored(key, fit, turns) for key, fit in fits.items()}
        direct = self._with_states(plain)
        final = dict(direct)
        brought = self._spread(direct, final)
        self._same_topic(direct, final)
        self._turns_apart(final)
        self._successors_first(final)
        strongest = max(self._own_fit, key=lambda key: (round(self._own_fit[key].total, 9), key))
        order = sorted(key for key, score in final.items() if score > LOWEST)
        order.sort(key=lambda key: self._rows[key].since, reverse=True)
        order.sort(key=lambda key: -round(final[key], 9))
        return Ranking(
            self._asked,
            tuple(self._ranked(key, final[key], fits[key], brought.get(key)) for key in order[:most]),
            self._rows,
            self._bonds,
            self._own_fit[strongest].total,
            self._own_fit[strongest].total / self._perfect,
            frozenset(self._own_fit[strongest].terms),
            0.0 if self._meaning is None else self._meaning.chance,
        )

    def _read(self, ids: Iterable[str]) -> None:
        wanted = sorted(set(ids).difference(self._rows))
        found = self._lexicon.rows(wanted)
        for key in wanted:
            row = found.get(key)
            if row is not None:
                self._rows[key] = row
                self._held[key] = held = self._reader.held(row)
                self._own[key] = own = self._reader.own(held)
                self._own_fit[key] = self._reader.fit(own)

    def _gather(self) -> list[str]:
        """Return the best by their own words; read what they are linked with, and the links of that."""
        direct = {key: self._own_fit[key].total / self._perfect + self._meant(key) for key in self._rows}
        best = sorted(direct, key=lambda key: (-round(direct[key], 9), key))[:CONSIDERED]
        ties = self._lexicon.ties(best)
        self._bonds.add(ties)
        linked = {end for tie in ties for end in (tie.source, tie.target)}
        self._read(linked)
        further = self._lexicon.ties(sorted(linked.difference(best)))
        self._bonds.add(further)
        self._read(end for tie in further if "supersede" in tie.relation for end in (tie.source, tie.target))
        return best

    def _turns(self, best: Iterable[str]) -> dict[tuple[str, int], str]:
        """Return the turns around ``best``, by thread and place; they take part from now on."""
        reach = len(self._weights.turns)
        rows = [self._rows[key] for key in best]
        found = self._lexicon.around([(row.thread, row.place) for row in rows if row.thread], reach)
        self._read(found.values())
        return dict(found)

    def _fit(self, key: str, turns: Mapping[tuple[str, int], str]) -> Fit:
        summed = dict(self._own[key])
        others = dict.fromkeys(bond.other for bond in self._bonds.of(key))
        self._reader.borrowed(
            summed,
            [self._held[other] for other in others if other in self._held],
            self._weights.near,
            self._weights.usual["near"],
        )
        if not self._bonds.newer(key):
            old = self._bonds.predecessors(key, self._held)
            self._reader.borrowed(
                summed, [self._held[one] for one in old], self._weights.old, self._weights.usual["old"]
            )
        row = self._rows[key]
        if row.thread:
            for distance, weight in enumerate(self._weights.turns, 1):
                for place in (row.place - distance, row.place + distance):
                    other = turns.get((row.thread, place))
                    if other is not None:
                        add(summed, self._own[other], weight)
        return self._reader.fit(summed)

    def _meant(self, key: str) -> float:
        """Return what a cell has for standing out by its vector."""
        if self._meaning is None:
            return 0.0
        share = self._weights.meaning * self._meaning.share(key)
        if key in self._rows and self._rows[key].thread:
            share *= self._weights.meaning_of_turn
        return share * self._weights.meaning_of_prompt if self._asked.prompt else share

    def _meant_around(self, row: Row, turns: Mapping[tuple[str, int], str]) -> float:
        """Return what the turns of a conversation beside this one have for standing out by their vectors."""
        found = 0.0
        if self._meaning is not None and row.thread:
            for distance, weight in enumerate(self._weights.turns_meant, 1):
                for place in (row.place - distance, row.place + distance):
                    other = turns.get((row.thread, place))
                    if other is not None:
                        found += weight * self._meant(other)
        return found

    def _scored(self, key: str, fit: Fit, turns: Mapping[tuple[str, int], str]) -> float:
        score = fit.total / self._perfect
        if fold(key) in self._names:
            score += 1
        score += self._meant(key) + self._meant_around(self._rows[key], turns)
        if not self._asked.prompt:
            return score
        score += self._weights.clause * self._reader.best_clause(fit)
        prefix = key.partition("-")[0]
        if prefix == "PREF":
            return score * self._weights.rule
        return score * self._weights.plan if prefix in ("TODO", "OKR") else score

    def _with_states(self, plain: Mapping[str, float]) -> dict[str, float]:
        """Lower what is not live, lift what holds a date when one is asked for; who supersedes inherits."""
        scores: dict[str, float] = {}
        for key, score in plain.items():
            row = self._rows[key]
            state = "superseded" if self._bonds.newer(key) else row.state
            scores[key] = score * self._weights.states.get(state, 1.0)
            if self._intent == "WHEN" and (_DATED.search(row.gist) or _DATED.search(row.body)):
                scores[key] *= self._weights.dated
        for key in plain:
            old = self._bonds.predecessors(key, plain)
            if old:
                inherited = self._weights.successor * max(plain[one] for one in old)
                if self._bonds.newer(key):
                    inherited *= self._weights.states["superseded"]
                scores[key] = max(scores[key], inherited)
        return scores

    def _spread(self, direct: Mapping[str, float], final: dict[str, float]) -> dict[str, tuple[float, str, Bond]]:
        """Let the best cells lift those that they are linked with; return what each got, from where, by which link."""
        factor = self._weights.why if self._intent == "WHY" else 1.0
        brought: dict[str, tuple[float, str, Bond]] = {}
        for key in sorted(direct, key=lambda key: (-round(direct[key], 9), key))[: self._weights.starts]:
            for bond in self._bonds.of(key):
                if bond.other not in direct:
                    continue
                got = spread(bond, self._weights) * factor * direct[key]
                if self._bonds.newer(bond.other):
                    got *= self._weights.states["superseded"]
                if got > brought.get(bond.other, (0.0,))[0]:
                    brought[bond.other] = got, key, bond
        for key, (got, _, _) in brought.items():
            final[key] += got
        return brought

    def _same_topic(self, direct: Mapping[str, float], final: dict[str, float]) -> None:
        """Let the best cell of a topic, and of its first part, lift the others: by half where nothing else does.

        Turns of a conversation have their neighbours instead.
        """
        best: dict[tuple[str, bool], list[tuple[float, str]]] = {}
        for key, score in direct.items():
            area = self._rows[key].area
            if area and score > LOWEST:
                best.setdefault((area, True), []).append((score, key))
                best.setdefault((area.partition("/")[0], False), []).append((score, key))
        for scores in best.values():
            scores.sort(key=lambda pair: (-pair[0], pair[1]))
        for key in direct:
            area = self._rows[key].area
            if not area or self._rows[key].thread:
                continue
            share = 1.0 if direct[key] > LOWEST else 0.5
            for name, weight in (
                ((area, True), self._weights.topic),
                ((area.partition("/")[0], False), self._weights.area),
            ):
                others = (score for score, other in best.get(name, ()) if other != key)
                final[key] += share * weight * next(others, 0.0)

    def _turns_apart(self, final: dict[str, float]) -> None:
        """Among turns of a conversation: who is named has said it, long ones say more, questions say less."""
        turns = [key for key in final if self._rows[key].thread]
        if not turns:
            return
        best = max(final.values())
        for key in turns:
            row = self._rows[key]
            said = len(row.gist.split()) + len(row.body.split())
            lift = self._weights.turn_length * math.log(1 + said) / 3
            if not self._names.isdisjoint(row.cue.split()):
                lift += self._weights.speaker
            if row.asks:
                lift -= self._weights.asks
            final[key] += best * lift

    def _successors_first(self, final: dict[str, float]) -> None:
        """Put whatever is superseded below what supersedes it; in a circle nothing is above."""
        above = {
            key: [one for one in self._bonds.newer(key) if one in final and not self._circular(key, one)]
            for key in sorted(self._bonds.replaced() & final.keys())
        }
        moved = True
        while moved:
            moved = False
            for key, newer in above.items():
                least = min((final[one] for one in newer), default=math.inf)
                if final[key] >= least:
                    final[key] = least * (1 - 1e-6)
                    moved = final[key] > 0

    def _circular(self, old: str, new: str) -> bool:
        return new in self._bonds.predecessors(old, self._rows)

    def _ranked(self, key: str, score: float, fit: Fit, brought: tuple[float, str, Bond] | None) -> Ranked:
        own = self._own_fit[key]
        got, origin, link = brought or (0.0, "", None)
        return Ranked(
            key,
            score,
            own.total / self._perfect,
            got + max(0.0, fit.total - own.total) / self._perfect,
            bool(self._bonds.newer(key)) or self._rows[key].state == "superseded",
            self._reader.words(own.terms or fit.terms),
            self._reader.matching_cue(self._rows[key]),
            origin,
            link,
            0.0 if self._meaning is None else self._meaning.cosine(key),
        )
