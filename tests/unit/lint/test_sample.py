"""Samples: several files and unprintable characters on one page."""

from __future__ import annotations

from mneme.lint.sample import has_escapes, sample_files, unescape


def test_one_file_ends_in_a_line_end() -> None:
    assert sample_files("@ DEC-0001\ngist  x") == {"project.mneme": b"@ DEC-0001\ngist  x\n"}


def test_files_are_told_apart_by_name() -> None:
    assert sample_files("a\n--- notes.local.mneme\nb\n\n--- c.mneme\n\\z") == {
        "project.mneme": b"a\n", "notes.local.mneme": b"b\n\n", "c.mneme": b"",
    }  # fmt: skip
    assert list(sample_files("--- only.mneme\na")) == ["only.mneme"]


def test_escapes() -> None:
    assert unescape(r"a\xe9b") == b"a\xe9b"
    assert unescape(r"\u2011\U0001f600\t\r") == "\u2011\U0001f600\t\r".encode()
    assert unescape("last\\z\n") == b"last"
    assert unescape("é漢") == "é漢".encode()
    assert has_escapes(r"a\u2011")
    assert not has_escapes(r"C:\new \zip \x \u12")


def test_every_other_backslash_is_itself() -> None:
    for text in (r"C:\new", r"\z is not at the end", r"\xZZ \u12 \n"):
        assert unescape(text) == text.encode()
