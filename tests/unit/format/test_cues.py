"""Cue lines: at commas and at slashes between blanks; with none of those, at every slash."""

from __future__ import annotations

import pytest

from mneme.format.cues import split_cues
from mneme.format.parser import parse

CASES = {
    "concurrent writes / cache corruption / slow queries": ["concurrent writes", "cache corruption", "slow queries"],
    "CI/CD, storage": ["CI/CD", "storage"],
    "a/b": ["a", "b"],
    "a / b": ["a", "b"],
    "one cue": ["one cue"],
    "a,b": ["a", "b"],
    "缓存，并发写入、损坏": ["缓存", "并发写入", "损坏"],
    "缓存/并发": ["缓存", "并发"],
    "TCP/IP / HTTP": ["TCP/IP", "HTTP"],
    "TCP/IP, HTTP / QUIC": ["TCP/IP", "HTTP", "QUIC"],
    "a /b": ["a", "b"],
    "a /b / c": ["a /b", "c"],
    "a\t/\tb/c": ["a", "b/c"],
    "a\u00a0/\u00a0b / c": ["a", "b", "c"],
    "a\u3000/\u3000b/c": ["a", "b/c"],
    "a / / b": ["a", "b"],
    "a,, b,": ["a", "b"],
    "a / b /": ["a", "b"],
    "TCP/IP /": ["TCP/IP"],
    "TCP/IP,": ["TCP/IP"],
    "/ a/b": ["a/b"],
    "/usr/bin": ["usr", "bin"],
    "/": [],
    "": [],
    " , / ": [],
    "http://x.example/a, b": ["http://x.example/a", "b"],
    "二／三": ["二／三"],
}


@pytest.mark.parametrize(("text", "cues"), CASES.items())
def test_split(text: str, cues: list[str]) -> None:
    assert split_cues(text) == cues


def test_lines_add_up_and_each_is_split_by_itself() -> None:
    cell = parse("@ DEC-0001\ncue a/b\ncue CI/CD, storage\ncue\ncue c\n").cells[0]
    assert cell.cues == ("a", "b", "CI/CD", "storage", "c")
