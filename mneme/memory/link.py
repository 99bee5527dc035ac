"""Linking two cells: a line in the text, and the edges that it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mneme.bridge import mapping
from mneme.bridge.bound import BoundStore
from mneme.errors import UsageError
from mneme.format.edits import add_link, set_weight
from mneme.format.encoded import encode
from mneme.format.model import Link, Placed
from mneme.graph.model import EDGE_TYPES, Edge
from mneme.memory.draft import Draft, Target, change
from mneme.memory.new_cell import line_of
from mneme.memory.supersede import mark_superseded
from mneme.memory.through import active, bring_up_to_date, enlist, layers_of
from mneme.text.visible import quote, visible

if TYPE_CHECKING:
    from mneme.graph.store import Reader, Store
    from mneme.memory.recalling import Moment

ADDED, UPDATED, UNCHANGED = "added", "updated", "unchanged"

_CAUSES = ("causes", "enables", "prevents", "blocks")
"""Relations that a causal link may have, from the cause; another sub-type is an attribute."""

_RESERVED = ("weight", "edge")


@dataclass(frozen=True, slots=True)
class Linked:
    """What became of a link. ``weight`` and ``metadata`` are those of the edge; ``rows`` is how many rows there are.

    ``path`` and ``line`` are where the cell stands that holds the link.
    """

    source: str
    target: str
    type: str
    weight: float
    metadata: Mapping[str, str]
    action: str
    path: str
    line: int
    rows: int = 0
    notes: tuple[str, ...] = ()


def link(
    bound: BoundStore, source: str, target: str, moment: Moment, *, edge_type: str = "semantic",
    weight: float | None = None, meta: Mapping[str, str] | None = None,
) -> Linked:  # fmt: skip
    """Link ``source`` with ``target``; a pair that is linked so already gets another weight, if one is given.

    Without ``weight`` a new link weighs 0.5. ``meta`` becomes attributes of the link; for a causal one ``sub_type``
    decides on the relation. Superseding writes both links and marks the old cell.

    Raises:
        UsageError: there is no such active cell, no such type, a weight outside of 0 to 1, a link that must not be.
        NotCompiled: the link is written, the store could not be.
        MnemeError: a file cannot be read or written; then nothing was.
    """
    said = {key: value for key, value in (meta or {}).items() if key != "created_by"}
    _check(source, target, edge_type, weight, said)
    layers = layers_of(bound)
    new = _link(target, edge_type, weight, said)

    def plan(draft: Draft) -> tuple[Linked, bool]:
        enlist(draft, layers)
        here, holder = active(draft, layers, source, "source insight")
        there, other = active(draft, layers, target, "target insight")
        if other.personal and not holder.personal:
            raise UsageError(
                f"{visible(target)} is personal: a shared cell must not link to it",
                f"a personal cell may link to a shared one: mneme link {visible(target)} {visible(source)}",
            )
        done, place, where = _write(draft, (here, holder), (there, other), new, weight, bare=not said)
        after = draft.place_after(where, place.cell.id)
        return replace(done, path=where.document.name, line=line_of(after)), holder.personal

    done, personal = change(bound.workspace, plan)
    store = layers.of(personal=personal)
    edges = _edges(source, new)
    detail = f"{source[:8]}→{target[:8]} type={edge_type} weight={done.weight:.2f}"

    def look(reader: Reader) -> Linked:
        keys = {edge[:3] for edge in edges}
        rows = [row for row in reader.edges_at([source], [edge_type]) if row[:3] in keys]
        first = next((row for row in rows if row.source == edges[0].source), None)
        if first is None:
            note = f"no edge: {visible(target)} is in another store than {visible(source)}"
            return replace(done, notes=(note,))
        return replace(done, weight=first.weight, metadata=dict(first.metadata), rows=len(rows))

    def settle(writable: Store) -> None:
        """What was said just now counts before what another program wrote."""
        mine = {edge[:3]: edge._replace(weight=done.weight, metadata=done.metadata) for edge in edges}
        own = {row[:3] for row in writable.own_edges([source])}
        theirs = [row[:3] for row in writable.edges_at([source], [edge_type]) if row[:3] in mine and row[:3] not in own]
        writable.delete_edges(theirs, foreign=True)
        writable.put_edges(mine[key] for key in theirs)

    where = f"{source} is linked with {target} in {done.path}:{done.line}"
    operations = [("link", source, detail)] if done.action != UNCHANGED else []
    found, notes = bring_up_to_date(store, moment, where, look, operations, settle)
    return replace(found, notes=(*found.notes, *notes))


def _check(source: str, target: str, edge_type: str, weight: float | None, meta: Mapping[str, str]) -> None:
    if edge_type not in EDGE_TYPES:
        raise UsageError(f"there is no edge type {edge_type!r}", f"one of: {', '.join(EDGE_TYPES)}")
    if weight is not None and not 0 <= weight <= 1:
        raise UsageError(f"the weight is {weight:.2f}", "it lies between 0.0 and 1.0")
    if source == target:
        raise UsageError(f"{visible(source)} cannot be linked with itself")
    for key, value in meta.items():
        if key in _RESERVED:
            raise UsageError(f"{key} is no metadata: it says how the link counts", "use --weight and --type")
        if not key or not value:
            raise UsageError(f"the metadata {quote(key)} is empty", "give it a value, or leave it out")


def _link(target: str, edge_type: str, weight: float | None, meta: Mapping[str, str]) -> Link:
    """Return the link that a type and metadata are."""
    said = dict(meta)
    attributes = [("weight", _number(weight))] if weight is not None else []
    match edge_type:
        case "supersedes":
            relation = "supersedes"
        case "causal":
            relation = "causes"
            if said.get("sub_type", relation) in _CAUSES:
                relation = said.pop("sub_type", relation)
        case _:
            relation = "relates"
            attributes += [("edge", edge_type)] if edge_type != "semantic" else []
    attributes += [(encode(key), encode(value)) for key, value in sorted(said.items())]
    return Link(relation, target, tuple(attributes))


def _number(weight: float) -> str:
    short = f"{weight:.2f}"
    return short if float(short) == weight else repr(weight)


def _edges(owner: str, link: Link) -> list[Edge]:
    """Return the edges that a link stands for."""
    return list(mapping.edges_of(owner, link))


def _write(
    draft: Draft, here: tuple[Placed, Target], there: tuple[Placed, Target], new: Link, weight: float | None, *,
    bare: bool,
) -> tuple[Linked, Placed, Target]:  # fmt: skip
    """Put the link into the draft: a new line, or another weight where it stands. ``bare``: nothing else was said."""
    source, target = here[0].cell.id, there[0].cell.id
    wanted = _edges(source, new)
    kind = wanted[0].type
    known = _known(here, there, wanted)
    unmarked = kind == "supersedes" and there[0].cell.status.state != "superseded"
    if not known or unmarked:
        place, where = here
        if kind == "supersedes":
            mark_superseded(draft, target, source, new.attributes)
        else:
            draft.edit(where, add_link(place, new))
        return _linked(wanted[0], source, target, ADDED), place, where
    link, place, where = known[-1]  # the one that counts
    owner = place.cell.id
    edge = _edges(owner, link)[0]
    if bare or edge.metadata == wanted[0].metadata:
        counts = edge.weight if weight is None else weight
        action = UNCHANGED if counts == edge.weight else UPDATED
        if action == UPDATED:
            draft.edit(where, set_weight(place, link, _number(counts)))
            mirrors = [back for back in there[0].cell.links if back[:2] == ("superseded-by", source)]
            if kind == "supersedes" and mirrors:
                draft.edit(there[1], set_weight(there[0], mirrors[-1], _number(counts)))
        return _linked(edge._replace(weight=counts), source, target, action), place, where
    if kind not in mapping.MUTUAL_TYPES:
        place, where = here
    draft.edit(where, add_link(place, new._replace(target=target if place is here[0] else source)))
    return _linked(wanted[0], source, target, UPDATED), place, where


def _linked(edge: Edge, source: str, target: str, action: str) -> Linked:
    return Linked(source, target, edge.type, edge.weight, dict(edge.metadata), action, "", 0)


def _known(
    here: tuple[Placed, Target], there: tuple[Placed, Target], wanted: list[Edge]
) -> list[tuple[Link, Placed, Target]]:
    """Return the links of the two cells that stand for the same edges, the one that counts last.

    Of supersession only the new cell's own link is meant: the other is its mirror.
    """
    keys = {edge[:3] for edge in wanted}
    ends = sorted((here, there), key=lambda end: (mapping.created_at(end[0].cell), end[0].document.name, end[0].start))
    return [
        (link, place, target)
        for place, target in ends
        for link in place.cell.links
        if link.relation != "superseded-by" and {edge[:3] for edge in _edges(place.cell.id, link)} == keys
    ]
