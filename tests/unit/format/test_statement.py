"""Running text as gist and body."""

from __future__ import annotations

import pytest

from mneme.format.statement import LONGEST_GIST, NOTHING_SAID, escaped, first_clause, statement

LONG = "word " * 40


@pytest.mark.parametrize(
    ("text", "gist", "body"),
    [
        ("One line", "One line", ()),
        ("  One line \n\n", "One line", ()),
        ("x" * 120, "x" * 120, ()),
        ("Two\nlines", "Two", ("Two", "lines")),
        ("\n \nTwo\r\n\r\nlines\r", "Two", ("Two", "", "lines")),
        ("Said. " + LONG, "Said. " + ("word " * 22).rstrip() + "…", (("Said. " + LONG).rstrip(),)),
        (
            "The cache is local. " + LONG, "The cache is local.", (("The cache is local. " + LONG).rstrip(),),
        ),
        ("缓存在本地运行，因为延迟很重要。" + "字" * 120, "缓存在本地运行，因为延迟很重要。",
         ("缓存在本地运行，因为延迟很重要。" + "字" * 120,)),
        ("字" * 121, "字" * 119 + "…", ("字" * 121,)),
        ("", NOTHING_SAID, ()),
        (" \n\t", NOTHING_SAID, ()),
        ("\u200b", NOTHING_SAID, ("\u200b",)),
        ("\u3000全角\u3000", "全角", ()),
    ],
)  # fmt: skip
def test_statement(text: str, gist: str, body: tuple[str, ...]) -> None:
    found = statement(text)
    assert found == (gist, body)
    assert len(found.gist) <= LONGEST_GIST


def test_a_letter_keeps_its_marks() -> None:
    clause = first_clause("x" * 118 + "e\u0301" + "y" * 40)
    assert clause == "x" * 118 + "…"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\0b", "a\\x00b"), ("\x1b[1m", "\\x1b[1m"), ("\x85\u2028", "\\x85\\u2028"), ("a\tb\r\nc", "a\tb\r\nc"),
        ("\ud800", "\\ud800"), ("é字👍", "é字👍"),
    ],
)  # fmt: skip
def test_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown
