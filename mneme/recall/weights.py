"""The numbers of the default ranker: round ones, set by hand where small changes change nothing (docs/recall.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Weights(NamedTuple):
    """What counts how much. Scores are shares of what a perfect answer would score; weights without unit."""

    k1: float = 1.2
    """How soon a word that is repeated stops to count (BM25)."""
    b: float = 0.5
    """How much longer fields count less, 0 to 1 (BM25)."""
    fields: Mapping[str, float] = {"ident": 1.0, "gist": 1.0, "cue": 1.0, "topic": 1.0, "body": 1.0, "entities": 0.5}
    usual: Mapping[str, int] = {
        "ident": 1,
        "gist": 20,
        "cue": 12,
        "topic": 4,
        "body": 20,
        "entities": 8,
        "near": 60,
        "old": 30,
    }
    """Tokens in a field of usual length. Fixed, so that a cell's score does not move with the rest of the store."""
    near: float = 0.4
    """Gist and cues of linked cells, as a field of the cell."""
    old: float = 0.6
    """Gist and cues of what the cell supersedes, as a field of the newest cell."""
    turns: tuple[float, ...] = (0.4, 0.2, 0.1, 0.05)
    """The turns of a conversation before and after, by distance, as fields of a turn."""
    unknown: float = 0.3
    """What a word that no cell holds counts in the perfect answer."""
    unsure: float = 0.3
    """A word that is only like the one asked for, times how alike they are (Dice of trigrams)."""
    clause: float = 0.3
    """The clause of a long prompt that fits a cell best."""
    rule: float = 1.1
    """A PREF cell, when the question is a long prompt: the task runs into standing rules."""
    plan: float = 0.8
    """A TODO or OKR cell, when the question is a long prompt."""
    states: Mapping[str, float] = {"superseded": 0.6, "retired": 0.9, "stale": 0.9, "proposed": 0.7}
    successor: float = 0.8
    """A cell has at least so much of what its predecessors score."""
    dated: float = 1.1
    """A cell that holds a date or an hour, when the question is WHEN."""
    starts: int = 5
    """From so many of the best cells, score spreads along links."""
    forward: Mapping[str, float] = {"causes": 0.3, "enables": 0.3, "relates": 0.1, "refines": 0.1}
    """From a cell to the cell that its link names."""
    backward: Mapping[str, float] = {
        "causes": 0.3, "enables": 0.3, "prevents": 0.3, "blocks": 0.3, "depends-on": 0.1, "relates": 0.1,
        "refines": 0.1,
    }  # fmt: skip
    """From a cell to the cell whose link names it."""
    why: float = 1.7
    """How much more spreads when the question is WHY."""
    topic: float = 0.1
    """The best other cell of the same topic."""
    area: float = 0.05
    """The best other cell whose topic begins alike."""
    meaning: float = 0.3
    """A cell that stands out by five standard deviations among the vectors of the store."""
    meaning_of_prompt: float = 0.5
    """How much of that counts when the question is a long prompt."""
    meaning_of_turn: float = 0.3
    """How much of that counts for a turn of a conversation: many are alike, and the turns around count as well."""
    turns_meant: tuple[float, ...] = (1.5, 1.0, 0.5, 0.3)
    """The vectors of the turns before and after, by distance, as a part of what they count there."""
    speaker: float = 0.3
    """A turn of a conversation by somebody who is named in the question, as a share of the best score."""
    turn_length: float = 0.25
    """A long turn, times ln(1 + words)/3, as a share of the best score."""
    asks: float = 0.1
    """A turn that is a question loses so much, as a share of the best score."""


DEFAULT = Weights()

CANDIDATES = 150
"""So many insights come from the index."""

CONSIDERED = 40
"""So many of them are looked at with their links."""

PROMPT_TERMS, PROMPT_CLAUSES = 24, 3
"""A question with so many different words in so many clauses is a task, and mostly about something else."""
