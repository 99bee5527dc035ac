"""A cell with many findings of one kind: its lines are not taken apart anew for each of them."""

from __future__ import annotations

import pytest

from mneme.format.lines import CellReader
from mneme.format.model import Cell
from mneme.format.parser import forget
from mneme.lint import suppress
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


def test_many_suppressions_are_placed_once(monkeypatch: pytest.MonkeyPatch, mneme: Runner) -> None:
    calls = []
    real = suppress.end_of_content

    def counted(cell: Cell) -> int:
        calls.append(cell)
        return real(cell)

    monkeypatch.setattr(suppress, "end_of_content", counted)
    text = cell() + "# mneme: ignore[no-cue]\n> a line\n" * 100 + "# mneme: ignore[no-cue]\n" * 100
    result = mneme("lint", "--no-cache", "--format", "concise", "-", stdin=text.encode())
    assert result.out.count("inside of a cell") == 100
    assert result.out.count("no cell below it") == 100
    assert len(calls) < 10


def test_every_one_of_many_suppressions_counts(mneme: Runner) -> None:
    """Two above one cell both cover it; those with nothing to cover are pointed at."""
    quiet = "# mneme: ignore[no-cue]\n# mneme: ignore[MN208]\n"
    bare = "@ DEC-{:04}  a/b\ngist  Something true, number {}\nstate live   since 2026-11-01   seen 2026-11-20\n"
    text = "".join(quiet + bare.format(i, i) for i in range(1, 51)) + quiet + cell("DEC-0100")
    result = mneme("lint", "--no-cache", "--format", "concise", "-", stdin=text.encode())
    assert "no cue to recall" not in result.out
    assert result.out.count("nothing to suppress here") == 2
