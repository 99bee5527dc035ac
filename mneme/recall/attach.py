"""What hangs on a hit by links, told with it instead of beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mneme.graph.view import View
from mneme.recall.bonds import REPLACES, Bonds
from mneme.recall.ranking import Ranked, Ranking
from mneme.recall.result import Attached, Hit

ORDER = ("causes", "depends-on", "prevents", "enables", "blocks", "refines", "relates")
"""The why-chain before all else."""

BROUGHT = 0.5
"""What has less than this part of its score from its own words was brought by links."""


class Chains:
    """The links that the rankings of an answer met."""

    def __init__(self, found: Sequence[Ranking]) -> None:
        self.bonds = Bonds()
        for ranking in found:
            self.bonds.take(ranking.bonds)

    def apart(self, ordered: Sequence[str], best: Mapping[str, tuple[Ranked, int]], most: int) -> list[str]:
        """Return ``ordered`` without what is attached to something before it, and is not there for its own words."""
        kept: list[str] = []
        hanging: set[str] = set()
        for key in ordered:
            one = best[key][0]
            if key in hanging and one.own < BROUGHT * one.score:
                continue
            kept.append(key)
            hanging.update(other for other, _ in self._around(key)[:most])
        return kept

    def attached(self, view: View, hits: Sequence[Hit], most: int) -> list[Hit]:
        """Return ``hits`` with what is attached to each, at most ``most``; a hit is attached to no other."""
        shown = {hit.id for hit in hits}
        wanted = {hit.id: [pair for pair in self._around(hit.id) if pair[0] not in shown][:most] for hit in hits}
        insights = view.get(sorted({other for pairs in wanted.values() for other, _ in pairs}))
        return [
            hit._replace(
                attached=tuple(Attached(insights[other], said) for other, said in wanted[hit.id] if other in insights)
            )
            for hit in hits
        ]

    def _around(self, key: str) -> list[tuple[str, str]]:
        """Return what is linked with ``key`` and how it is to it, the why-chain first, then what it supersedes."""
        bonds = sorted(
            self.bonds.of(key),
            key=lambda bond: (
                ORDER.index(bond.relation) if bond.relation in ORDER else len(ORDER),
                bond.forward,
                bond.other,
            ),
        )
        pairs = [(bond.other, bond.relation if bond.forward else f"{bond.relation} (from there)") for bond in bonds]
        first: dict[str, str] = {}
        for other, said in [*pairs, *((old, REPLACES) for old in self.bonds.older(key))]:
            first.setdefault(other, said)
        return list(first.items())
