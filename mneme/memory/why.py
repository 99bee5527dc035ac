"""Why a cell says what it says: the cells it replaced, back to the first, and what it rests on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from mneme.format.model import Placed
from mneme.memory.links import LinkIndex
from mneme.memory.show import View
from mneme.text.visible import visible

RESTS_ON = frozenset({"depends-on"})
"""Relations from a cell to what it rests on."""

BROUGHT_ABOUT = frozenset({"causes", "enables"})
"""Relations from what brought a cell about to the cell."""


class Why(NamedTuple):
    """The chain, newest first: the cell itself, what it replaced, and so on to the root; then what it rests on.

    ``missing`` are the IDs that links name and no cell has.
    """

    chain: list[Placed]
    reasons: list[Placed]
    missing: list[str]


def predecessors(links: LinkIndex, cell_id: str) -> list[str]:
    """Return the IDs that ``cell_id`` directly supersedes, whichever end says so."""
    stated = [
        link.target
        for place in links.by_id.get(cell_id, ())
        for link in place.cell.links
        if link.relation == "supersedes"
    ]
    claimed = [back.source.cell.id for back in links.incoming(cell_id) if back.link.relation == "superseded-by"]
    return list(dict.fromkeys([*stated, *claimed]))


def why(start: Placed, links: LinkIndex) -> Why:
    """Return the supersession chain of ``start`` to its root, each cell once, and one level of reasons."""
    chain: dict[str, None] = {}
    missing: dict[str, None] = {}
    waiting = deque([start.cell.id])
    while waiting:
        here = waiting.popleft()
        if here in chain:
            continue
        if here not in links.by_id:
            missing[here] = None
            continue
        chain[here] = None
        waiting += predecessors(links, here)
    named = [link.target for link in start.cell.links if link.relation in RESTS_ON]
    named += [back.source.cell.id for back in links.incoming(start.cell.id) if back.link.relation in BROUGHT_ABOUT]
    missing.update(dict.fromkeys(name for name in named if name not in links.by_id))
    return Why(
        [place for cell_id in chain for place in links.by_id[cell_id]],
        [place for name in dict.fromkeys(named) if name not in chain for place in links.by_id.get(name, ())],
        list(missing),
    )


def text(found: Why, view: Callable[[Placed], View]) -> str:
    """Return the answer as Mneme text: cells whole, and comment lines that say how they hang together."""
    parts = [view(place).text() for place in found.chain]
    if len(parts) > 1:
        steps = " <- ".join(visible(place.cell.id) for place in found.chain)
        parts.insert(0, f"# {steps}: newest first, each replaced the next\n")
    if found.reasons:
        parts.append("# it rests on\n")
        parts += [view(place).text() for place in found.reasons]
    parts += [f"# {visible(cell_id)}: no such cell here; mneme history may know it\n" for cell_id in found.missing]
    return "\n".join(parts)
