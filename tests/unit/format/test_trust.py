"""Trust: the protocol's table, line by line."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mneme.format.model import CellState
from mneme.format.trust import trust

TODAY = date(2026, 11, 25)


def ago(days: int) -> str:
    return (TODAY - timedelta(days=days)).isoformat()


TABLE = [
    # state, conf, seen, word, reason
    ("live", "high", ago(0), "use", ""),
    ("live", "med", ago(45), "use", ""),
    ("live", "", ago(1), "use", ""),
    ("live", "high", ago(-2), "use", ""),
    ("live", "high", ago(46), "verify", "not confirmed for 46 days"),
    ("live", "low", ago(0), "verify", "confidence is low"),
    ("live", "low", ago(99), "verify", "confidence is low"),
    ("stale", "high", ago(0), "verify", "marked stale"),
    ("stale", "low", ago(99), "verify", "marked stale"),
    ("proposed", "high", ago(0), "not-a-conclusion", ""),
    ("proposed", "low", ago(99), "not-a-conclusion", ""),
    ("superseded", "high", ago(0), "history", ""),
    ("retired", "high", ago(0), "history", ""),
    # What cannot be read is never relied on.
    ("", "high", ago(0), "verify", "no state"),
    ("alive", "high", ago(0), "verify", "unknown state 'alive'"),
    ("live", "sure", ago(0), "verify", "unknown confidence 'sure'"),
    ("live", "high", "", "verify", "never seen"),
    ("live", "high", "yesterday", "verify", "seen is no date: 'yesterday'"),
]


@pytest.mark.parametrize(("state", "conf", "seen", "word", "reason"), TABLE)
def test_table(state: str, conf: str, seen: str, word: str, reason: str) -> None:
    assert trust(CellState(state=state, conf=conf, seen=seen), TODAY) == (word, reason)


def test_the_limit_is_a_parameter() -> None:
    status = CellState(state="live", conf="high", seen=ago(10))
    assert trust(status, TODAY, 9).word == "verify"
    assert trust(status, TODAY, 10).word == "use"
    assert trust(CellState(state="live", seen=ago(1)), TODAY, 0).word == "verify"
