"""``mneme fmt``: files, --check, --diff, standard input. What it does to a line is tested with the format."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from mneme.errors import EditError
from mneme.memory import draft, tidy
from tests.conftest import Runner, cell

LOOSE = (
    "@  DEC-0001 storage/cache\n gist Uses SQLite\nstate live conf high since 2026-11-01 seen 2026-11-20\ncue x / y\n"
)
TIDY = (
    "@ DEC-0001  storage/cache\ngist  Uses SQLite\n"
    "state live   conf high   since 2026-11-01   seen 2026-11-20\ncue   x / y\n"
)


def test_the_whole_workspace_once(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "a.mneme").write_text(LOOSE)
    (tmp_path / "b.local.mneme").write_bytes(LOOSE.replace("\n", "\r\n").encode())
    (tmp_path / "c.mneme").write_text(cell("DEC-0003"))
    result = mneme("fmt")
    assert (result.code, result.out) == (0, "")
    assert result.err == "mneme: a.mneme formatted\nmneme: b.local.mneme formatted\n"
    assert (tmp_path / "a.mneme").read_text() == TIDY
    assert (tmp_path / "b.local.mneme").read_bytes() == TIDY.replace("\n", "\r\n").encode()
    again = mneme("fmt")
    assert (again.code, again.out, again.err) == (0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mneme", "b.local.mneme", "c.mneme"]


def test_only_what_is_named(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.mneme", "b.mneme", "sub/c.mneme", "sub/d.mneme"):
        (tmp_path / name).write_text(LOOSE)
    assert mneme("fmt", "a.mneme", "sub").code == 0
    assert [(tmp_path / name).read_text() == TIDY for name in ("a.mneme", "b.mneme", "sub/c.mneme", "sub/d.mneme")] == [
        True, False, True, True,
    ]  # fmt: skip


def test_check_names_what_would_change_and_writes_nothing(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "a.mneme").write_text(LOOSE)
    (tmp_path / "b.mneme").write_text(cell("DEC-0002"))
    result = mneme("fmt", "--check")
    assert (result.code, result.out) == (1, "a.mneme\n")
    assert (tmp_path / "a.mneme").read_text() == LOOSE
    assert mneme("fmt", "--check", "b.mneme").code == 0


def test_diff_shows_it(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "a.mneme").write_text(LOOSE)
    result = mneme("fmt", "--diff", "--check")
    assert result.code == 1
    assert result.out.startswith("--- a/a.mneme\n+++ b/a.mneme\n@@ ")
    assert "-@  DEC-0001 storage/cache\n" in result.out
    assert "+@ DEC-0001  storage/cache\n" in result.out
    assert (tmp_path / "a.mneme").read_text() == LOOSE


def test_standard_input(mneme: Runner, mneme_process: Runner) -> None:
    text = "\ufeff" + LOOSE.replace("\n", "\r\n")
    expected = "\ufeff" + TIDY.replace("\n", "\r\n")
    assert mneme("fmt", "-", stdin=text.encode()).out == expected
    assert mneme("fmt", "-", stdin=expected.encode()).out == expected, "printed also when nothing changes"
    assert mneme_process("fmt", "-", stdin=text.encode()).out == expected
    assert mneme("fmt", "-", "--check", stdin=text.encode()).code == 1
    assert mneme("fmt", "-", "--check", stdin=expected.encode()).code == 0
    assert mneme("fmt", "-", "a.mneme", stdin=b"").code == 2


def test_what_cannot_be_read_is_named_and_the_rest_is_formatted(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "a.mneme").write_text(LOOSE)
    (tmp_path / "bad.mneme").write_bytes(b"\xff")
    result = mneme("fmt")
    assert result.code == 2
    assert "bad.mneme:1:1: not valid UTF-8" in result.err
    assert (tmp_path / "a.mneme").read_text() == TIDY
    assert mneme("fmt", "--check", "nowhere.mneme").code == 2


def test_a_file_that_changes_meanwhile_is_not_overwritten(
    mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.mneme"
    path.write_text(LOOSE)
    real = tidy.write_texts

    def and_somebody_else(*arguments: object) -> None:
        path.write_text(LOOSE + "> more\n")
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tidy, "write_texts", and_somebody_else)
    result = mneme("fmt")
    assert result.code == 2
    assert "changed since it was read; nothing was written" in result.err
    assert path.read_text() == LOOSE + "> more\n"


def test_files_outside_the_workspace(mneme: Runner, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("elsewhere") / "a.mneme"
    other.write_text(LOOSE)
    (tmp_path / "b.mneme").write_text(LOOSE.replace("DEC-0001", "DEC-0002"))
    (tmp_path / "link.mneme").symlink_to(other)
    assert mneme("fmt", "b.mneme", "link.mneme").code == 0
    assert other.read_text() == TIDY
    assert (tmp_path / "link.mneme").is_symlink()
    assert [path.name for path in other.parent.iterdir()] == ["a.mneme"]


def test_an_edit_error_is_no_traceback(mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise EditError("a.mneme: the edit would change more than it should; nothing was written")

    (tmp_path / "a.mneme").write_text(LOOSE)
    monkeypatch.setattr(tidy, "formatted", refuse)
    assert mneme("fmt").code == 2


@pytest.mark.parametrize("verb", [("fmt",), ("lint", "--fix")], ids=" ".join)
def test_a_file_named_is_written_under_the_lock_of_the_working_folder(
    tmp_path: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    taken: list[set[Path]] = []
    real = draft.locked

    def recording(*folders: Path) -> AbstractContextManager[None]:
        taken.append(set(folders))
        return real(*folders)

    monkeypatch.setattr(draft, "locked", recording)
    for name in ("sub", "own"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.mneme").write_text(cell(f"DEC-{len(name)}").replace("gist  ", "  gist "))
    (tmp_path / "own" / "mneme.toml").write_text("")
    assert mneme(*verb, "sub/x.mneme").code == 0
    assert mneme(*verb, "own/x.mneme").code == 0
    assert taken == [{tmp_path}, {tmp_path, tmp_path / "own"}]
