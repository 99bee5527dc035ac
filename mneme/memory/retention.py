"""What insights are worth today, what nobody will miss, and what is kept all the same (engine's facts, 8.6 and 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from mneme.bridge.bound import BoundStore
from mneme.bridge.reading import Standing, reading
from mneme.errors import MnemeError, UsageError
from mneme.format.model import CellState
from mneme.format.trust import VERIFY, Trust, trust
from mneme.graph.importance import effective_importance, immune
from mneme.graph.model import Insight
from mneme.graph.usage import Usage, counted, record

if TYPE_CHECKING:
    from mneme.graph.store import CellRow, Reader

KEPT_ACCESSES = 3
"""So many accesses ``gc --keep`` counts: from then on an insight is immune."""

_PATIENCE = 2.0  # seconds to wait for a store in which nothing has to be written


class Worth(NamedTuple):
    """An active insight and what it is worth. ``insight.access_count`` counts uses beside the store, too.

    ``days`` are since it was last asked for, else made; ``edges`` are rows that touch it. ``cell`` is None for what
    another program wrote; ``trust`` is of the cell.
    """

    insight: Insight
    effective: float
    days: float
    edges: int
    immune: bool
    cell: CellRow | None
    trust: Trust


class Survey(NamedTuple):
    """All active insights, the least worth first, and how the store stood to its text."""

    worths: tuple[Worth, ...]
    standing: Standing

    def candidates(self, threshold: float) -> list[Worth]:
        """Return those below ``threshold`` that are not immune."""
        return [one for one in self.worths if not one.immune and one.effective < threshold]


def survey(bound: BoundStore, *, today: date, now: datetime) -> Survey:
    """Return what every active insight is worth, as the text has it.

    Raises:
        StoreError: the store cannot be read.
    """
    used = usage_of(bound)

    def work(reader: Reader) -> tuple[Worth, ...]:
        cells = {row.id: row for row in reader.cells()}
        edges = reader.edge_counts()
        found = [
            _worth(bound, one, used.get(one.id), edges.get(one.id, 0), cells.get(one.id), today, now)
            for one in reader.insights(deleted=False).values()
        ]
        return tuple(sorted(found, key=lambda worth: (worth.effective, worth.insight.created_at, worth.insight.id)))

    worths, standing = reading(bound, work, today=today, now=now)
    return Survey(worths, standing)


def usage_of(bound: BoundStore, ids: Iterable[str] | None = None) -> Mapping[str, Usage]:
    """Return how often insights of a store were used, as is noted beside it; nothing for one named by its file."""
    return counted(bound.usage, bound.name, ids) if bound.usage is not None and bound.name else {}


def with_usage(one: Insight, used: Usage | None) -> Insight:
    """Return an insight with the uses that are noted beside the store."""
    if used is None:
        return one
    last = max(one.last_accessed_at, used.last)
    return one._replace(access_count=one.access_count + used.accesses, last_accessed_at=last)


def _worth(
    bound: BoundStore, one: Insight, used: Usage | None, edges: int, row: CellRow | None, today: date, now: datetime
) -> Worth:  # fmt: skip
    from mneme.graph.store.writer import days_since

    one = with_usage(one, used)
    days = days_since(one.last_accessed_at or one.created_at, now)
    worth = effective_importance(one.importance, one.access_count, days, edges)
    if row is None:
        judged = Trust(VERIFY, "not from this project's text")
    else:
        judged = trust(CellState(row.state, row.conf, row.seen), today, bound.workspace.config.decay_for(row.id))
    return Worth(one, worth, days, edges, immune(one.importance, one.access_count), row, judged)


def note_down(bound: BoundStore, found: Survey, *, threshold: float, now: datetime) -> bool:
    """Store what insights are worth, and log it: best effort, and never in another program's store.

    Returns whether that was done.
    """
    from mneme.graph.store import Operation, StoreError, open_store, read

    moment = _moment(now)
    detail = f"threshold={threshold:.2f} found={len(found.candidates(threshold))} total={len(found.worths)}"
    try:
        if not read(bound.path, lambda reader: bound.has_text(reader) and not bound.belongs_elsewhere(reader)):
            return False
        with open_store(bound.path, create=False, patience=_PATIENCE, now=moment) as store, store.transaction():
            store.set_effective({one.insight.id: one.effective for one in found.worths})
            store.log([Operation("gc", "", detail, moment)])
    except StoreError:
        return False
    return True


class Retained(NamedTuple):
    """An insight that is kept: with its accesses now, and what it is worth now."""

    insight: Insight
    effective: float
    immune: bool
    standing: Standing


def keep(bound: BoundStore, insight_id: str, *, today: date, now: datetime) -> Retained:
    """Count three more accesses of an insight, which makes it immune.

    What a cell is counts beside the store; in another program's store, or one named by its file, the row says it.

    Raises:
        UsageError: there is no active insight of that ID.
        MnemeError: the count, or the store, cannot be read or written.
    """
    from mneme.graph.store import Operation, StoreError, open_store

    before = survey(bound, today=today, now=now)
    found = next((one for one in before.worths if one.insight.id == insight_id), None)
    if found is None:
        raise UsageError(f"insight {insight_id} not found, or deleted", "mneme gc --propose lists what there is")
    moment = _moment(now)
    beside = found.cell is not None and bound.usage is not None and bool(bound.name)
    if (
        beside
        and bound.usage is not None
        and not record(bound.usage, bound.name, [insight_id], moment, by=KEPT_ACCESSES)
    ):
        raise MnemeError(f"{bound.usage}: cannot be written, so nothing was counted", "check the folder's rights")
    try:
        with open_store(bound.path, create=False, now=moment) as store, store.transaction():
            if not beside:
                store.add_access([insight_id], KEPT_ACCESSES, moment)
                if found.cell is None:
                    row = store.insights([insight_id])[insight_id]
                    store.put_insights([row._replace(updated_at=moment)])
            store.log([Operation("gc_keep", insight_id, found.insight.content, moment)])
            after = _after(found, moment)
            store.set_effective({insight_id: after.effective})
    except StoreError:
        if not beside:
            raise
        after = _after(found, moment)  # it is counted; that the store does not know yet changes no answer
    return after._replace(standing=before.standing)


def _after(found: Worth, moment: str) -> Retained:
    count = found.insight.access_count + KEPT_ACCESSES
    one = found.insight._replace(access_count=count, last_accessed_at=moment, updated_at=moment)
    value = effective_importance(one.importance, count, 0.0, found.edges)
    return Retained(one, value, immune(one.importance, count), Standing())


class Proposal(NamedTuple):
    """What a person might do with a cell: ``stale``, ``retire`` or ``keep``; why; and the command that does it."""

    worth: Worth
    action: str
    reason: str
    command: str


def propose(found: Survey, threshold: float) -> list[Proposal]:
    """Return a review plan: every live and stale cell that is not in the archive, the least worth first."""
    return [
        _proposal(one, threshold)
        for one in found.worths
        if one.cell is not None and one.cell.state in ("live", "stale") and not one.cell.path.startswith("archive/")
    ]


def _proposal(one: Worth, threshold: float) -> Proposal:
    cell = one.cell
    assert cell is not None
    below = one.effective < threshold and not one.immune
    why = one.trust.reason
    if below and cell.state == "stale":
        return Proposal(one, "retire", f"worth {one.effective:.2f}, {why}", f"mneme retire {cell.id}")
    if below and one.trust.word == VERIFY:
        return Proposal(one, "stale", f"worth {one.effective:.2f}, {why}", f"mneme set {cell.id} --state stale")
    if one.trust.word == VERIFY:
        return Proposal(one, "keep", f"{why}: confirm it if it still holds", f"mneme seen {cell.id}")
    return Proposal(one, "keep", "immune" if one.immune else "confirmed lately", f"mneme gc --keep {cell.id}")


def proposal_lines(plan: Sequence[Proposal]) -> list[str]:
    """Return the plan for people: a line on the cell, and the command below it."""
    from mneme.text.visible import visible

    lines = []
    for one in plan:
        cell = one.worth.cell
        assert cell is not None
        lines.append(
            f"{one.worth.effective:6.2f}  {visible(cell.id)} ({visible(cell.state)}) {visible(cell.gist)}"
            f"  [{visible(cell.topic)}]"
        )
        lines.append(f"        {one.action}: {visible(one.reason)}: {visible(one.command)}")
    return lines


def _moment(now: datetime) -> str:
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")
