"""The beam search along edges (facts 7.3): scores add up, every anchor walks by itself.

All anchors walk in step, so that each level asks the view for its edges once. That changes nothing in the result: a
walk sees only its own visits, and the shared scores are put together in the order of the anchors.
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


class Trail(NamedTuple):
    """The steps that led somewhere, the last one first."""

    step: Step
    before: Trail | None

    def steps(self) -> tuple[Step, ...]:
        """Return the steps, the first one first."""
        taken = [self.step]
        trail = self.before
        while trail is not None:
            taken.append(trail.step)
            trail = trail.before
        return tuple(reversed(taken))


class Reached(NamedTuple):
    """The best score of an insight, and what brought it: a signal, or the type of the last edge of ``trail``."""

    score: float
    via: str
    trail: Trail | None = None


class _Transition(NamedTuple):
    gain: float
    target: str
    edge: Edge


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
        """Return the steps that lead away from ``key``: the most gainful first, then by neighbour, type, source."""
        known = self._transitions.get(key)
        if known is None:
            known = []
            for edge in self._neighbours.of(key):
                target = other_end(edge, key)
                if target != key:
                    near = max(0.0, self._similarity.get(target, 0.0))
                    gain = STRUCTURE * (self._weights.get(edge.type, 0.0) * edge.weight) + SIMILARITY * near
                    known.append(_Transition(gain, target, edge))
            known.sort(key=lambda step: (-step.gain, step.target, step.edge.type, step.edge.source))
            self._transitions[key] = known
        return known


class _Walk:
    """The walk of one anchor."""

    def __init__(self, anchor: str, score: float, visits: int) -> None:
        self.beam: list[tuple[str, Reached]] = [(anchor, Reached(score, ""))]
        self.visited = {anchor}
        self.found: dict[str, Reached] = {}
        self._visits = visits

    def advance(self, grounds: Grounds, width: int) -> None:
        """Go one level on. A score counts before the visited test: stepping back raises the node one came from."""
        after: list[tuple[str, Reached]] = []
        for key, here in self.beam:
            for gain, target, edge in grounds.transitions(key):
                if len(self.visited) >= self._visits:
                    self.beam = []
                    return
                score = here.score + gain
                known = self.found.get(target)
                if known is not None and known.score >= score and target in self.visited:
                    continue
                reached = Reached(score, edge.type, Trail(Step(key, target, edge), here.trail))
                if known is None or score > known.score:
                    self.found[target] = reached
                if target not in self.visited:
                    self.visited.add(target)
                    after.append((target, reached))
        after.sort(key=lambda entry: (-entry[1].score, entry[0]))
        self.beam = after[:width]


def walk(grounds: Grounds, starts: Mapping[str, Anchor], beam: Beam) -> dict[str, Reached]:
    """Return everything that is reached from ``starts``, with its best score over all walks, the anchors included."""
    walks = [_Walk(key, starts[key].score, beam.visits) for key in sorted(starts)]
    for _ in range(beam.depth):
        grounds.fetch([key for one in walks for key, _ in one.beam])
        for one in walks:
            one.advance(grounds, beam.width)
    best = {key: Reached(*anchor) for key, anchor in starts.items()}
    for one in walks:
        for key, reached in one.found.items():
            if key not in best or reached.score > best[key].score:
                best[key] = reached
    return best
