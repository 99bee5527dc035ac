"""What is the cause of what, by the words that say so."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from mneme.graph.edges.arrival import Arrival
from mneme.graph.model import Edge
from mneme.graph.tokens import overlap
from mneme.text.lazy import lazy

MAX_NEIGHBOURS = 10
"""So many insights of the same source at most are looked at."""

MIN_OVERLAP = 0.15
"""Less than this in common is no relation."""

CUES = {
    "English": (
        "because", "therefore", "due to", "caused by", "as a result", "decided to", "chosen because", "so that",
        "in order to", "leads to", "results in",
    ),
    "Chinese": ("因为", "所以", "由于", "导致", "因此", "决定", "为了", "以便"),
}  # fmt: skip
"""Words that say that there is a cause. English ones are whole words."""

SUB_TYPES = {
    "prevents": (("despite", "prevented", "prevents", "blocked"), ("阻止", "防止")),
    "enables": (("so that", "in order to", "enables", "leads to"), ("为了", "以便")),
    "causes": (("because", "caused by", "due to"), ("因为", "由于")),
}
"""What kind of cause it is, by English and Chinese cues: the first kind that is hit, and without a hit the last."""


def _expression(english: Iterable[str], chinese: Iterable[str]) -> str:
    phrases = "|".join(phrase.replace(" ", r"\s+") for phrase in english)
    # an ASCII boundary: a Han character right beside an English word does not make it another word
    return rf"(?i)(?<![0-9A-Za-z_])(?:{phrases})(?![0-9A-Za-z_])|{'|'.join(chinese)}"


_CUE = lazy(_expression(CUES["English"], CUES["Chinese"]))
_SUB_TYPE = {name: lazy(_expression(*cues)) for name, cues in SUB_TYPES.items()}


def first_cue(text: str) -> str:
    """Return the first cue in ``text``, as it is written there; empty when it has none."""
    match = _CUE.search(text)
    return match[0] if match else ""


def sub_type(*texts: str) -> str:
    """Return what kind of cause ``texts`` speak of, taken together."""
    for name, pattern in _SUB_TYPE.items():
        if any(pattern.search(text) for text in texts):
            return name
    return "causes"


def causal_edges(new: Arrival, earlier: Iterable[Arrival]) -> list[Edge]:
    """Return one row, cause to effect, between ``new`` and each insight that it stands in a causal relation with.

    ``earlier``: of the same source, newest first. The side with the cue is the effect; if both have one, the new.
    """
    edges: list[Edge] = []
    others = (other for other in earlier if other.id != new.id)
    for other in islice(others, MAX_NEIGHBOURS):
        if not (new.has_cue or other.has_cue):
            continue
        share = overlap(new.tokens, other.tokens)
        if share < MIN_OVERLAP:
            continue
        cause, effect = (other, new) if new.has_cue else (new, other)
        metadata = {"overlap": f"{share:.4f}", "sub_type": sub_type(new.insight.content, other.insight.content)}
        edges.append(Edge(cause.id, effect.id, "causal", share, metadata, new.insight.created_at))
    return edges
