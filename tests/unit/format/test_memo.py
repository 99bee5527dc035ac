"""The kept grammar never changes a parse, and spares the next process Lark."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mneme.format import grammar, memo, parser
from tests.conftest import Runner, cell

TEXT = cell() + "# note\n\n@ DEC-7\u00a0 a/b\n  gist  indented\nstate Live since 2026-6-3 # x\nlink\n>>>>>>> y\n"


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has parsed nothing yet."""
    monkeypatch.setattr(grammar, "_current", [])
    monkeypatch.setattr(grammar, "_primed", [])
    parser.forget()


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "_current", [])
    monkeypatch.setattr(grammar, "_primed", [])
    parser.forget()


def test_a_memo_gives_the_same_parse_without_lark(fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = memo.load(tmp_path)
    before = parser.parse(TEXT)
    memo.save(kept)
    restart(monkeypatch)
    monkeypatch.setitem(sys.modules, "lark", None)  # importing it fails from here on
    kept = memo.load(tmp_path)
    assert kept.shapes == len(grammar.the_grammar().plans) > 0
    after = parser.parse(TEXT)
    assert after.cells == before.cells
    assert [cell.fields for cell in after.cells] == [cell.fields for cell in before.cells]


@pytest.mark.parametrize("damage", [b"", b"x" * 30, None])
def test_a_damaged_memo_is_not_read(
    fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | None
) -> None:
    kept = memo.load(tmp_path)
    before = parser.parse(TEXT)
    memo.save(kept)
    restart(monkeypatch)
    kept.path.write_bytes(kept.path.read_bytes()[:-1] if damage is None else damage)
    assert memo.load(tmp_path).shapes == 0
    assert parser.parse(TEXT).cells == before.cells


def test_memos_of_other_programs_are_dropped(fresh: None, tmp_path: Path) -> None:
    (tmp_path / "grammar-0.memo").write_bytes(b"old")
    kept = memo.load(tmp_path)
    parser.parse(TEXT)
    memo.save(kept)
    assert [path.name for path in tmp_path.iterdir()] == [kept.path.name]


def test_commands_keep_it(mneme_process: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell())
    env = {"MNEME_CACHE_DIR": str(tmp_path / "cache")}
    first = mneme_process("spine", env=env)
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".memo"]
    assert mneme_process("spine", env=env) == first


def test_what_parses_nothing_compiles_nothing(fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a recall from a store that is up to date, the first time after an update of the program."""
    monkeypatch.setitem(sys.modules, "lark", None)
    memo.save(memo.load(tmp_path))
    assert not list(tmp_path.iterdir())
    assert not grammar.in_use()
