"""Patches over text."""

from __future__ import annotations

import pytest

from mneme.errors import EditError
from mneme.text.patch import Patch, apply, shifted


def test_no_patches_change_nothing() -> None:
    assert apply("abc", []) == "abc"


def test_patches_apply_at_once_whatever_their_order() -> None:
    assert apply("abcdef", [Patch(4, 5, "EE"), Patch(0, 1, ""), Patch(2, 2, "-")]) == "b-cdEEf"


def test_insertions_at_one_place_keep_their_order() -> None:
    assert apply("ab", [Patch(1, 1, "1"), Patch(1, 1, "2")]) == "a12b"


def test_an_insertion_may_touch_a_replacement_on_either_side() -> None:
    assert apply("abcd", [Patch(1, 3, "X"), Patch(1, 1, "<"), Patch(3, 3, ">")]) == "a<X>d"


@pytest.mark.parametrize(
    "patches",
    [
        [Patch(0, 2, ""), Patch(1, 3, "")], [Patch(0, 2, "x"), Patch(0, 2, "x")], [Patch(2, 4, ""), Patch(3, 3, "x")],
        [Patch(2, 4, "")], [Patch(2, 1, "")], [Patch(-1, 0, "")],
    ],
    ids=["overlap", "twice", "inside", "behind the end", "backwards", "before the start"],
)  # fmt: skip
def test_patches_that_cannot_be_meant_are_refused(patches: list[Patch]) -> None:
    with pytest.raises(EditError):
        apply("abc", patches)


def test_shifted_patches_move_together() -> None:
    assert shifted([Patch(0, 1, "a"), Patch(3, 3, "b")], 10) == [Patch(10, 11, "a"), Patch(13, 13, "b")]
