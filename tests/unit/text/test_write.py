"""Writing: whole or not at all, in one file or several, and what a cut step leaves is finished or taken back."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from mneme.errors import EditError, StaleSource
from mneme.text import files, journal, write
from mneme.text.files import make_folders, new_bytes, remove_folders, sweep, sync_folder
from mneme.text.journal import JOURNAL
from mneme.text.source import digest_bytes, read_source
from mneme.text.write import locked, replace_file, write_new, write_sources


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def refuse_replace(monkeypatch: pytest.MonkeyPatch, *, after: int = 0) -> None:
    """Let ``after`` renames through, then refuse them."""
    real, calls = os.replace, []

    def replace(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) > after:
            raise PermissionError(13, "Permission denied", str(source), None, str(target))
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)


# --- one file ----------------------------------------------------------------------------------------------


def test_a_new_file_is_written_and_never_overwritten(tmp_path: Path) -> None:
    write_new(tmp_path / "a", b"one")
    with pytest.raises(EditError, match="exists already; nothing was written"):
        write_new(tmp_path / "a", b"two")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(EditError, match="exists already"):
        write_new(tmp_path / "link", b"two")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert names(tmp_path) == ["a", "link"]


def test_a_file_that_appears_while_a_new_one_is_written_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    real = files.new_bytes

    def and_somebody_else(target: Path, data: bytes) -> Path:
        temporary = real(target, data)
        path.write_bytes(b"theirs")
        return temporary

    monkeypatch.setattr(write, "new_bytes", and_somebody_else)
    with pytest.raises(EditError, match="nothing was written"):
        write_new(path, b"ours")
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["a"]


def test_a_new_file_where_there_are_no_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_new(tmp_path / "a", b"one")
    assert names(tmp_path) == ["a"]


def test_replacing_keeps_mode_and_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "a"
    real.write_bytes(b"one")
    real.chmod(0o640)
    link = tmp_path / "a"
    link.symlink_to(Path("real", "a"))
    replace_file(link, b"two")
    assert link.is_symlink()
    assert real.read_bytes() == b"two"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert names(tmp_path) == ["a", "real", "real/a"]


def test_a_file_made_gets_the_mode_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_file(tmp_path / "a", b"one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_rename_that_is_refused_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    refuse_replace(monkeypatch)
    with pytest.raises(EditError, match=r"a: Permission denied; nothing was written"):
        replace_file(path, b"two")
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["a"]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    for name, reason in (("folder", "a folder, not a file"), ("loop", "loop|levels"), ("no/where", "No such file")):
        with pytest.raises(EditError, match=reason):
            replace_file(tmp_path / name, b"x")
    assert names(tmp_path) == ["folder", "loop"]


def test_a_loop_of_links_on_an_older_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def loop(_: Path) -> Path:
        raise RuntimeError("Symlink loop")

    monkeypatch.setattr(Path, "resolve", loop)
    with pytest.raises(OSError, match="a loop of links"):
        files.real_path(tmp_path / "a")


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    monkeypatch.setattr(files, "_may_write", lambda _: False)  # whoever runs the tests may write to any file
    with pytest.raises(EditError, match=r"a: the file is read-only; nothing was written"):
        replace_file(path, b"two")
    assert path.read_bytes() == b"one"


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EditError, match=r"/a: No space left on device; nothing was written"):
        replace_file(path, b"two")
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["a"]


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "a", b"two")
    assert names(tmp_path) == []


def test_a_mode_that_is_right_is_not_set_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    path.chmod(0o600)
    monkeypatch.setattr(Path, "chmod", lambda *_: pytest.fail("some file systems refuse to"))
    replace_file(path, b"two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


class TestFolders:
    """Syncing, making, removing and sweeping folders."""

    def test_syncing_is_best_effort(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> int:
            raise OSError(22, "Invalid argument")

        sync_folder(tmp_path / "nowhere")
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", refuse)
            sync_folder(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(files, "sys", type("Fake", (), {"platform": "win32"}))
            patch.setattr(os, "open", refuse)
            sync_folder(tmp_path)

    def test_made_folders_can_be_removed_again(self, tmp_path: Path) -> None:
        made = make_folders(tmp_path / "a" / "b" / "c")
        assert made == [tmp_path / "a" / "b" / "c", tmp_path / "a" / "b", tmp_path / "a"]
        (tmp_path / "a" / "theirs").write_bytes(b"")
        remove_folders(made)
        assert names(tmp_path) == ["a", "a/theirs"]
        assert make_folders(tmp_path) == []

    def test_a_folder_that_cannot_be_made_leaves_none(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = Path.mkdir

        def two_levels(self: Path, *_: object, exist_ok: bool = False) -> None:
            if self.name == "c":
                raise OSError(28, "No space left on device")
            real(self, exist_ok=exist_ok)

        monkeypatch.setattr(Path, "mkdir", two_levels)
        with pytest.raises(OSError, match="No space"):
            make_folders(tmp_path / "a" / "b" / "c")
        assert names(tmp_path) == []

    def test_sweeping_takes_what_killed_writers_left_and_nothing_else(self, tmp_path: Path) -> None:
        ours = ".project.mneme.0123456789ab.tmp"
        others = [
            ".project.mneme.tmp", "project.mneme.0123456789ab.tmp", ".notes.txt.0123456789ab.tmp",
            ".project.mneme.0123456789AB.tmp", ".project.mneme.0123456789ab.tmp.bak",
        ]  # fmt: skip
        for name in (ours, *others):
            (tmp_path / name).write_bytes(b"x")
        (tmp_path / ".d.mneme.0123456789ab.tmp").mkdir()
        sweep([tmp_path, tmp_path / "nowhere"], (".mneme",))
        assert names(tmp_path) == sorted([*others, ".d.mneme.0123456789ab.tmp"])


# --- several files --------------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "a", tmp_path / "sub" / "b"
    second.parent.mkdir()
    first.write_bytes(b"a1")
    second.write_bytes(b"b1")
    return first, second


def contents(two: tuple[Path, Path]) -> tuple[bytes, bytes]:
    return two[0].read_bytes(), two[1].read_bytes()


def write_both(folder: Path, two: tuple[Path, Path], *, also: tuple[Path, ...] = ()) -> None:
    write_sources(folder, {path: (read_source(path), path.read_text()[0] + "2") for path in two}, also=also)


def test_several_files_are_written_in_one_step(tmp_path: Path, two: tuple[Path, Path]) -> None:
    with locked(tmp_path):
        write_both(tmp_path, two)
    assert contents(two) == (b"a2", b"b2")
    assert names(tmp_path) == ["a", "sub", "sub/b"]


def test_one_file_needs_no_journal(tmp_path: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    write_sources(tmp_path, {two[1]: (read_source(two[1]), "b2")})
    assert contents(two) == (b"a1", b"b2")
    refuse_replace(monkeypatch)
    with pytest.raises(EditError, match="b: Permission denied; nothing was written"):
        write_sources(tmp_path, {two[1]: (read_source(two[1]), "b3")})
    assert contents(two) == (b"a1", b"b2")
    assert names(tmp_path) == ["a", "sub", "sub/b"]


def test_new_files_get_their_folders(tmp_path: Path) -> None:
    write_sources(tmp_path, {tmp_path / "x" / "y" / "a": (None, "1"), tmp_path / "x" / "b": (None, "2")})
    assert names(tmp_path) == ["x", "x/b", "x/y", "x/y/a"]


def test_equal_texts_are_not_written(tmp_path: Path, two: tuple[Path, Path]) -> None:
    before = two[0].stat().st_ino
    write_sources(tmp_path, {two[0]: (read_source(two[0]), "a1")})
    write_sources(tmp_path, {})
    assert two[0].stat().st_ino == before


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_bytes(b"other"), "changed since it was read; nothing was written"),
        (lambda path: path.unlink(), "is gone since it was read; nothing was written"),
    ],
    ids=["changed", "gone"],
)
def test_a_file_that_is_not_what_was_read_stops_all(
    tmp_path: Path, two: tuple[Path, Path], spoil: object, message: str
) -> None:
    sources = {path: (read_source(path), "new") for path in two}
    spoil(two[1])  # type: ignore[operator]
    with pytest.raises(StaleSource, match=message):
        write_sources(tmp_path, sources)
    assert two[0].read_bytes() == b"a1"
    assert [name for name in names(tmp_path) if name.endswith(".tmp")] == []


def test_a_file_that_appeared_stops_all(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"theirs")
    with pytest.raises(StaleSource, match="appeared while it was to be made"):
        write_sources(tmp_path, {tmp_path / "a": (None, "ours"), tmp_path / "sub" / "b": (None, "ours")})
    assert names(tmp_path) == ["a"]


def test_when_one_cannot_be_written_none_is(
    tmp_path: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files.new_bytes

    def not_the_second(target: Path, data: bytes) -> Path:
        if target.name == "b":
            raise OSError(28, "No space left on device", str(target))
        return real(target, data)

    monkeypatch.setattr(write, "new_bytes", not_the_second)
    with pytest.raises(EditError, match="No space left on device; nothing was written"):
        write_both(tmp_path, two)
    assert contents(two) == (b"a1", b"b1")
    assert names(tmp_path) == ["a", "sub", "sub/b"]


@pytest.mark.parametrize("renames", [0, 1], ids=["at the journal", "at the first file"])
def test_before_the_first_rename_all_is_taken_back(
    tmp_path: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    refuse_replace(monkeypatch, after=renames)
    with pytest.raises(EditError, match="Permission denied; nothing was written"):
        write_both(tmp_path, two)
    assert contents(two) == (b"a1", b"b1")
    assert names(tmp_path) == ["a", "sub", "sub/b"]


def test_after_the_first_rename_the_next_writer_goes_on(
    tmp_path: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        refuse_replace(patch, after=2)  # the journal, and the first file
        with pytest.raises(EditError, match="1 of 2 files were written") as caught:
            write_both(tmp_path, two)
        assert "finishes this one" in caught.value.hint
        with pytest.raises(EditError, match="waiting to be finished"), locked(tmp_path):
            raise AssertionError
    assert contents(two) == (b"a2", b"b1")
    with locked(tmp_path):
        assert contents(two) == (b"a2", b"b2")
    assert names(tmp_path) == ["a", "sub", "sub/b"]


class TestCutSteps:
    """A process was killed: what it left is a journal, some renames done, some temporary files."""

    def cut(self, folder: Path, two: tuple[Path, Path], *, renamed: int) -> Path:
        """Leave what a writer leaves that was killed after ``renamed`` renames."""
        steps = []
        for path in two:
            data = path.read_bytes()[:1] + b"2"
            temporary = new_bytes(path, data)
            steps.append({
                "target": os.path.relpath(path, folder), "temporary": os.path.relpath(temporary, folder),
                "old": digest_bytes(path.read_bytes()), "new": digest_bytes(data),
            })  # fmt: skip
        for path, step in list(zip(two, steps, strict=True))[:renamed]:
            (folder / step["temporary"]).replace(path)
        (folder / JOURNAL).write_text(json.dumps({"version": 1, "folders": [], "steps": steps}))
        return folder / steps[1]["temporary"]

    @pytest.mark.parametrize("renamed", [0, 1, 2])
    def test_the_next_writer_finishes(self, tmp_path: Path, two: tuple[Path, Path], renamed: int) -> None:
        self.cut(tmp_path, two, renamed=renamed)
        with locked(tmp_path):
            assert contents(two) == (b"a2", b"b2")
            assert names(tmp_path) == ["a", "sub", "sub/b"]

    def test_in_a_project_that_was_moved(self, tmp_path: Path, two: tuple[Path, Path]) -> None:
        self.cut(tmp_path, two, renamed=1)
        moved = tmp_path.with_name("moved")
        tmp_path.rename(moved)
        with locked(moved):
            assert (moved / "sub" / "b").read_bytes() == b"b2"
        moved.rename(tmp_path)

    def test_a_file_changed_before_any_rename_keeps_its_text(self, tmp_path: Path, two: tuple[Path, Path]) -> None:
        self.cut(tmp_path, two, renamed=0)
        two[1].write_bytes(b"by hand")
        with locked(tmp_path):
            assert contents(two) == (b"a1", b"by hand")
            assert names(tmp_path) == ["a", "sub", "sub/b"]

    def test_a_file_changed_between_renames_is_for_a_person(self, tmp_path: Path, two: tuple[Path, Path]) -> None:
        temporary = self.cut(tmp_path, two, renamed=1)
        two[1].write_bytes(b"by hand")
        for _ in range(2):
            with pytest.raises(EditError, match="cannot be finished") as caught, locked(tmp_path):
                raise AssertionError
        assert JOURNAL in caught.value.hint
        assert contents(two) == (b"a2", b"by hand")
        assert temporary.exists()

    def test_a_file_changed_after_its_rename_is_left(self, tmp_path: Path, two: tuple[Path, Path]) -> None:
        self.cut(tmp_path, two, renamed=1)
        two[0].write_bytes(b"by hand")
        with locked(tmp_path):
            assert contents(two) == (b"by hand", b"b2")

    def test_a_new_text_that_is_gone_is_for_a_person(self, tmp_path: Path, two: tuple[Path, Path]) -> None:
        self.cut(tmp_path, two, renamed=1).unlink()
        with pytest.raises(EditError, match="the new text is gone"), locked(tmp_path):
            raise AssertionError

    def test_new_texts_that_are_all_gone_are_taken_back(self, tmp_path: Path, two: tuple[Path, Path]) -> None:
        self.cut(tmp_path, two, renamed=0).unlink()
        with locked(tmp_path):
            assert contents(two) == (b"a1", b"b1")
            assert names(tmp_path) == ["a", "sub", "sub/b"]

    def test_a_target_that_cannot_be_read(self, tmp_path: Path, two: tuple[Path, Path]) -> None:
        self.cut(tmp_path, two, renamed=0)
        two[0].unlink()
        two[0].mkdir()
        with pytest.raises(EditError, match="Is a directory"), locked(tmp_path):
            raise AssertionError

    @pytest.mark.parametrize(
        "text",
        [
            "", "[]", "{", "5", '{"version": 2}', '{"version": 1, "folders": [], "steps": []}',
            '{"version": 1, "folders": [], "steps": [5]}',
            '{"version": 1, "folders": [], "steps": [{"target": "a", "temporary": "b", "old": "", "new": ""}]}',
            '{"version": 1, "folders": [], "steps": [{"target": "a", "temporary": "x/.a.0123456789ab.tmp"}]}',
            '{"version": 1, "steps": [{"target": "a", "temporary": "x/.a.0123456789ab.tmp", "old": "", "new": ""}]}',
            '{"version": 1, "see": 5}',
        ],
    )  # fmt: skip
    def test_a_damaged_journal_is_for_a_person(self, tmp_path: Path, text: str) -> None:
        (tmp_path / JOURNAL).write_text(text)
        (tmp_path / "b").write_text("kept")
        with pytest.raises(EditError, match="is damaged") as caught, locked(tmp_path):
            raise AssertionError
        assert "delete it" in caught.value.hint
        assert names(tmp_path) == [JOURNAL, "b"]

    def test_a_journal_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / JOURNAL).mkdir()
        with pytest.raises(EditError, match="nothing was written"), locked(tmp_path):
            raise AssertionError


class TestTwoLockedFolders:
    """A step over files of two folders with locks of their own is found from either."""

    @pytest.fixture
    def folders(self, tmp_path: Path) -> tuple[Path, Path]:
        one, other = tmp_path / "one", tmp_path / "other"
        for folder in (one, other):
            folder.mkdir()
            (folder / "f").write_bytes(b"f1")
        return one, other

    def test_it_leaves_nothing(self, tmp_path: Path, folders: tuple[Path, Path]) -> None:
        one, other = folders
        with locked(*folders):
            write_both(one, (one / "f", other / "f"), also=(other,))
        assert (one / "f").read_bytes() == (other / "f").read_bytes() == b"f2"
        assert names(tmp_path) == ["one", "one/f", "other", "other/f"]

    @pytest.mark.parametrize("found_from", ["one", "other"])
    def test_a_cut_step_is_finished_from_either(
        self, tmp_path: Path, folders: tuple[Path, Path], found_from: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one, other = folders
        with monkeypatch.context() as patch:
            refuse_replace(patch, after=3)  # the pointer, the journal, the first file
            with pytest.raises(EditError, match="1 of 2"):
                write_both(one, (one / "f", other / "f"), also=(other,))
        assert {f"one/{JOURNAL}", f"other/{JOURNAL}"} < set(names(tmp_path))
        with locked(tmp_path / found_from):
            assert (one / "f").read_bytes() == (other / "f").read_bytes() == b"f2"
        assert names(tmp_path) == ["one", "one/f", "other", "other/f"]

    def test_a_pointer_to_a_step_that_ended_is_void(self, folders: tuple[Path, Path], tmp_path: Path) -> None:
        _, other = folders
        for name in ("../one", "../nowhere"):
            (other / JOURNAL).write_text(json.dumps({"version": 1, "see": name}))
            with locked(other):
                assert names(tmp_path) == ["one", "one/f", "other", "other/f"]

    def test_a_pointer_that_cannot_be_written_takes_all_back(
        self, folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one, other = folders
        refuse_replace(monkeypatch, after=1)
        with pytest.raises(EditError, match="nothing was written"):
            write_both(one, (one / "f", other / "f"), also=(other,))
        assert names(tmp_path) == ["one", "one/f", "other", "other/f"]


def test_names_on_another_drive_are_kept_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def other_drive(*_: object) -> str:
        raise ValueError

    monkeypatch.setattr(os.path, "relpath", other_drive)
    assert journal._relative(Path("/d/a"), Path("/c")) == str(Path("/d/a"))
