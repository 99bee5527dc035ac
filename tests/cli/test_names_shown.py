"""A file may be called anything: what commands say of it stays one line, and turns nothing on a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Runner, cell

NAME = "red\x1b[31m\n.mneme"
SHOWN = "red<U+001B>[31m<U+000A>.mneme"


@pytest.mark.parametrize(
    "verb",
    [
        ("add", "DEC", "A gist"),
        ("supersede", "DEC-0001", "Another"),
        ("seen", "DEC-0001"),
        ("set", "DEC-0001", "--conf", "low"),
        ("retire", "DEC-0001"),
        ("redact", "DEC-0001", "--reason", "names a customer"),
        ("fmt", "--check"),
        ("fmt", "--diff"),
        ("fmt",),
        ("lint", "--fix", "--diff"),
        ("init", "--file", NAME),
    ],
    ids=" ".join,
)
def test_a_file_name_is_shown_in_one_line(tmp_path: Path, mneme: Runner, verb: tuple[str, ...]) -> None:
    (tmp_path / NAME).write_text(cell("DEC-0001").replace("cue   ", " cue "))
    result = mneme(*verb)
    said = result.out + result.err
    assert SHOWN in said
    assert "\x1b" not in said
    assert not any(line.startswith(".mneme") for line in said.splitlines())
