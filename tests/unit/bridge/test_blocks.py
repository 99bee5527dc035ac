"""Marked blocks: found, replaced, put behind; a damaged mark is an error."""

from __future__ import annotations

import pytest

from mneme.bridge.projection.blocks import BEGIN, END, block_text, find_block, put_block
from mneme.errors import EditError

BLOCK = block_text([])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"a\n{BEGIN}\nold\n", "f:2: a begin mark .* without its end mark"),
        (f"a\nold\n{END}\n", "f:3: an end mark .* without its begin mark"),
        (f"{END}\n{BEGIN}\n", "f:1: the end mark comes before the begin mark"),
        (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", "f:3: more than one block"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n", "f:2: the marks|f:3: more than one"),
        (f"{BEGIN}\n{BEGIN}\n", "f:2: a second begin mark, and no end mark"),
        (f"{BEGIN}\n<!-- mneme:end\n", "f:2: this mark of ours is damaged"),
    ],
)
def test_damaged_marks(text: str, says: str) -> None:
    with pytest.raises(EditError, match=says):
        find_block(text, "f")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""), ("# Title\n\ntext\n", "more\n"), ("# Title\r\n", "\r\nmore"), ("\ufeff# T\n", ""), ("  ", " behind"),
        ("> quoted `<!-- mneme:begin -->`\n", "\n"), ("```\n", "\n```\n"),
    ],
)  # fmt: skip
def test_what_stands_outside_stays(before: str, after: str) -> None:
    text = f"{before}{BEGIN}\nold\n{END}{after}"
    made = put_block(text, BLOCK, "f")
    assert made.startswith(before)
    assert made.endswith(after)
    assert "old" not in made
    assert put_block(made, BLOCK, "f") == made


def test_line_ends_and_byte_order_mark_stay() -> None:
    made = put_block("\ufeffone\r\ntwo", BLOCK, "f")
    assert made.startswith("\ufeffone\r\ntwo\r\n\r\n<!-- mneme:begin")
    assert made.count("\n") == made.count("\r\n")


def test_a_mark_in_somebody_s_sentence_is_none() -> None:
    assert find_block("Do not edit between `<!-- mneme:begin -->` and `<!-- mneme:end -->`.\n", "f") is None


def test_front_matter_begins_an_empty_file_only() -> None:
    assert put_block("", BLOCK, "f", front="---\nx: 1\n---\n").startswith("---\nx: 1\n---\n<!-- mneme:begin")
    assert put_block("mine\n", BLOCK, "f", front="---\nx: 1\n---\n").startswith("mine\n\n<!-- mneme:begin")
