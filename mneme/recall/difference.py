"""How a new text stands to what is there: something new, the same again, an update, a contradiction (facts 3.2).

A suggestion and no more: nothing is replaced by it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from mneme.graph.model import Insight
from mneme.graph.tokens import jaccard, tokens
from mneme.graph.view import View
from mneme.recall.evidence import shares
from mneme.recall.order import best
from mneme.recall.same import same
from mneme.text.lazy import lazy

ADD, CONFLICT, DUPLICATE, UPDATE = "ADD", "CONFLICT", "DUPLICATE", "UPDATE"

CANDIDATES = 5
RELATED, CONTRADICTING, SAME = 0.5, 0.7, 0.9
"""Below the first: something new. From the second: a contradiction, if one text turns the other round. Above the third:
the same again."""

_TURNS: Mapping[str, str] = {
    "denied": r"(?<!\w)(?:not|never|no|no longer|cannot|without|\w+n['’]t)(?!\w)"
    r"|不再|不(?![同仅但过错止断管论])|没有|无需|禁止|切勿",
    "replaced": r"(?<!\w)(?:switched\s+from|instead\s+of|rather\s+than|replaced|deprecated)(?!\w)|放弃|替换|取消",
}
_PATTERNS = {name: lazy(pattern, re.IGNORECASE) for name, pattern in _TURNS.items()}


class Match(NamedTuple):
    """An insight that a new text resembles: similarity 0 to 1, and what the text is to it."""

    insight: Insight
    similarity: float
    kind: str


class Difference(NamedTuple):
    """What is suggested, and the insights that decided it, most similar first; those that are too far are left out."""

    suggestion: str
    matches: tuple[Match, ...] = ()


def difference(view: View, text: str, *, without: Collection[str] = ()) -> Difference:
    """Return how ``text`` stands to the insights of ``view`` that are not deleted and not among ``without``."""
    new = tokens(text)
    scores = shares(view.holders(sorted(new)), len(new))
    found = [_match(text, new, one) for one in _nearest(view, scores, without)]
    found.sort(key=lambda match: -match.similarity)
    kept = tuple(match for match in found if match.kind != ADD)
    if any(match.kind == DUPLICATE for match in kept):
        return Difference(DUPLICATE, kept)
    return Difference(kept[0].kind if kept else ADD, kept)


def classify(similarity: float, *, turned: bool) -> str:
    """Return what a text is to another one; ``turned``: one of them denies what the other says."""
    if similarity < RELATED:
        return ADD
    if similarity >= CONTRADICTING and turned:
        return CONFLICT
    return DUPLICATE if similarity > SAME else UPDATE


def turns(one: str, other: str) -> bool:
    """Whether one of two texts denies more than the other, or tells of more that was given up.

    What both do says nothing about how they stand to each other.
    """
    return any(_count(pattern, one) != _count(pattern, other) for pattern in _PATTERNS.values())


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _match(text: str, new: frozenset[str], other: Insight) -> Match:
    there = _said(other.content)
    similarity = jaccard(new, tokens(there))
    kind = classify(similarity, turned=turns(text, there))
    if kind == DUPLICATE and not same(text, there):
        kind = UPDATE  # most words are the same, and one that matters is not: another place, number or name
    return Match(other, similarity, kind)


def _said(content: str) -> str:
    """Return what was remembered: a first line that only begins the rest, as of a cell made of a long text, goes."""
    first, _, rest = content.partition("\n")
    return rest if first and rest.lstrip().startswith(first.removesuffix("…").rstrip()) else content


def _nearest(view: View, scores: Mapping[str, float], without: Collection[str]) -> list[Insight]:
    """Return the insights that hold most of the words, deleted ones left out."""
    limit = CANDIDATES + len(without)
    while True:
        found = best(view, scores, limit)
        alive = [one for one in found if not one.deleted_at and one.id not in without]
        if len(alive) >= CANDIDATES or len(found) < limit:
            return alive[:CANDIDATES]
        limit *= 4
