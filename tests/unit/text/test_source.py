"""Bytes and text: nothing is translated; lines and columns as ``grep -n`` counts; what is no UTF-8 says where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.errors import UnreadableFile
from mneme.text.source import LineIndex, decode, digest_bytes, read_source

TEXTS = st.text(st.sampled_from("a\n\r\u2028\u0085\f\ufeff漢"), max_size=30)


@given(TEXTS)
def test_only_lf_ends_a_line(text: str) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = index.position(offset)
        assert line == text.count("\n", 0, offset) + 1
        start = text.rfind("\n", 0, offset) + 1
        bom = 1 if line == 1 and text.startswith("\ufeff") and offset > 0 else 0
        assert column == offset - start + 1 - bom


@given(TEXTS)
def test_the_span_of_a_line_is_the_line_without_its_end(text: str) -> None:
    index = LineIndex(text)
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        start, end = index.line_span(number)
        expected = line.removesuffix("\r") if number < len(lines) else line
        assert text[start:end] == expected


def test_positions() -> None:
    index = LineIndex("\ufeffab\r\nc\u2028d\n")
    assert index.position(1) == (1, 1)
    assert index.position(2) == (1, 2)
    assert index.position(5) == (2, 1)
    assert index.position(8) == (2, 4)
    assert index.position(9) == (3, 1)
    assert index.line_span(1) == (0, 3)
    assert index.line_span(2) == (5, 8)


@given(st.binary(max_size=40))
def test_what_decodes_encodes_to_the_same_bytes(data: bytes) -> None:
    try:
        text = decode(data, "x")
    except UnreadableFile:
        return
    assert text.encode() == data


BROKEN = {
    "latin-1": (b"@ FACT-0001\ngist caf\xe9 room\n", 2, 9, "byte 0xe9 at byte offset 20", "UTF-8"),
    "cut in the middle": ("gist 漢".encode()[:-1], 1, 6, "byte offset 5", "UTF-8"),
    "surrogate": (b"a\n\xed\xa0\x80", 2, 1, "byte offset 2", "UTF-8"),
    "overlong": (b"\xc0\xaf", 1, 1, "byte offset 0", "UTF-8"),
    "NUL": (b"a\nb\0c\n", 2, 2, "NUL byte at byte offset 3", "UTF-8"),
    "UTF-16": ("@ DEC-0001\n".encode("utf-16"), 1, 1, "UTF-16", "PowerShell"),
    "UTF-16 big": (b"\xfe\xff\x00@", 1, 1, "UTF-16", "PowerShell"),
    "UTF-16 without a mark": ("@ DEC".encode("utf-16-le"), 1, 2, "NUL byte at byte offset 1", "UTF-8"),
}


@pytest.mark.parametrize(("data", "line", "column", "reason", "hint"), BROKEN.values(), ids=BROKEN.keys())
def test_unreadable(data: bytes, line: int, column: int, reason: str, hint: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        decode(data, "notes.mneme")
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert reason in error.reason
    assert hint in error.hint
    assert error.message.startswith(f"notes.mneme:{line}:{column}: ")


def test_read_source(tmp_path: Path) -> None:
    path = tmp_path / "a.mneme"
    path.write_bytes(b"\xef\xbb\xbf@ DEC-0001\r\n")
    source = read_source(path, "a.mneme")
    assert source.text == "\ufeff@ DEC-0001\r\n"
    assert source.digest == digest_bytes(b"\xef\xbb\xbf@ DEC-0001\r\n")


@pytest.mark.parametrize(
    ("name", "reason"), [("missing", "no such file"), (".", "a folder"), ("link", "does not exist")]
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UnreadableFile, match=reason):
        read_source(tmp_path / name)
