"""Cells compiled into the store: what changed is found, and only that and what it touches is written.

Whatever was compiled before, the rows that cells make are afterwards what one compile of everything would have made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mneme.bridge import mapping
from mneme.bridge.arrivals import AnyMember, Arrivals, Kept
from mneme.bridge.order import affected, moved
from mneme.bridge.structure import suspicious
from mneme.config import Config
from mneme.format.edits import is_blank
from mneme.format.model import Cell
from mneme.format.parser import parse
from mneme.format.vocabulary import IMPORTANCES
from mneme.graph.entities import fold
from mneme.graph.model import Edge, Insight
from mneme.graph.store.rows import CellRow, Stood, Words
from mneme.graph.tokens import words

if TYPE_CHECKING:
    from mneme.bridge.text import Text
    from mneme.graph.store import Reader, Store

Progress = Callable[[int, int], None]
"""Told how many of how many cells are done."""

_MOST_PIECEMEAL = 0.2
"""When more than this part of the cells changed, everything is worked out anew: that is faster then."""

_FEW = 200

_BATCH = 500
"""Cells written at a time."""

_MAPPING = "mapping"
"""The key of what the mapping depended on when the store was compiled."""


class ContentMove(NamedTuple):
    """A cell whose content is not what was compiled: its ID, and the texts before and after."""

    id: str
    path: str
    before: str
    after: str


class Delta(NamedTuple):
    """What the text holds against the store: IDs of cells that came, that went, whose text changed, that lie elsewhere.

    ``moves`` are changes of content; ``foreign`` are rows of cells that another program changed.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    placed: tuple[str, ...]
    moves: tuple[ContentMove, ...]
    foreign: tuple[str, ...] = ()
    everything: bool = False
    stood: Mapping[str, Stood] = {}
    """The cells as they were compiled."""

    @property
    def behind(self) -> int:
        """How many cells the store is behind."""
        return len(self.added) + len(self.removed) + len(self.changed)

    def __bool__(self) -> bool:
        return bool(self.behind or self.placed or self.foreign or self.everything)


def against(store: Reader, text: Text) -> tuple[list[AnyMember], list[Stood]]:
    """Return the cells of ``text``, of which files that are as they were compiled are not parsed; and what stood."""
    same = _same(store, text)
    stood = store.stood()
    return [*text.members_but(same), *(Kept(row) for row in stood if row.path in same)], stood


def sound(store: Reader, text: Text) -> bool:
    """Whether it is plain that ``text`` can be compiled: files that are as they were compiled need no second look."""
    same = _same(store, text)
    others = [id_ for id_, path in store.paths() if path in same]
    return not text.unreadable and not suspicious(text.documents_but(same), others)


def _same(store: Reader, text: Text) -> set[str]:
    files = store.files()
    return {name for name, digest in text.digests.items() if files.get(name) == digest}


def compare(store: Reader, members: Sequence[AnyMember], config: Config, known: Sequence[Stood] | None = None) -> Delta:
    """Return what has to be done so that ``store`` holds ``members``; ``known`` are its rows, if they are at hand."""
    stood = {row.id: row for row in (store.stood() if known is None else known)}
    left = dict(stood)
    added: list[str] = []
    changed: list[str] = []
    placed: list[str] = []
    moves: list[ContentMove] = []
    foreign: list[str] = []
    for member in members:
        row = left.pop(member.id, None)
        if row is None:
            added.append(member.id)
            continue
        text = row.text if isinstance(member, Kept) else kept_text(member.cell)
        if row.text != text:
            changed.append(member.id)
            if row.digest != mapping.digest(member.cell):
                moves.append(ContentMove(member.id, member.path, row.text, text))
        elif row.touched:
            foreign.append(member.id)
        if (row.path, row.place) != (member.path, member.place):
            placed.append(member.id)
    everything = store.meta(_MAPPING) != mapping.fingerprint(config)
    return Delta(
        tuple(added), tuple(left), tuple(changed), tuple(placed), tuple(moves), tuple(foreign), everything, stood
    )  # fmt: skip


def apply(
    store: Store,
    members: Sequence[AnyMember],
    delta: Delta,
    config: Config,
    *,
    now: datetime,
    files: Mapping[str, str],
    progress: Progress | None = None,
) -> None:
    """Bring ``store`` to hold ``members``, in the transaction that the caller holds. ``files``: path to digest."""
    work = _Work(store, members, config, now, progress)
    if delta.everything or len(delta.added) + len(delta.changed) > max(_FEW, _MOST_PIECEMEAL * len(members)):
        work.everything(delta)
    elif delta:
        work.piecemeal(delta)
    store.replace_files(files)
    store.set_meta(_MAPPING, mapping.fingerprint(config))


class _Work:
    """One compile."""

    def __init__(
        self, store: Store, members: Sequence[AnyMember], config: Config, now: datetime, progress: Progress | None
    ) -> None:
        self.store = store
        self.members = {member.id: member for member in members}
        self.config = config
        self.now = now
        self.progress = progress or _quiet
        self.arrivals = Arrivals(members, config, store.linking_to)

    # --- all of it --------------------------------------------------------------------------------------

    def everything(self, delta: Delta) -> None:
        """Write every cell, and draw every edge."""
        store, arrivals = self.store, self.arrivals
        store.remove(delta.removed)
        total = 2 * len(self.members)
        self._write(list(self.members), of=total)
        ranks: dict[str, list[int]] = {}
        for index, cell_id in enumerate(arrivals.order):
            for name in {fold(name) for name in arrivals.arrival(cell_id).insight.entities}:
                ranks.setdefault(name, []).append(index)

        def ranks_of(name: str) -> Sequence[int]:
            return ranks.get(name, ())

        links = arrivals.links()
        edges: dict[tuple[str, str, str], Edge] = {}
        linked: dict[tuple[str, str, str], Edge] = {}
        for index, cell_id in enumerate(arrivals.order):
            for edge in arrivals.earlier(cell_id, ranks_of):
                edges[edge[:3]] = edge
            for edge in links.get(cell_id, ()):
                linked[edge[:3]] = edge
            if not index % _BATCH:
                self.progress(len(self.members) + index, total)
        edges.update(linked)
        store.replace_all_edges(edges.values())
        store.refresh_importance(None, self.now)
        self.progress(total, total)

    # --- what changed -----------------------------------------------------------------------------------

    def piecemeal(self, delta: Delta) -> None:
        """Write the cells that changed, and redraw the edges of those in whose windows something changed."""
        store, arrivals = self.store, self.arrivals
        stored = delta.stood
        old_order = [row.id for row in sorted(filter(_was_active, stored.values()), key=_old_key)]
        redrawn = self._redrawn(delta, stored) | moved(old_order, arrivals.order)
        before = store.insights(redrawn)
        now_have = {cell_id: self._entities(cell_id) for cell_id in redrawn}
        either = {
            cell_id: names | {fold(name) for name in before[cell_id].entities} if cell_id in before else names
            for cell_id, names in now_have.items()
        }

        def holders(name: str) -> set[str]:
            # The store's look-up is brought up to date at the end of the transaction: what changed is counted here.
            kept = set(store.holders_of_entity(name)) - redrawn
            return kept | {cell_id for cell_id, names in now_have.items() if name in names}

        touched = affected(
            redrawn, old_order, arrivals.order, arrivals.source, lambda name: before[name].source, either, holders
        )  # fmt: skip
        store.remove(delta.removed)
        self._write([*delta.added, *delta.changed, *delta.foreign])
        store.place([(cell_id, self.members[cell_id].path, self.members[cell_id].place) for cell_id in delta.placed])
        retired = redrawn - set(arrivals.rank)
        store.delete_edges_at(retired, foreign=True)
        known: dict[str, list[int]] = {}

        def ranks_of(name: str) -> list[int]:
            if name not in known:
                known[name] = sorted(arrivals.rank[cell_id] for cell_id in holders(name) if cell_id in arrivals.rank)
            return known[name]

        wanted = arrivals.edges_between(touched, ranks_of, redrawn)
        there = store.own_edges(touched | redrawn)
        obsolete = [edge[:3] for edge in there if self._concerns(edge, touched, redrawn)]
        store.delete_edges([triple for triple in obsolete if triple not in wanted])
        store.put_edges(wanted.values())
        ends = {end for triple in (*obsolete, *wanted) for end in triple[:2]}
        store.refresh_importance(ends | {*delta.added, *delta.changed, *delta.foreign}, self.now)

    def _redrawn(self, delta: Delta, stored: Mapping[str, Stood]) -> set[str]:
        """Return the cells that came, went, or say what matters to edges in another way."""
        found = {*delta.added, *delta.removed, *delta.foreign}
        for cell_id in delta.changed:
            old, new = _cell(stored[cell_id]), self.members[cell_id].cell
            if _drawn_from(old) != _drawn_from(new):
                found.add(cell_id)
        return found

    def _concerns(self, edge: Edge, touched: Collection[str], redrawn: Collection[str]) -> bool:
        """Whether an edge is one of those drawn anew: of a touched cell to an earlier one, or of one that changed."""
        ranks = self.arrivals.rank
        source, target = edge[:2]
        if source in redrawn or target in redrawn or source not in ranks or target not in ranks:
            return True
        later = source if ranks[source] > ranks[target] else target
        return later in touched

    def _entities(self, cell_id: str) -> set[str]:
        if cell_id not in self.arrivals.rank:
            return set()
        return {fold(name) for name in self.arrivals.arrival(cell_id).insight.entities}

    # --- rows -------------------------------------------------------------------------------------------

    def _write(self, cell_ids: Sequence[str], *, of: int = 0) -> None:
        """Write the rows of cells: insight, cell, words."""
        for start in range(0, len(cell_ids), _BATCH):
            batch = [self.members[cell_id] for cell_id in cell_ids[start : start + _BATCH]]
            insights = [self._insight(member.cell) for member in batch]
            self.store.put_insights(insights)
            self.store.put_cells([_row(member.cell, member.path, member.place) for member in batch])
            self.store.put_words(
                [_words(member.cell, insight) for member, insight in zip(batch, insights, strict=True)]
            )
            self.store.put_entries(
                mapping.to_entry(member.cell, insight) for member, insight in zip(batch, insights, strict=True)
            )
            if of:
                self.progress(start + len(batch), of)

    def _insight(self, cell: Cell) -> Insight:
        if cell.id in self.arrivals.rank:
            return self.arrivals.arrival(cell.id).insight
        return mapping.to_insight(cell, self.config)


def _cell(row: Stood) -> Cell:
    """Return the cell that was compiled."""
    return parse(row.text).cells[0]


def _was_active(row: Stood) -> bool:
    return row.state != mapping.INACTIVE


def _old_key(row: Stood) -> tuple[str, tuple[str, ...], int]:
    """Return what :class:`Arrivals` sorts by, of a cell as it was compiled."""
    return mapping.arrival_time(row.since, row.seen), _folders(row.path), row.place


@lru_cache(maxsize=4096)
def _folders(path: str) -> tuple[str, ...]:
    return tuple(path.split("/"))


def kept_text(cell: Cell) -> str:
    """Return a cell's text as a store keeps it: without the blank lines that part it from the next one."""
    text = cell.text
    end = len(text)
    while (start := text.rfind("\n", 0, end - 1) + 1) and is_blank(text[start:end]):
        end = start
    # No more than blank lines: a form feed or a lone CR at the end of a body is content.
    return text[:end] if text[end - 1] == "\n" else text[:end] + ("\r\n" if text[end - 1] == "\r" else "\n")


def _row(cell: Cell, path: str, place: int) -> CellRow:
    status = cell.status
    importance = int(status.imp) if status.imp in IMPORTANCES else None
    return CellRow(
        cell.id, path, place, mapping.digest(cell), status.state, status.conf, cell.since, status.seen, cell.topic,
        cell.gist, importance, status.hot, kept_text(cell),
    )  # fmt: skip


def _words(cell: Cell, insight: Insight) -> Words:
    def cut(*texts: str) -> str:
        return " ".join(word for text in texts for word in words(text))

    return Words(
        cell.id, cut(cell.gist), cut(*cell.cues), cut(cell.topic), cut(*cell.body), cut(*insight.entities)
    )  # fmt: skip


def _quiet(done: int, of: int) -> None:
    """Tell nobody."""


def _drawn_from(cell: Cell) -> tuple[object, ...]:
    """Return all that the edges of a cell depend on, besides its place."""
    return (
        mapping.is_active(cell), mapping.created_at(cell), mapping.source(cell), mapping.content(cell), cell.cues,
        cell.origin, cell.links,
    )  # fmt: skip
