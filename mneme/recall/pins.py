"""Standing rules that are told with an answer, whatever was asked: cells of the prefix PREF.

What a task must not overlook is often implied by what it does, in words that no rule has. There are few rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from mneme.graph.model import Insight
from mneme.graph.view import View
from mneme.recall.asked import ask_for
from mneme.recall.fields import Reader
from mneme.recall.result import Hit
from mneme.recall.weights import DEFAULT

RULES = "PREF"

LOOKED_AT = 200
"""So many rules at most, the last confirmed ones."""

VIA = "pinned"


def pinned(view: View, questions: Sequence[str], most: int) -> list[Hit]:
    """Return at most ``most`` live rules: those first that fit one of ``questions`` best, then the last confirmed."""
    if most < 1:
        return []
    lexicon = view.lexicon()
    rows = lexicon.rows(lexicon.standing(RULES, LOOKED_AT))
    fits = dict.fromkeys(rows, 0.0)
    for question in questions:
        reader = Reader(ask_for(question, lexicon, DEFAULT), DEFAULT)
        for key, row in rows.items():
            fits[key] = max(fits[key], reader.fit(reader.own(reader.held(row))).total / (reader.perfect or 1.0))
    by_id = sorted(rows)
    by_day = sorted(by_id, key=lambda key: rows[key].seen, reverse=True)
    order = sorted(by_day, key=lambda key: -round(fits[key], 9))[:most]
    insights = view.get(order)
    return [_hit_of(insights[key], fits[key]) for key in order if key in insights]


def _hit_of(insight: Insight, fit: float) -> Hit:
    score = min(1.0, fit)
    return Hit(insight, score, "GENERAL", VIA, {"keyword": score, "entity": 0.0, "similarity": 0.0, "graph": 0.0})
