"""The index of words: what the default ranker reads of a store. Its rows, and the questions to it.

Where it is kept is the store's matter (:mod:`mneme.graph.store.lexicon`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from mneme.graph.languages import ENGLISH, detect
from mneme.graph.model import Insight
from mneme.graph.words import fold, plain, segment

FIELDS = ("ident", "gist", "cue", "topic", "body", "entities")
"""The columns of words, in order."""

CUE_BREAK = "|"
"""Stands between two cues in the column ``cue``; no token of a text is like it."""

QUESTION_MARKS = ("?", "？", "؟")

HIDDEN_STATES = ("proposed", "retired")
"""Left out unless asked for."""

LONGEST_GIST = 120
"""Characters in a text that is short enough to be a gist."""


class Entry(NamedTuple):
    """What the index knows of an insight. ``links`` are (relation, target) as the cell writes them.

    ``thread`` names the conversation that it is a turn of, ``place`` where it stands there; most have none.
    """

    id: str
    gist: str
    cues: tuple[str, ...] = ()
    topic: str = ""
    body: str = ""
    entities: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    category: str = ""
    source: str = ""
    state: str = "live"
    conf: str = ""
    since: str = ""
    seen: str = ""
    thread: str = ""
    place: int = 0


class Row(NamedTuple):
    """An insight as the index has it: columns of tokens joined by blanks, and what does not come from words."""

    id: str
    ident: str
    gist: str
    cue: str
    topic: str
    body: str
    entities: str
    category: str
    source: str
    state: str
    conf: str
    since: str
    seen: str
    area: str
    thread: str
    place: int
    asks: int

    @property
    def standing(self) -> tuple[str, str, str]:
        """State, confidence, and when it was last confirmed."""
        return self.state, self.conf, self.seen

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of words, in the order of FIELDS."""
        return (self.ident, self.gist, self.cue, self.topic, self.body, self.entities)


class Tie(NamedTuple):
    """A link between two cells, in the direction in which it is written."""

    source: str
    relation: str
    target: str


class Lexicon(Protocol):
    """The index of words as read at one moment, narrowed to a scope."""

    def total(self) -> int:
        """Return how many insights there are, those outside of the scope included."""

    def frequencies(self, tokens: Iterable[str]) -> Mapping[str, int]:
        """Return in how many insights each token stands; one that stands nowhere is not named."""

    def starting(self, prefix: str, shortest: int = 1, longest: int = 64) -> Sequence[tuple[str, int]]:
        """Return the tokens of such a length that begin with ``prefix``, and in how many insights each stands."""

    def candidates(self, tokens: Sequence[str], limit: int) -> list[str]:
        """Return about ``limit`` IDs in scope that ``tokens`` fit best. Equally good ones are all in or all out."""

    def rows(self, ids: Iterable[str]) -> Mapping[str, Row]:
        """Return the insights that exist and are in scope, by ID."""

    def ties(self, ids: Iterable[str]) -> Sequence[Tie]:
        """Return the links that one of ``ids`` has at either end, ordered."""

    def standing(self, prefix: str, limit: int) -> list[str]:
        """Return the IDs of live cells with that prefix, the last confirmed first, then by ID; at most ``limit``."""

    def around(self, turns: Iterable[tuple[str, int]], reach: int) -> Mapping[tuple[str, int], str]:
        """Return the IDs that stand at most ``reach`` places from ``turns`` (thread, place), by thread and place."""


def cut(entry: Entry) -> Row:
    """Return ``entry`` as the index has it."""
    texts = fold(plain(f"{entry.gist}\n{entry.body}"))
    language = detect(texts)
    gist, body, topic = (segment(text, detect(fold(text), language)) for text in (entry.gist, entry.body, entry.topic))
    cue = f" {CUE_BREAK} ".join(segment(cue, language) for cue in entry.cues)
    known = set(f"{gist} {body} {topic} {cue}".split())
    entities = " ".join(
        token for name in entry.entities for token in segment(name, language).split() if token not in known
    )
    spoken = "" if language == ENGLISH else f" {language_mark(language)}"
    return Row(
        entry.id, fold(entry.id) + spoken, gist, cue, topic, body, entities, entry.category, entry.source, entry.state,
        entry.conf, entry.since, entry.seen, entry.topic, entry.thread, entry.place,
        int((entry.body or entry.gist).rstrip().endswith(QUESTION_MARKS)),
    )  # fmt: skip


def entry_of(one: Insight) -> Entry:
    """Return what the index knows of an insight that no cell made: a short content is the gist, its tags are cues."""
    short = len(one.content) <= LONGEST_GIST and "\n" not in one.content
    return Entry(
        one.id, one.content if short else "", one.tags, "", "" if short else one.content, one.entities, (),
        one.category, one.source, HIDDEN_STATES[-1] if one.deleted_at else "live", "", one.created_at[:10],
        one.last_accessed_at[:10],
    )  # fmt: skip


def language_mark(language: str) -> str:
    """Return the token that every insight in ``language`` holds, unless that is English."""
    return f"~{language}"
