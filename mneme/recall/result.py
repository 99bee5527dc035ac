"""What a ranker answers: hits that say why they are there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mneme.graph.model import Edge, Insight


class Step(NamedTuple):
    """One edge of a walk, taken from ``origin`` to ``target``, whichever way its row points."""

    origin: str
    target: str
    edge: Edge


class Attached(NamedTuple):
    """An insight that is told with a hit: ``relation`` is the link between them, as read from the hit."""

    insight: Insight
    relation: str


class Hit(NamedTuple):
    """A recalled insight.

    ``via`` is the signal that brought it, or the type of the last edge of ``path``; an empty path is a direct hit.
    ``signals`` are the parts of the score, 0 to 1 each, by name. ``rivals`` are the IDs that contradict it.
    ``words`` are those of the question that it answers to, the weightiest first, and ``cue`` its recall cue that holds
    the most of them. ``serves`` are the questions (from 0) that it was found for when several were asked at once;
    ``attached`` hangs on it by links.
    """

    insight: Insight
    score: float
    intent: str
    via: str
    signals: Mapping[str, float]
    superseded: bool = False
    path: tuple[Step, ...] = ()
    rivals: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    cue: str = ""
    serves: tuple[int, ...] = ()
    attached: tuple[Attached, ...] = ()

    @property
    def id(self) -> str:
        """The insight's ID."""
        return self.insight.id


class Answer(NamedTuple):
    """What recall found, best first. ``answerable`` is the chance (0 to 1) that it answers, when a ranker knows it.

    ``intent_source`` is ``auto`` or ``override``; ``anchor_count`` and ``traversed`` count where the walk began and
    what it reached.
    """

    hits: tuple[Hit, ...]
    intent: str
    intent_source: str
    anchor_count: int = 0
    traversed: int = 0
    hint: str = ""
    answerable: float | None = None


class CellFacts(NamedTuple):
    """What a cell's text adds to its insight; ``rivals`` are IDs marked as contradicting it, named on both sides."""

    state: str = "live"
    conf: str = ""
    seen: str = ""
    rivals: tuple[str, ...] = ()
