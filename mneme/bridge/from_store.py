"""A store turned into memory text: our own cells byte for byte, insights of other programs as new cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from mneme.bridge.mapping import digest
from mneme.bridge.to_cells import prefix_of, to_cell
from mneme.bridge.to_links import Node, is_automatic, plan_links
from mneme.config import Config
from mneme.format.ids import is_id
from mneme.format.parser import parse
from mneme.format.render import render
from mneme.graph.model import Edge, Insight

if TYPE_CHECKING:
    from mneme.format.model import Cell
    from mneme.graph.store import CellRow, Reader

ORIGIN_KEY = "id"
"""The key on an origin line under which a converted cell says which insight it was."""


class Kept(NamedTuple):
    """What a store holds: cells of ours as they stood, by path and place; other insights, and what links them."""

    rows: tuple[CellRow, ...]
    insights: tuple[Insight, ...]
    edges: tuple[Edge, ...]
    fallen: tuple[str, ...] = ()
    """IDs of rows whose text is not that cell any more: they are among the insights."""

    @property
    def personal(self) -> bool:
        """Whether it holds cells of personal files."""
        return any(row.path.endswith((".local.mneme", ".mneme/user.mneme")) for row in self.rows)


def kept_in(reader: Reader) -> Kept:
    """Return what ``reader``'s store holds."""
    rows = reader.cells()
    whole = tuple(row for row in rows if _is_whole(row))
    fallen = sorted({row.id for row in rows} - {row.id for row in whole})
    insights = reader.insights([*reader.foreign(), *fallen])
    ordered = sorted(insights.values(), key=lambda one: one.created_at)  # of equals, the one written first
    return Kept(whole, tuple(ordered), tuple(reader.foreign_edges()), tuple(fallen))


def _is_whole(row: CellRow) -> bool:
    """Whether the text of a row is the one cell that the row is about."""
    document = parse(row.text)
    return (
        len(document.cells) == 1
        and not document.strays
        and document.starts == (0,)
        and document.cells[0].id == row.id
        and digest(document.cells[0]) == row.digest
        and "\0" not in row.text
    )


class Converted(NamedTuple):
    """Memory text, which cell each insight became, and what there is to say about it.

    ``known`` maps insights that were converted before to the cells that they are.
    """

    text: str
    ids: Mapping[str, str]
    cells: int
    known: Mapping[str, str]
    remarks: tuple[str, ...]


def convert(
    kept: Kept, config: Config, *, today: date, new_id: Callable[[str, Collection[str]], str],
    known: Mapping[str, str], skip: Collection[str] = (),
) -> Converted:  # fmt: skip
    """Return the text of what a store holds.

    Args:
        kept: what it holds.
        config: says which prefix a category has.
        today: for insights whose time is none.
        new_id: gives a free ID of a prefix; none of the collection.
        known: insights that are cells already, with their IDs: not converted again, but linked to.
        skip: cells of ours that are there already.
    """
    used = {row.id for row in kept.rows}
    fresh = [one for one in kept.insights if one.id not in known]
    ids: dict[str, str] = {}
    for one in fresh:
        free = is_id(one.id) and one.id not in used
        ids[one.id] = one.id if free else new_id(prefix_of(one, config), used)
        used.add(ids[one.id])
    own = {row.id for row in kept.rows}
    edges = [
        edge
        for edge in kept.edges
        if not is_automatic(edge) and (edge.source in ids or edge.target in ids or own.issuperset(edge[:2]))
    ]
    plan = plan_links(edges, _nodes(kept, fresh, ids, known), paired=True)
    remarks = list(plan.remarks)
    texts = [row.text for row in kept.rows if row.id not in skip]
    for one in fresh:
        state = "superseded" if one.id in plan.superseded else "live"
        origin = () if ids[one.id] == one.id else ((ORIGIN_KEY, one.id),)
        cell = to_cell(
            one, ids[one.id], config, today=today, origin=origin, links=plan.links.get(one.id, ()), state=state
        )
        texts.append(render(cell))
    remarks += [
        f"{name}: the text in the store is not this cell any more: made from its insight" for name in kept.fallen
    ]
    remarks += [
        f"{row.id}: another program changed it in the store; the cell's text counts" for row in kept.rows if row.touched
    ]
    return Converted(joined(texts), ids, len(texts), dict(known), tuple(remarks))


def _nodes(
    kept: Kept, fresh: Iterable[Insight], ids: Mapping[str, str], known: Mapping[str, str]
) -> dict[str, Node]:  # fmt: skip
    nodes = {row.id: Node(row.id, row.since, fixed=True) for row in kept.rows if row.state != "retired"}
    nodes |= {key: Node(cell_id, "", fixed=True) for key, cell_id in known.items()}
    nodes |= {one.id: Node(ids[one.id], one.created_at) for one in fresh if not one.deleted_at}
    return nodes


def joined(texts: Iterable[str]) -> str:
    """Return texts of cells as one, each with its last line ended, and a blank line between two."""
    parts: list[str] = []
    for text in texts:
        newline = "\r\n" if text.endswith(("\r\n", "\r")) else "\n"
        parts += (text if text.endswith("\n") else text + newline, newline)
    return "".join(parts[:-1])


def insight_of(cell: Cell) -> str:
    """Return the ID of the insight that a cell was converted from; empty for others."""
    from mneme.format.encoded import origin_values

    said = origin_values(cell.origin, ORIGIN_KEY)
    return said[0] if said else ""
