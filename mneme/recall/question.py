"""A question, taken apart once for all steps."""

from __future__ import annotations

from typing import NamedTuple

from mneme.errors import UsageError
from mneme.graph.entities import extract, fold, mentions
from mneme.graph.tokens import tokens
from mneme.graph.view import View
from mneme.recall.intent import INTENTS, detect


class Question(NamedTuple):
    """What is asked.

    Entities are folded (:func:`mneme.graph.entities.fold`); ``vector`` is little-endian float32, empty without
    embeddings.
    """

    text: str
    tokens: frozenset[str]
    entities: frozenset[str]
    intent: str
    intent_source: str = "auto"
    vector: bytes = b""


def ask(view: View, text: str, *, intent: str = "", vector: bytes = b"") -> Question:
    """Take ``text`` apart; it is never read as syntax. ``intent`` overrides what its words say.

    Entities are those that the recognisers find, and the words that are an entity of some insight in ``view``.

    Raises:
        UsageError: there is no such intent.
    """
    heard = hear(text, intent=intent, vector=vector)
    held = view.with_entities(sorted({fold(name) for name in mentions(text)}))
    found = extract(text, known=lambda name: bool(held.get(fold(name))))
    return heard._replace(tokens=tokens(text), entities=frozenset(map(fold, found)))


def hear(text: str, *, intent: str = "", vector: bytes = b"") -> Question:
    """Return the question that ``text`` is, its words and entities left out: for a ranker that cuts them its own way.

    Raises:
        UsageError: there is no such intent.
    """
    wanted = intent.strip().upper()
    if wanted and wanted not in INTENTS:
        raise UsageError(f"There is no intent {intent!r}.", f"Choose one of {', '.join(INTENTS)}.")
    source = "override" if wanted else "auto"
    return Question(text, frozenset(), frozenset(), wanted or detect(text), source, vector)
