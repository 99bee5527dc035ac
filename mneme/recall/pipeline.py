"""From a question to an answer: the rankers there are, and the one way to call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from mneme.errors import UsageError
from mneme.graph.view import View
from mneme.recall.default import default
from mneme.recall.magma import magma
from mneme.recall.question import Question, ask
from mneme.recall.result import Answer, CellFacts


class Ranker(Protocol):
    """Finds and orders what answers a question. Pure and deterministic: the same view gives the same answer."""

    def __call__(self, view: View, question: Question, limit: int, facts: Mapping[str, CellFacts], /) -> Answer:
        """Return at most ``limit`` hits, best first. ``facts`` are what cells say of themselves, by insight ID."""


RANKERS: Mapping[str, Ranker] = {"mneme": default, "magma": magma}
DEFAULT_RANKER = "mneme"

DEFAULT_LIMIT = 10


def recall(
    view: View,
    text: str,
    *,
    intent: str = "",
    limit: int = DEFAULT_LIMIT,
    ranker: str = DEFAULT_RANKER,
    vector: bytes = b"",
    facts: Mapping[str, CellFacts] | None = None,
) -> Answer:
    """Return what ``view`` holds about ``text``; which insights take part is the view's scope (facts 7.1).

    Raises:
        UsageError: there is no such intent or ranker, or ``limit`` is below 1.
    """
    if ranker not in RANKERS:
        raise UsageError(f"There is no ranker {ranker!r}.", f"Choose one of {', '.join(RANKERS)}.")
    check_limit(limit)
    return RANKERS[ranker](view, ask(view, text, intent=intent, vector=vector), limit, facts or {})


def check_limit(limit: int) -> None:
    """Refuse a limit that would show nothing.

    Raises:
        UsageError: ``limit`` is below 1.
    """
    if limit < 1:
        raise UsageError(f"The limit is {limit}, and at least 1 is needed.", "Give --limit a whole number from 1.")
