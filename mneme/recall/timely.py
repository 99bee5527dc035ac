"""Order by intent: for WHY causes before their effects, for WHEN the earlier first among hits about as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mneme.graph.fulltext import Row
from mneme.recall.bonds import Bonds
from mneme.recall.result import Hit

ABOUT_AS_GOOD = 0.95
"""For WHEN: hits that score at least so much of the best of them."""

CAUSE_FIRST = ("causes", "enables", "prevents", "blocks")


def in_order(hits: Sequence[Hit], rows: Mapping[str, Row], bonds: Bonds) -> list[Hit]:
    """Return ``hits`` in the order that their intent asks for; what is superseded stays below its successor."""
    intents = {hit.intent for hit in hits}
    if intents == {"WHY"}:
        return _causes_first(list(hits), bonds)
    if intents == {"WHEN"}:
        return _earlier_first(list(hits), rows, bonds)
    return list(hits)


def _causes_first(hits: list[Hit], bonds: Bonds) -> list[Hit]:
    """Move each cause that is in the answer right before its effect, whatever it scores: it is what was asked for."""
    place = {hit.id: number for number, hit in enumerate(hits)}
    for hit in sorted(hits, key=lambda hit: place[hit.id]):
        for cause in _causes(hit.id, bonds):
            at = next((number for number, one in enumerate(hits) if one.id == cause), -1)
            effect = next(number for number, one in enumerate(hits) if one.id == hit.id)
            if at > effect and not hits[at].superseded:
                hits.insert(effect, hits.pop(at))
    return hits


def _causes(key: str, bonds: Bonds) -> list[str]:
    return [
        bond.other
        for bond in bonds.of(key)
        if (bond.relation in CAUSE_FIRST and not bond.forward) or (bond.relation == "depends-on" and bond.forward)
    ]


def _earlier_first(hits: list[Hit], rows: Mapping[str, Row], bonds: Bonds) -> list[Hit]:
    groups: list[list[Hit]] = []
    for hit in hits:
        if groups and hit.score >= ABOUT_AS_GOOD * groups[-1][0].score:
            groups[-1].append(hit)
        else:
            groups.append([hit])
    ordered: list[Hit] = []
    for group in groups:
        replaced = {hit.id for hit in group if bonds.newer(hit.id)}
        group.sort(key=lambda hit: (hit.id in replaced, rows[hit.id].since if hit.id in rows else ""))
        ordered += group
    return ordered
