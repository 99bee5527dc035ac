"""Remembering: a text becomes a cell, the cell is compiled, and what it resembles is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from mneme.bridge import mapping
from mneme.bridge.bound import BoundStore
from mneme.format.parser import parse
from mneme.graph.model import Insight
from mneme.graph.store import NoSuchStore, read
from mneme.graph.view import Scope
from mneme.memory.draft import Draft, Target, change
from mneme.memory.memo import Memo, check, given_of, says, verbatim
from mneme.memory.new_cell import Written, append_new, free_id, line_of, written
from mneme.memory.prune import Limits, prune
from mneme.memory.retention import usage_of
from mneme.memory.through import Layers, bring_up_to_date, enlist, layers_of
from mneme.memory.whither import file_of
from mneme.recall.candidates import Alike, Causal, causal_candidates, semantic_candidates
from mneme.recall.difference import ADD, DUPLICATE, Difference, difference

if TYPE_CHECKING:
    from mneme.format.model import Placed
    from mneme.graph.store import Reader, Store
    from mneme.memory.recalling import Moment
    from mneme.memory.writer import Writer

ADDED, SKIPPED = "added", "skipped"

EDGE_TYPES = ("temporal", "entity", "causal", "semantic")
"""The edges that arriving draws, as a receipt counts them."""

_HELD = frozenset({"proposed", "live", "stale"})
"""A text that a cell in one of these states holds is not written again; one that is over may be remembered anew."""


NEW = Difference(ADD)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a text.

    ``insight`` is what it is in the store. Skipped, it is not there: its ID is free, and ``replaced_id`` is the one
    that holds the text already, which stands at ``path`` and ``line`` (empty and 0 for another program's row).
    ``edges`` counts rows by type.
    """

    action: str
    text: str
    insight: Insight
    path: str
    line: int
    state: str = ""
    personal: bool = False
    replaced_id: str = ""
    difference: Difference = NEW
    edges: Sequence[tuple[str, int]] = ()
    semantic: Sequence[Alike] = ()
    causal: Sequence[Causal] = ()
    notes: tuple[str, ...] = ()
    cell: Written | None = None
    pruned: tuple[str, ...] = ()
    """Insights of other programs that were too many and are deleted; never anything from text."""


def remember(
    bound: BoundStore, memo: Memo, writer: Writer, moment: Moment, *, author: Callable[[], str],
    taken: Collection[str] = (), limits: Limits | None = None,
) -> Remembered:  # fmt: skip
    """Write ``memo`` as a cell of the text that ``bound`` is compiled from, and compile it.

    A text that is there already, byte for byte, is not written again, unless the memo is not to be compared (facts
    3.3); nothing is ever replaced.

    Args:
        bound: the store that is meant.
        memo: what is to be remembered.
        writer: who says so.
        moment: day and time.
        author: gives the person's name, for one file a person.
        taken: IDs in use besides those that the workspace holds.
        limits: how many insights of other programs the store may hold; None: any number.

    Raises:
        UsageError: the memo cannot be written, or the store has no text.
        NotCompiled: the cell is written, the store could not be.
        MnemeError: a file cannot be read or written; then nothing was.
    """
    check(memo)
    layers = layers_of(bound)
    if memo.personal:
        layers.refuse_personal()
    store = layers.of(personal=memo.personal or bound.personal)
    text = verbatim(memo.text)
    row = _held_by_row(store, text) if memo.compare else ""

    def plan(draft: Draft) -> _Plan:
        enlist(draft, layers)
        target = file_of(draft, layers, memo, moment.today, author)
        prefix, given = given_of(memo, text, writer, bound.workspace.config)
        held = _held(draft, layers, text, target) if memo.compare else None
        if row or held is not None:
            fresh = free_id(draft, target, prefix, taken)
            where = ("", 0) if held is None else (held.document.name, line_of(held))
            return _Plan(fresh, held.cell.id if held else row, *where, None)
        cell, notes = append_new(draft, target, prefix, given, moment.today, taken=taken)
        new = written(draft, target, cell.id, notes)
        return _Plan(new.id, "", new.file, new.line, new)

    made = change(bound.workspace, plan)
    if made.cell is None:
        return _skipped(store, memo, text, made, moment)
    return _added(store, memo, text, made, moment, limits)


class _Plan(NamedTuple):
    id: str
    holder: str
    path: str
    line: int
    cell: Written | None


def _held(draft: Draft, layers: Layers, text: str, target: Target) -> Placed | None:
    """Return the cell that holds ``text`` in the layer of ``target`` and is in force or may come into force."""
    for place in draft.links.placed:
        if place.cell.status.state in _HELD and text in says(place.cell):
            holder = draft.target_of(place)
            if holder is target or (holder.personal == target.personal and layers.hold(holder)):
                return place
    return None


def _held_by_row(store: BoundStore, text: str) -> str:
    """Return the ID of another program's active row with this content; empty without one."""

    def look(reader: Reader) -> str:
        rows = reader.insights(reader.foreign(), deleted=False)
        return next((one.id for one in rows.values() if one.content == text), "")

    try:
        return read(store.path, look)
    except NoSuchStore:
        return ""


def _skipped(store: BoundStore, memo: Memo, text: str, made: _Plan, moment: Moment) -> Remembered:
    done = f"{made.holder} says that already, and nothing was written"
    operation = ("diff-skip", made.id, f"duplicate of {made.holder}")
    _, notes = bring_up_to_date(store, moment, done, lambda _: None, [operation])
    insight = Insight(made.id, text, memo.category, memo.importance or 3, memo.tags, memo.entities)
    return Remembered(
        SKIPPED, text, insight, made.path, made.line, replaced_id=made.holder, difference=Difference(DUPLICATE),
        notes=notes, personal=store.personal,
    )  # fmt: skip


def _added(
    store: BoundStore, memo: Memo, text: str, made: _Plan, moment: Moment, limits: Limits | None
) -> Remembered:  # fmt: skip
    cell = made.cell
    assert cell is not None
    parsed = parse(cell.text).cells[0]

    def look(reader: Reader) -> Remembered:
        insight = reader.insights([made.id]).get(made.id)
        base = Remembered(
            ADDED, text, insight or mapping.to_insight(parsed, store.workspace.config), cell.file, cell.line,
            parsed.status.state, cell.personal, cell=cell,
        )  # fmt: skip
        if insight is None:  # its file is not among those that are compiled
            return base
        view = reader.view(Scope(every_state=True))
        counts = Counter(edge.type for edge in reader.edges_at([made.id]))
        return replace(
            base,
            difference=difference(view, text, without=(made.id,)) if memo.compare else NEW,
            edges=tuple((kind, counts[kind]) for kind in EDGE_TYPES),
            semantic=semantic_candidates(view, insight),
            causal=causal_candidates(view, insight),
        )

    done = f"{made.id} is written in {cell.file}:{cell.line}"
    pruned: list[str] = []

    def after(writable: Store) -> None:
        if limits is not None:
            used = usage_of(store)
            pruned[:] = prune(writable, limits, now=moment.now, trigger=made.id, used=used, exclude=(made.id,))

    found, notes = bring_up_to_date(store, moment, done, look, [("remember", made.id, text)], after)
    return replace(found, notes=notes, pruned=tuple(pruned))
