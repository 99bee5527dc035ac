"""Pruning: what other programs wrote into a store, when there is too much of it (engine's facts, 9.3).

Never what comes from text: of that, people decide (``mneme gc --propose``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from mneme.graph.importance import immune
from mneme.graph.usage import Usage

if TYPE_CHECKING:
    from mneme.graph.store import Store

DEFAULT_MAXIMUM = 1000
DEFAULT_AGE = timedelta(hours=24)
MOST_AT_ONCE = 10

_UNITS = {
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0,
}  # fmt: skip
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h|d)")
_LONGEST = 1e9  # seconds


class Limits(NamedTuple):
    """How many active insights of other programs a store may hold (0: any number), and how old the pruned ones are."""

    maximum: int = DEFAULT_MAXIMUM
    age: timedelta = DEFAULT_AGE

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Limits:
        """Return what MNEMON_MAX_INSIGHTS and MNEMON_AUTO_PRUNE_MIN_AGE say."""
        return cls(_maximum(environ.get("MNEMON_MAX_INSIGHTS", "")), _age(environ.get("MNEMON_AUTO_PRUNE_MIN_AGE", "")))


def _maximum(text: str) -> int:
    try:
        return max(0, int(text.strip()))
    except ValueError:
        return DEFAULT_MAXIMUM


def _age(text: str) -> timedelta:
    text = text.strip()
    if text == "0":
        return timedelta()
    parts = list(_PART.finditer(text))
    if not parts or "".join(part[0] for part in parts) != text:
        return DEFAULT_AGE
    seconds = sum(float(part[1]) * _UNITS[part[2]] for part in parts)
    return timedelta(seconds=min(seconds, _LONGEST))


def prune(
    store: Store, limits: Limits, *, now: datetime, trigger: str, used: Mapping[str, Usage],
    exclude: Collection[str] = (),
) -> list[str]:  # fmt: skip
    """Delete what is worth least among too many insights of other programs; return their IDs, each of them logged.

    Inside of a transaction. ``trigger`` is the insight that made it too many, or the command; ``used`` counts beside
    the store. At most ten go at a time, none that is immune, younger than the limit or among ``exclude``.
    """
    from mneme.graph.store import Operation

    active = store.insights(store.foreign(), deleted=False)
    if not limits.maximum or len(active) <= limits.maximum:
        return []
    stored = store.stored_at(active)
    oldest = (now - limits.age).strftime("%Y-%m-%dT%H:%M:%SZ")
    moment = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    eligible = [
        one
        for one in active.values()
        if one.id not in exclude
        and not immune(one.importance, one.access_count + (used[one.id].accesses if one.id in used else 0))
        and (not limits.age or (stored.get(one.id) or "") < oldest)
    ]
    eligible.sort(key=lambda one: (one.effective_importance, one.created_at, one.id))
    gone = [one.id for one in eligible[: min(len(active) - limits.maximum, MOST_AT_ONCE)]]
    store.soft_delete(gone, moment)
    hours = limits.age.total_seconds() / 3600
    detail = f"trigger={trigger} active={len(active)} limit={limits.maximum} min_age={hours:g}h"
    store.log([Operation("prune", id_, detail, moment) for id_ in gone])
    return gone
