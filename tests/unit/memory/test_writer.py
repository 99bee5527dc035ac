"""Who writes, by the environment."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mneme.memory.writer import Writer, writer_of


@pytest.mark.parametrize(
    ("environ", "writer"),
    [
        ({}, ("", "somebody", "")),
        ({"CLAUDECODE": "1"}, ("claude-code", "somebody", "")),
        ({"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "a-1"}, ("claude-code", "somebody", "a-1")),
        ({"CODEX_THREAD_ID": "t-2"}, ("codex", "somebody", "t-2")),
        ({"GEMINI_CLI": "1"}, ("gemini-cli", "somebody", "")),
        ({"AI_AGENT": "devin@1", "CLAUDECODE": "1"}, ("devin@1", "somebody", "")),
        ({"MNEME_AGENT": " mine ", "AI_AGENT": "x", "MNEME_SESSION": "9"}, ("mine", "somebody", "9")),
        ({"MNEME_USER": "Ann", "CLAUDECODE": ""}, ("", "Ann", "")),
    ],
)
def test_who(environ: Mapping[str, str], writer: tuple[str, str, str]) -> None:
    assert writer_of(environ, lambda: "somebody") == Writer(*writer)


def test_what_is_not_known_is_not_said() -> None:
    assert Writer().pairs() == []
    assert Writer(agent="a", session="s").pairs() == [("agent", "a"), ("session", "s")]


def test_nobody_asks_git_for_a_name_that_is_given() -> None:
    def ask() -> str:
        raise AssertionError

    assert writer_of({"MNEME_USER": "Ann"}, ask).user == "Ann"
