"""Insights that contradict each other stand together, the one that holds first.

Two live insights that supersede the same one are a fork; cells may also be marked as contradicting each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from mneme.recall.neighbours import Neighbours
from mneme.recall.result import CellFacts, Hit

CONFIDENCES = ("low", "med", "high")
UNKNOWN = CellFacts()


def rivals(
    ids: Iterable[str],
    neighbours: Neighbours,
    facts: Mapping[str, CellFacts],
    superseded: Callable[[Collection[str]], set[str]],
) -> dict[str, list[str]]:
    """Return for each of ``ids`` that is contradicted the other sides, all live and not superseded, in order of ID."""
    asked = sorted(set(ids))
    neighbours.fetch(asked)
    old = {key: _ends(neighbours, key, forward=True) for key in asked}
    neighbours.fetch(one for group in old.values() for one in group)
    marked: dict[str, set[str]] = {key: set(facts.get(key, UNKNOWN).rivals) for key in asked}
    for key, olds in old.items():
        for one in olds:
            marked[key] |= _ends(neighbours, one, forward=False)
        marked[key].discard(key)
    involved = {key for pair in marked.items() if pair[1] for key in (pair[0], *pair[1])}
    gone = superseded(sorted(involved)) if involved else set()
    standing = {key for key in involved - gone if facts.get(key, UNKNOWN).state == "live"}
    pairs = {key: sorted(others & standing) for key, others in marked.items() if key in standing}
    return {key: others for key, others in pairs.items() if others}


def together(hits: Sequence[Hit], facts: Mapping[str, CellFacts], limit: int) -> list[Hit]:
    """Return at most ``limit`` hits, rivals side by side at the place of the best of them, the winner first.

    Sides that the limit would part displace weaker hits; when they are more than the limit, the winner stays.
    """
    by_id = {hit.id: hit for hit in hits}
    blocks: list[list[Hit]] = []
    room = limit
    taken: set[str] = set()
    for hit in hits:
        if hit.id in taken or room <= 0:
            continue
        keys = sorted(_group(hit.id, by_id), key=lambda key: _strength(by_id[key], facts), reverse=True)
        taken.update(keys)
        for number in reversed(range(len(blocks))):
            if len(keys) <= room:
                break
            if len(blocks[number]) == 1:
                del blocks[number]
                room += 1
        blocks.append([by_id[key] for key in keys[:room]])
        room -= len(blocks[-1])
    return [hit for block in blocks for hit in block]


def _ends(neighbours: Neighbours, key: str, *, forward: bool) -> set[str]:
    rows = [edge for edge in neighbours.of(key) if edge.type == "supersedes"]
    return (
        {edge.target for edge in rows if edge.source == key}
        if forward
        else {edge.source for edge in rows if edge.target == key}
    )


def _group(start: str, by_id: Mapping[str, Hit]) -> list[str]:
    group = [start]
    for key in group:
        group += [other for other in by_id[key].rivals if other in by_id and other not in group]
    return sorted(group)


def _strength(hit: Hit, facts: Mapping[str, CellFacts]) -> tuple[int, str, float]:
    fact = facts.get(hit.id, UNKNOWN)
    conf = fact.conf or "med"
    return (CONFIDENCES.index(conf) + 1 if conf in CONFIDENCES else 0), fact.seen, hit.score
