"""How likely it is that the store holds an answer at all."""

from __future__ import annotations

from mneme.recall.asked import Term, rarity
from mneme.recall.ranking import Ranking
from mneme.recall.weights import DEFAULT

EVEN = 0.4
"""So many unique words' worth, all that was asked being known, make it as likely as not."""

STEEPNESS = 1.3
"""Both are a logistic fit (of the logarithm), rounded, to questions with and without an answer that weigh the same."""

KNOWN = 0.1
"""The least when the store knows all that is asked: in a small store no word is rare."""

THRESHOLD = 0.05
"""Below this, recall says that nothing here is about that. In measuring, no question with so little was answered."""


def familiar(term: Term) -> float:
    """Return how well the store knows ``term``, 0 to 1: a word that is like another one may be that one misspelt."""
    if term.known:
        return 1.0
    return max(term.forms.values()) / DEFAULT.unsure if term.frequency else 0.0


def answerable(ranking: Ranking) -> float:
    """Return the chance, 0 to 1, that something in ``ranking`` answers the question, if half of all questions had one.

    It is the strength of the best insight's own words, counted in words that one insight alone holds, times the share
    of what was asked that the store knows. Long questions do not look better for being long: what they ask for and
    nothing knows counts against them. Where the store has vectors, what stands out by them counts as well: the higher
    of the two chances is the answer.
    """
    if not ranking.ranked:
        return 0.0
    total = ranking.asked.total
    never = rarity(0, total)
    asked = [(term.weight * (term.rarity if term.known else never), familiar(term)) for term in ranking.asked.terms]
    everything = sum(worth for worth, _ in asked)
    known = sum(worth * share for worth, share in asked) / everything if everything else 0.0
    strength = ranking.strongest / ((DEFAULT.k1 + 1) * rarity(1, total))
    held: float = (strength * known / EVEN) ** STEEPNESS
    chance = held / (1 + held)
    return max(chance, KNOWN if known == 1 else 0.0, ranking.by_meaning)
