"""A lazy pattern is the pattern, only later."""

from __future__ import annotations

import re

import pytest

from mneme.text.lazy import lazy


def test_does_what_the_pattern_does() -> None:
    text = "One or two, one or THREE"
    expression = r"\b(one|three)\b"
    compiled, later = re.compile(expression, re.IGNORECASE), lazy(expression, re.IGNORECASE)
    for _ in range(2):
        assert [match.span() for match in later.finditer(text)] == [match.span() for match in compiled.finditer(text)]
        assert later.sub("x", text) == compiled.sub("x", text)
        assert bool(later.match(text, 4)) == bool(compiled.match(text, 4))
    assert (later.pattern, later.flags, later.groups) == (compiled.pattern, compiled.flags, compiled.groups)


def test_compiles_at_the_first_use_only(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, int]] = []
    compile_ = re.compile

    def counted(pattern: str, flags: int = 0) -> re.Pattern[str]:
        calls.append((pattern, flags))
        return compile_(pattern, flags)

    monkeypatch.setattr(re, "compile", counted)
    later = lazy("a+", re.ASCII)
    assert calls == []
    assert later.search("baa")
    assert later.search("bcd") is None
    assert calls == [("a+", re.ASCII)]


def test_a_malformed_expression_is_told_when_used() -> None:
    with pytest.raises(re.error):
        lazy("(").search("")
