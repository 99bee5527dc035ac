"""The beam search along edges (facts 7.3): scores add up, every anchor walks by itself.

All anchors walk in step, so that each level asks the view for its edges once. The answer is the one that walks one
after the other give: a walk sees only its own visits, and of equal scores that of the earlier anchor stays. This is
the innermost loop of recall, hence the plain tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mneme.graph.model import Edge
from mneme.recall.anchors import Anchor
from mneme.recall.neighbours import Neighbours, other_end
from mneme.recall.result import Step

STRUCTURE = 1.0
"""What an edge counts in a step, times its weight and the weight of its type."""

SIMILARITY = 0.4
"""What the cosine between question and neighbour counts in a step."""


class Beam(NamedTuple):
    """How wide and deep a walk goes, and how many insights it may visit, its anchor included."""

    width: int
    depth: int
    visits: int


BEAMS: Mapping[str, Beam] = {
    "WHY": Beam(15, 5, 500),
    "WHEN": Beam(10, 5, 400),
    "ENTITY": Beam(10, 4, 400),
    "GENERAL": Beam(10, 4, 500),
}

_Trail = tuple[str, str, Edge, "_Trail | None"]
"""The last step (origin, target, edge), and the trail before it."""

_Mark = tuple[float, int, _Trail | None]
"""A score, the number of the anchor whose walk gave it (-1: it is the anchor's own), and how that walk came there."""

_Transition = tuple[float, str, str, str, Edge]
"""What a step loses (its gain, negative), its target, and the edge's type, source and itself: sorts as it is ranked."""


class Walked:
    """Everything that was reached, the anchors included, with its best score over all walks."""

    def __init__(self, starts: Mapping[str, Anchor], marks: Mapping[str, _Mark]) -> None:
        self._starts = starts
        self._marks = marks
        self.scores: dict[str, float] = {key: mark[0] for key, mark in marks.items()}

    def via(self, key: str) -> str:
        """Return what brought ``key``: the type of the last edge of its path, or the signal that made it an anchor."""
        trail = self._marks[key][2]
        return self._starts[key].via if trail is None else trail[2].type

    def path(self, key: str) -> tuple[Step, ...]:
        """Return the steps that gave ``key`` its score, from an anchor on; none for an anchor's own score."""
        steps = []
        trail = self._marks[key][2]
        while trail is not None:
            steps.append(Step(*trail[:3]))
            trail = trail[3]
        return tuple(reversed(steps))


class Grounds:
    """What is the same for all walks of one query: the edges, and what a step along each of them is worth."""

    def __init__(
        self, neighbours: Neighbours, weights: Mapping[str, float], similarity: Mapping[str, float] | None
    ) -> None:
        self._neighbours = neighbours
        self._weights = weights
        self._similarity = similarity or {}
        self._transitions: dict[str, list[_Transition]] = {}

    def fetch(self, ids: list[str]) -> None:
        """Read the edges of ``ids`` in one batch."""
        self._neighbours.fetch(ids)

    def transitions(self, key: str) -> list[_Transition]:
        """Return the steps away from ``key``: the most gainful first, then by neighbour, type and source.

        Of several edges to one neighbour the first is there alone: the others would change nothing.
        """
        known = self._transitions.get(key)
        if known is None:
            steps: list[_Transition] = []
            for edge in self._neighbours.of(key):
                target = other_end(edge, key)
                if target != key:
                    gain = STRUCTURE * (self._weights.get(edge.type, 0.0) * edge.weight)
                    near = self._similarity.get(target, 0.0)
                    steps.append(
                        (-(gain + SIMILARITY * near if near > 0 else gain), target, edge.type, edge.source, edge)
                    )
            steps.sort(reverse=True)
            known = list({step[1]: step for step in steps}.values())
            known.sort()
            self._transitions[key] = known
        return known


class _Walk:
    """The walk of one anchor; ``number`` is its place among the anchors."""

    def __init__(self, number: int, anchor: str, score: float, visits: int) -> None:
        self.beam: list[tuple[float, str, _Trail | None]] = [(-score, anchor, None)]
        self._number = number
        self._visited = {anchor}
        self._room = visits - 1

    def advance(self, grounds: Grounds, width: int, marks: dict[str, _Mark]) -> None:
        """Go one level on. A score counts before the visited test: stepping back raises the node one came from."""
        number, visited, room = self._number, self._visited, self._room
        after: list[tuple[float, str, _Trail | None]] = []
        for lost, key, trail in self.beam if room else ():
            for loss, target, _, _, edge in grounds.transitions(key):
                score = -lost - loss
                mark = marks.get(target)
                if mark is None or score > mark[0] or (score == mark[0] and number < mark[1]):
                    marks[target] = (score, number, (key, target, edge, trail))
                if target not in visited:
                    visited.add(target)
                    after.append((-score, target, (key, target, edge, trail)))
                    room -= 1
                    if not room:
                        break
            if not room:
                break
        self._room = room
        after.sort()  # no target is there twice: trails are never compared
        self.beam = after[:width] if room else []


def walk(grounds: Grounds, starts: Mapping[str, Anchor], beam: Beam) -> Walked:
    """Walk from every one of ``starts``, in the order of their IDs."""
    marks: dict[str, _Mark] = {key: (anchor.score, -1, None) for key, anchor in starts.items()}
    walks = [_Walk(number, key, starts[key].score, beam.visits) for number, key in enumerate(sorted(starts))]
    for _ in range(beam.depth):
        grounds.fetch([key for one in walks for _, key, _ in one.beam])
        for one in walks:
            one.advance(grounds, beam.width, marks)
    return Walked(starts, marks)
