"""A cell with many findings of one kind: its lines are not taken apart anew for each of them."""

from __future__ import annotations

import pytest

from mneme.format.lines import CellReader
from mneme.format.parser import forget
from tests.conftest import Runner, cell


@pytest.mark.parametrize(
    ("line", "found"), [("link  relates DEC-0001\n", "self-link"), ("gist  a\ngist  b\n", "duplicate-field")]
)
def test_places_are_found_once(monkeypatch: pytest.MonkeyPatch, mneme: Runner, line: str, found: str) -> None:
    calls = []
    read = CellReader.read

    def counted(self: CellReader, *arguments: object) -> None:
        calls.append(self)
        read(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(CellReader, "read", counted)
    forget()
    result = mneme("lint", "--no-cache", "--format", "concise", "-", stdin=(cell() + line * 100).encode())
    assert result.out.count(found) >= 99
    assert len(calls) < 10
