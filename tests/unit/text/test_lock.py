"""Locks on folders: exclusive, in one order, with a way out where folders cannot be locked."""

from __future__ import annotations

import fcntl
import multiprocessing
import sys
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from mneme.errors import EditError
from mneme.text import lock
from mneme.text.lock import held

processes = multiprocessing.get_context("spawn")


def hold(folder: Path, taken: Event, release: Event) -> None:
    with held([folder]):
        taken.set()
        release.wait(30)


def test_another_process_waits_and_gives_up_with_a_message(tmp_path: Path) -> None:
    taken, release = processes.Event(), processes.Event()
    other = processes.Process(target=hold, args=(tmp_path, taken, release))
    other.start()
    try:
        assert taken.wait(30)
        with pytest.raises(EditError, match="another mneme command has been writing there"), held([tmp_path], 0):
            raise AssertionError
    finally:
        release.set()
        other.join(30)
    with held([tmp_path], 0):
        assert list(tmp_path.iterdir()) == []


def test_it_waits_until_the_lock_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def busy_twice(_handle: int, _operation: int) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise BlockingIOError

    pauses: list[float] = []
    monkeypatch.setattr(fcntl, "flock", busy_twice)
    monkeypatch.setattr(lock.time, "sleep", pauses.append)
    with held([tmp_path]):
        assert len(tries) == 3
    assert pauses == [0.002, 0.004]


def test_one_folder_by_two_names_is_locked_once(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("a")
    with held([tmp_path / "a", tmp_path / "link", tmp_path / "a" / ".." / "a"], 0):
        pass


def test_every_process_takes_locks_in_the_same_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    orders: list[list[str]] = []
    opened = lock.os.open

    def note(path: Path, flags: int) -> int:
        orders[-1].append(path.name)
        return opened(path, flags)

    monkeypatch.setattr(lock.os, "open", note)
    for given in (folders, folders[::-1], [folders[1], folders[2], folders[0]]):
        orders.append([])
        with held(given, 0):
            pass
    assert orders[0] == orders[1] == orders[2]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EditError, match="No such file"), held([tmp_path / "nowhere"]):
        raise AssertionError


def test_a_folder_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(lock.os, "open", refuse)
    with pytest.raises(EditError, match="Permission denied; nothing was written"), held([tmp_path]):
        raise AssertionError


class TestWhereFoldersCannotBeLocked:
    """A lock file stands in: on Windows, and on network file systems that refuse."""

    @pytest.fixture(params=["windows", "network file system"], autouse=True)
    def no_folder_locks(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
        if request.param == "windows":
            monkeypatch.setattr(lock, "sys", type("Fake", (), {"platform": "win32"}))
        else:
            monkeypatch.setattr(lock, "_flock", lambda *_: False)

    def test_it_excludes(self, tmp_path: Path) -> None:
        with (
            held([tmp_path]),
            pytest.raises(EditError, match="another mneme command"),
            held([tmp_path], 0),
        ):
            raise AssertionError
        with held([tmp_path], 0):
            assert [path.name for path in tmp_path.iterdir()] == [".mneme-lock"]

    def test_a_lock_file_that_cannot_be_made(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import filelock

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
        with pytest.raises(EditError, match="cannot be locked: Permission denied"), held([tmp_path]):
            raise AssertionError


def test_a_file_system_without_folder_locks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(9, "Bad file descriptor")

    handle = lock.os.open(tmp_path, lock.os.O_RDONLY)
    monkeypatch.setattr(fcntl, "flock", refuse)
    assert lock._flock(handle, tmp_path, 0) is False
    lock.os.close(handle)
    assert sys.platform != "win32"
