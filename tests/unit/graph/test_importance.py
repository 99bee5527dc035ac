"""What an insight is worth, and what is immune."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.graph.importance import effective_importance, immune
from tests.unit.graph.tables import checks, table


@pytest.mark.parametrize("check", checks("importance", "worth"))
def test_worth(check: dict[str, Any]) -> None:
    worth = effective_importance(check["importance"], check["accesses"], check["days"], check["rows"])
    assert round(worth, 4) == check["value"]


@pytest.mark.parametrize(("importance", "base"), table("importance")["bases"]["by_importance"].items())
def test_a_fresh_insight_is_worth_its_base_and_a_tenth_of_it_for_each_row_9_1(importance: str, base: float) -> None:
    reached = [effective_importance(int(importance), 0, 0, rows) for rows in range(8)]
    assert reached == pytest.approx([base * factor for factor in (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.5, 1.5)])


@pytest.mark.parametrize("check", checks("importance", "immune"))
def test_immunity(check: dict[str, Any]) -> None:
    assert immune(check["importance"], check["accesses"]) is check["immune"]


WORTH = st.tuples(st.integers(1, 5), st.integers(0, 100), st.floats(0, 3650), st.integers(0, 20))


@given(WORTH, st.integers(0, 3))
def test_more_of_what_counts_is_never_worth_less(facts: tuple[int, int, float, int], which: int) -> None:
    importance, accesses, days, rows = facts
    more = (
        (min(importance + 1, 5), accesses, days, rows),
        (importance, accesses + 1, days, rows),
        (importance, accesses, days / 2, rows),
        (importance, accesses, days, rows + 1),
    )[which]
    assert effective_importance(*more) >= effective_importance(*facts) > 0
