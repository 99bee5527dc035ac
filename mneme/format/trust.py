"""How far a cell may be relied on: one computed word (format, section 4)."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from mneme.format.dates import parse_date
from mneme.format.model import CellState
from mneme.format.vocabulary import CONFIDENCES, DECAY_DAYS

USE = "use"
VERIFY = "verify"
NOT_A_CONCLUSION = "not-a-conclusion"
HISTORY = "history"


class Trust(NamedTuple):
    """The word, and for ``verify`` what there is to verify."""

    word: str
    reason: str = ""


def trust(status: CellState, today: date, decay_days: int = DECAY_DAYS) -> Trust:
    """Return what a reader may do with a cell in ``status``; ``decay_days`` is how long a live cell stays fresh.

    A state, conf or date that cannot be read is never ``use``: the reader is told to verify.
    """
    if status.state == "proposed":
        return Trust(NOT_A_CONCLUSION)
    if status.state in ("superseded", "retired"):
        return Trust(HISTORY)
    if status.state == "stale":
        return Trust(VERIFY, "marked stale")
    if status.state != "live":
        return Trust(VERIFY, f"unknown state {status.state!r}" if status.state else "no state")
    if status.conf == "low":
        return Trust(VERIFY, "confidence is low")
    if status.conf and status.conf not in CONFIDENCES:
        return Trust(VERIFY, f"unknown confidence {status.conf!r}")
    seen = parse_date(status.seen)
    if seen is None:
        return Trust(VERIFY, f"seen is no date: {status.seen!r}" if status.seen else "never seen")
    age = (today - seen).days
    if age > decay_days:
        return Trust(VERIFY, f"not confirmed for {age} days")
    return Trust(USE)
