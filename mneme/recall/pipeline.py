"""From questions to an answer: the rankers there are, and the one way to call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from mneme.errors import UsageError
from mneme.graph.view import View
from mneme.recall import default, magma
from mneme.recall.answerable import THRESHOLD
from mneme.recall.labels import hint
from mneme.recall.question import Question, ask, hear
from mneme.recall.result import Answer, CellFacts, Hit

Embed = Callable[[Sequence[str]], Sequence[bytes]]
"""Turns texts into vectors, little-endian float32."""


class Ranker(Protocol):
    """Finds and orders what answers questions. Pure and deterministic: the same view gives the same answer."""

    def __call__(
        self, view: View, questions: Sequence[Question], limit: int, facts: Mapping[str, CellFacts], /, *, attach: int
    ) -> Answer:
        """Return at most ``limit`` hits, best first. ``facts`` are what cells say of themselves, by insight ID.

        ``attach``: so many insights at most are told with a hit that links bring to it, instead of beside it.
        """


def _magma(
    view: View, questions: Sequence[Question], limit: int, facts: Mapping[str, CellFacts], /, *, attach: int
) -> Answer:
    """The engine answers one question: several answers are taken turn about. It attaches nothing."""
    del attach
    answers = [magma.magma(view, question, limit, facts) for question in questions]
    if len(answers) == 1:
        return answers[0]
    taken: dict[str, Hit] = {}
    serves: dict[str, list[int]] = {}
    for place in range(limit):
        for number, answer in enumerate(answers):
            if place < len(answer.hits):
                hit = answer.hits[place]
                taken.setdefault(hit.id, hit)
                serves.setdefault(hit.id, []).append(number)
    hits = tuple(hit._replace(serves=tuple(sorted(serves[hit.id]))) for hit in list(taken.values())[:limit])
    return answers[0]._replace(
        hits=hits,
        anchor_count=sum(answer.anchor_count for answer in answers),
        traversed=sum(answer.traversed for answer in answers),
        hint=hint(len(hits), limit),
    )


RANKERS: Mapping[str, Ranker] = {"mneme": default.answer, "magma": _magma}
DEFAULT_RANKER = "mneme"

DEFAULT_LIMIT = 10
DEFAULT_ATTACH = 0


def recall(
    view: View,
    text: str | Sequence[str],
    *,
    intent: str = "",
    limit: int = DEFAULT_LIMIT,
    ranker: str = DEFAULT_RANKER,
    vector: bytes = b"",
    embed: Embed | None = None,
    facts: Mapping[str, CellFacts] | None = None,
    attach: int = DEFAULT_ATTACH,
    min_confidence: float = THRESHOLD,
) -> Answer:
    """Return what ``view`` holds about ``text``; which insights take part is the view's scope (facts 7.1).

    Several texts are several questions with one answer. ``embed`` turns texts into vectors of the model that the
    stored ones are of; ``vector`` is that of a single text, when it is known already. When the chance that it is one
    (``answerable``) is known and below ``min_confidence``, 0 to 1, the answer is empty.

    Raises:
        UsageError: there is no such intent or ranker, nothing is asked, or ``limit`` is below 1.
    """
    if ranker not in RANKERS:
        raise UsageError(f"There is no ranker {ranker!r}.", f"Choose one of {', '.join(RANKERS)}.")
    check_limit(limit)
    texts = [text] if isinstance(text, str) else list(text)
    if not texts:
        raise UsageError("Nothing is asked.", "Give a question.")
    questions = [hear(one, intent=intent, vector=vector) for one in texts]
    if ranker != DEFAULT_RANKER:
        questions = [ask(view, one, intent=intent, vector=vector) for one in texts]
    if embed is not None:
        questions = with_vectors(questions, embed)
    answer = RANKERS[ranker](view, questions, limit, {} if facts is None else facts, attach=attach)
    if answer.answerable is not None and answer.answerable < min_confidence:
        return answer._replace(hits=(), hint=hint(0, limit))
    return answer


def with_vectors(questions: Sequence[Question], embed: Embed) -> list[Question]:
    """Return ``questions`` with the vectors of their texts; as they are when ``embed`` returns nothing."""
    made = embed([question.text for question in questions])
    if not made:
        return list(questions)
    return [question._replace(vector=vector) for question, vector in zip(questions, made, strict=True)]


def check_limit(limit: int) -> None:
    """Refuse a limit that would show nothing.

    Raises:
        UsageError: ``limit`` is below 1.
    """
    if limit < 1:
        raise UsageError(f"The limit is {limit}, and at least 1 is needed.", "Give --limit a whole number from 1.")
