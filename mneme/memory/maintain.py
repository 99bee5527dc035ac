"""Compaction of hot memory: a model judges, and what it says is committed only if it keeps to every rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mneme.bridge.hot.checks import Candidate, InvalidPlan, Source, budget, checked
from mneme.bridge.hot.records import IMPORTANCE, NORMAL, TARGETS, item
from mneme.errors import UsageError
from mneme.format.entry import USER, normalise
from mneme.memory.hot_files import Planned
from mneme.memory.hot_pen import Pen, cells_of
from mneme.memory.hot_request import ADD, COMPACT, REPLACE, CapacityError, Conflict, Pending, digest_of, sources_of
from mneme.memory.runtime import Done, Runtime

Worker = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Gets a request, and returns an answer in the form that the request describes."""


class Maintainer:
    """Changes hot memory, and has ``worker`` make room where that is needed."""

    def __init__(self, runtime: Runtime, worker: Worker) -> None:
        self.runtime = runtime
        self.worker = worker

    def add(self, target: str, content: str, importance: str = NORMAL) -> Done:
        """Do :meth:`Runtime.add`; a full target is compacted in the same step.

        Raises:
            InvalidPlan: the worker's answer breaks a rule; nothing was changed.
            Conflict: hot memory changed while the worker was at it; nothing was changed.
            MnemeError: as :meth:`Runtime.add`.
        """
        return self._supervised(lambda: self.runtime.add(target, content, importance))

    def replace(self, target: str, old_text: str, content: str, importance: str = "") -> Done:
        """Do :meth:`Runtime.replace`; a full target is compacted in the same step.

        Raises:
            MnemeError: as :meth:`add` and :meth:`Runtime.replace`.
        """
        return self._supervised(lambda: self.runtime.replace(target, old_text, content, importance))

    def compact(self, target: str) -> Done:
        """Have a target compacted as it stands.

        Raises:
            MnemeError: as :meth:`add`.
        """
        request = self.runtime.request(target)
        return apply(self.runtime, request, self.worker(request))

    def _supervised(self, verb: Callable[[], Done]) -> Done:
        try:
            return verb()
        except CapacityError as error:
            if error.request is None:
                raise
            return apply(self.runtime, error.request, self.worker(error.request))


def apply(runtime: Runtime, plan: object, answer: object) -> Done:
    """Commit an answer and the pending change in one step, or nothing.

    In USER a compacted entry supersedes its sources; in MEMORY it refines them, and they stay, out of hot memory.

    Raises:
        InvalidPlan: a check failed; it says which, and at which item.
        Conflict: hot memory is no longer what the plan was made from.
    """
    target, pending = _read(plan)
    assert isinstance(plan, Mapping)

    def make(pen: Pen, planned: Planned) -> Done:
        cells = {cell.id: cell for cell, _ in cells_of(pen.draft)}
        excluded = pending.excluded if pending else ""
        sources = sources_of(planned, cells, target, excluded)
        present = any(entry.id == excluded for entry in planned.hot[target])
        if plan["revision"] != planned.revision or plan["digest"] != digest_of(sources) or (excluded and not present):
            raise Conflict(
                f"{target}: hot memory changed since the plan was made; nothing was changed",
                f"mneme maintain plan --target {target}, or the verb again, makes a new one",
            )
        limit = runtime.folder.limits[target]
        most = budget(limit, pending.content if pending else None, len(sources))
        gone = normalise(cells[excluded].gist) if excluded else None
        for at, one in enumerate(sources, 1):
            if pending is not None and one.content == pending.content:
                raise InvalidPlan("pending", 0, f"entry {at} says what the pending one says")
        read = checked(answer, sources, most, pending=pending.content if pending else None, excluded=gone)
        for at, candidate in enumerate(read, 1):
            _compact(pen, target, sources, candidate, at)
        new = _commit(pen, target, pending) if pending else ""
        after = runtime.planned_after(pen).used(target)
        if after > limit:
            raise InvalidPlan("limit", 0, f"all of it takes {after} bytes with the IDs, and the limit is {limit}")
        text = pending.content if pending else ""
        action = "add" if pending and not excluded else "replace" if pending else COMPACT
        return Done(action, target, f"compacted {len(sources)} entries to {len(read)}", new, gone or "", text)

    return runtime.commit(target, make)


def _compact(pen: Pen, target: str, sources: list[Source], one: Candidate, at: int) -> None:
    places = [pen.draft.place(sources[index].id) for index in one.sources]
    if len(places) == 1 and normalise(places[0].cell.gist) == one.content:
        pen.weigh(places[0], one.importance)  # it stays as it is
        return
    if len({pen.draft.target_of(place).personal for place in places}) > 1:
        raise InvalidPlan("layer", at, "it would join personal entries with shared ones")
    if target == USER:
        pen.succeed(target, places, one.content, one.importance)
    else:
        pen.refine(target, places, one.content, one.importance)


def _commit(pen: Pen, target: str, pending: Pending) -> str:
    if pending.excluded:
        return pen.succeed(target, [pen.draft.place(pending.excluded)], pending.content, pending.importance)
    pen.hand = pen.hand._replace(personal=pending.personal)
    return pen.new(target, pending.content, pending.importance)


def _read(plan: object) -> tuple[str, Pending | None]:
    if not isinstance(plan, Mapping) or plan.get("kind") != "maintenance-plan" or plan.get("version") != 1:
        raise InvalidPlan("plan", 0, "this is no maintenance plan of version 1")
    target, action, pending = plan.get("target"), plan.get("action"), plan.get("pending")
    excluded = plan.get("excluded")
    texts = [plan.get("revision"), plan.get("digest")]
    if target not in TARGETS or action not in (ADD, REPLACE, COMPACT) or not all(isinstance(one, str) for one in texts):
        raise InvalidPlan("plan", 0, "its target, action, revision or digest is missing")
    if action == COMPACT:
        return target, None
    if not isinstance(pending, Mapping) or pending.get("importance") not in IMPORTANCE:
        raise InvalidPlan("plan", 0, "its pending entry is missing or has no importance")
    if (action == REPLACE) != isinstance(excluded, str):
        raise InvalidPlan("plan", 0, "replace names the excluded entry, and nothing else does")
    try:
        content = item(str(pending.get("content", "")))
    except UsageError as error:
        raise InvalidPlan("plan", 0, f"the pending entry: {error.message}") from None
    return target, Pending(content, pending["importance"], excluded or "", bool(pending.get("personal")))
