"""The request for a compaction: what a model is asked when hot memory is full, and the error that carries it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from mneme.bridge.hot.checks import ANSWER_SCHEMA, RULES, Source, budget
from mneme.bridge.hot.records import importance_of
from mneme.errors import ExitCode, MnemeError, UsageError
from mneme.format.entry import normalise, used_bytes
from mneme.format.model import Cell
from mneme.memory.hot_files import Planned

ADD, REPLACE, COMPACT = "add", "replace", "compact"


class Pending(NamedTuple):
    """An entry that is to be committed together with a compaction; ``excluded`` is the cell that it replaces."""

    content: str
    importance: str
    excluded: str = ""
    personal: bool = False


class CapacityError(MnemeError):
    """An entry would pass the limit of its target; ``request`` is the plan that makes room."""

    exit_code = ExitCode.CAPACITY

    def __init__(self, target: str, used: int, projected: int, limit: int, request: Mapping[str, Any] | None) -> None:
        hint = "mneme maintain apply PLAN, with the answer to the plan request"
        if request is None:
            hint = "it is larger than the file may be: keep the text elsewhere, and remember where it is"
        super().__init__(
            f"{target}: {used} bytes are used, it would be {projected}, and the limit is {limit}; nothing was written",
            hint,
        )
        self.target, self.used, self.projected, self.limit = target, used, projected, limit
        self.request = request


class Conflict(MnemeError):
    """Hot memory is not what the plan was made from."""

    exit_code = ExitCode.CONFLICT


def sources_of(planned: Planned, cells: Mapping[str, Cell], target: str, excluded: str = "") -> list[Source]:
    """Return the entries of a target that may be compacted, in order."""
    return [
        Source(entry.id, normalise(cells[entry.id].gist), importance_of(entry.importance))
        for entry in planned.hot[target]
        if entry.id != excluded
    ]


def digest_of(sources: list[Source]) -> str:
    """Return a digest of what a plan was made from: also of entries that did not fit into the files."""
    text = json.dumps(sources, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def request_of(
    planned: Planned, cells: Mapping[str, Cell], target: str, limit: int, pending: Pending | None = None,
    projected: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the request: revision, numbered entries, budget, rules, and what an answer looks like.

    Raises:
        UsageError: there is nothing to compact.
    """
    excluded = pending.excluded if pending else ""
    sources = sources_of(planned, cells, target, excluded)
    if not sources:
        raise UsageError(f"{target}: there is nothing to compact", "mneme runtime show")
    used = planned.used(target)
    total = used if projected is None else projected
    return {
        "version": 1,
        "kind": "maintenance-plan",
        "revision": planned.revision,
        "digest": digest_of(sources),
        "action": COMPACT if pending is None else REPLACE if excluded else ADD,
        "target": target,
        "pending": pending and {
            "content": pending.content, "importance": pending.importance, "personal": pending.personal,
        },
        "excluded": excluded or None,
        "used": used,
        "projected": total,
        "limit": limit,
        "requires_maintenance": total > limit,
        "budget": budget(limit, pending.content if pending else None, len(sources)),
        "entries": [
            {
                "index": index, "id": one.id, "content": one.content, "importance": one.importance,
                "bytes": used_bytes([one.content]),
            }
            for index, one in enumerate(sources, 1)
        ],
        "rules": list(RULES),
        "answer_schema": ANSWER_SCHEMA,
    }  # fmt: skip
