"""Cells in versions of a file: the quick way gives what the parser gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.history.pieces import all_cells, cells_with_id, differing
from tests.conftest import cell

A = cell("DEC-0001")
B = cell("DEC-0002", gist="Tokens live for one hour", more="> See DEC-0001.\nlink  relates DEC-0001\n")
C = cell("DEC-0012", gist="Staging has two nodes")

PARTS = [
    A, B, C, "\n", "# note\n", "@reviewers please look\n", "@\n", "@DEC-0001\n", "@  DEC-0001  a/b\ngist  x\n",
    "@\tDEC-0001  a/b\ngist  x\n", "@\u00a0DEC-0001\ngist  x\n", "\ufeff", "gist  stray\n", "\r\n", "@ DEC-0001",
    "> mentions\n", A.replace("\n", "\r\n"),
]  # fmt: skip
texts = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)


def fields(cells):
    return [one._replace(text="", oddities=()) for one in cells]


@given(texts, st.sampled_from(["DEC-0001", "DEC-0002", "DEC-0012", "DEC-9999"]))
@settings(max_examples=200, deadline=None)
def test_cells_by_id_are_the_parsers(text: str, cell_id: str) -> None:
    data = text.encode()
    assert fields(cells_with_id(data, cell_id)) == fields([one for one in all_cells(data) if one.id == cell_id])


@given(texts, texts)
@settings(max_examples=200, deadline=None)
def test_what_differs_is_all_that_differs(before: str, after: str) -> None:
    old, new = before.encode(), after.encode()
    gone, came = differing(old, new)
    stay_old = [one for one in fields(all_cells(old)) if one not in fields(gone)]
    stay_new = [one for one in fields(all_cells(new)) if one not in fields(came)]
    assert all(one in fields(all_cells(new)) for one in stay_old)
    assert all(one in fields(all_cells(old)) for one in stay_new)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_the_changed_cell_differs(end: str) -> None:
    before = f"# head\n{A}\n{B}\n{C}".replace("\n", end).encode()
    after = before.replace(b"seen 2026-11-20", b"seen 2026-11-25", 1)
    gone, came = differing(before, after)
    assert [one.id for one in gone] == [one.id for one in came] == ["DEC-0001"]
    assert came[0].status.seen == "2026-11-25"
    assert differing(before, before) == ([], [])
    assert [one.id for one in differing(b"", before)[1]] == ["DEC-0001", "DEC-0002", "DEC-0012"]


def test_a_file_that_is_no_text_has_what_can_be_read() -> None:
    assert [one.id for one in cells_with_id(b"\xff\xfe\n" + A.encode() + b"\xff", "DEC-0001")] == ["DEC-0001"]
