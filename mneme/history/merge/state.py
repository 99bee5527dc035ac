"""What becomes of a cell's state when both sides changed it.

Superseded wins over everything, retired over everything else. Between the other states the side that saw the cell last
decides; where both saw it on one day, the more cautious state and the lower confidence hold. A side that did not
confirm the cell has said only what it changed, and a side that left all this alone has no say. The rules pick the
greatest of what was said, so their order does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

from mneme.format.dates import parse_date
from mneme.format.model import CellState
from mneme.format.vocabulary import CONFIDENCES, DEFAULT_CONFIDENCE, IMPORTANCES, TRANSITIONS

FIELDS = ("state", "conf", "seen", "imp", "hot")

_FINAL = ("superseded", "retired")
_CAUTION = ("live", "stale", "proposed")
"""From what a reader may use to what is no conclusion yet."""
_HOT = ("", "yes", "no")


class Settled(NamedTuple):
    """The merged fields, without references; the fields in which a side broke the rules; what gave way, in words."""

    status: CellState
    broken: frozenset[str]
    overruled: tuple[str, ...]


def settle(base: CellState | None, one: CellState, two: CellState) -> Settled:
    """Merge two states of one cell; ``base`` is None for a cell that both sides added."""
    base, one, two = (CellState() if state is None else state._replace(refs=()) for state in (base, one, two))
    if two in (one, base):
        return Settled(one, frozenset(), ())
    if one == base:
        return Settled(two, frozenset(), ())
    sides = (one, two)
    last = max(_day(side.seen) for side in sides)
    latest = [side for side in sides if _day(side.seen) == last]
    if last > _day(base.seen):  # they confirmed it as they have it, changed or not
        states, confs = [side.state for side in latest], [side.conf for side in latest]
    else:
        states = [side.state for side in latest if side.state != base.state] or [base.state]
        confs = [side.conf for side in latest if side.conf != base.conf] or [base.conf]
    final = next((state for state in _FINAL if state in (one.state, two.state)), "")
    status = CellState(
        state=final or max(states, key=_state_rank),
        conf=max(confs, key=_conf_rank),
        seen=max((side.seen for side in sides), key=_seen_rank),
        imp=_pick(base.imp, [side.imp for side in sides], _importance_rank),
        hot=_pick(base.hot, [side.hot for side in sides], _hot_rank),
    )
    wrong = frozenset(name for side in sides for name in broken(base, side))
    overruled = [
        f"{name} {said} gives way to {holds}"
        for name in ("state", "conf")
        for said, before, holds in [(getattr(side, name), getattr(base, name), getattr(status, name)) for side in sides]
        if said not in ("", before, holds) and name not in wrong
    ]
    return Settled(status, wrong, tuple(sorted(overruled)))


def broken(base: CellState, side: CellState) -> list[str]:
    """Return the fields in which ``side`` made a step from ``base`` that the format does not allow."""
    found = []
    if side.state != base.state and base.state in TRANSITIONS and side.state not in _reached(base.state):
        found.append("state")
    before, after = parse_date(base.seen), parse_date(side.seen)
    if before and (after is None or after < before):
        found.append("seen")
    return found


def _reached(state: str) -> set[str]:
    """Return what a state may become in one step or several."""
    found: set[str] = set()
    waiting = [state]
    while waiting:
        fresh = set(TRANSITIONS[waiting.pop()]) - found
        found |= fresh
        waiting += fresh
    return found


def _pick(base: str, values: Sequence[str], rank: Callable[[str], Any]) -> str:
    """Return the value of highest rank among those that differ from ``base``; ``base`` when none does."""
    return max((value for value in values if value != base), key=rank, default=base)


def _day(text: str) -> date:
    return parse_date(text) or date.min


def _state_rank(state: str) -> tuple[int, str]:
    known = (*_CAUTION, *reversed(_FINAL))
    return (known.index(state) + 1 if state in known else 0), state


def _conf_rank(conf: str) -> tuple[int, bool, str]:
    word = conf or DEFAULT_CONFIDENCE
    return (CONFIDENCES.index(word) + 1 if word in CONFIDENCES else 0), bool(conf), conf


def _seen_rank(seen: str) -> tuple[date, str]:
    return _day(seen), seen


def _importance_rank(imp: str) -> tuple[int, str]:
    return (IMPORTANCES.index(imp) + 1 if imp in IMPORTANCES else 0), imp


def _hot_rank(hot: str) -> tuple[int, str]:
    return ((_HOT.index(hot) + 1) if hot in _HOT else 0), hot
