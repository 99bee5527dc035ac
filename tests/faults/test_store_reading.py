"""Reading a store while others write it, or after they died: what was committed, and not a byte of it touched."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from mneme.graph.model import Insight
from mneme.graph.store import NoSuchStore, Reader, StoreBusy, memory_copy, open_store, read, snapshot
from mneme.graph.usage import Usage, counted, record

PAGE = 4096


def put(path: Path, *ids: str) -> None:
    with open_store(path) as store, store.transaction():
        store.put_insights(Insight(id_, f"content {id_}", created_at="2026-01-01T00:00:00Z") for id_ in ids)


def ids(path: Path) -> list[str]:
    return sorted(read(path, lambda reader: list(reader.insights())))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@contextmanager
def another_process(code: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """Run ``code`` in a process that says a line when it is so far, and ends when its input does."""
    head = "import sqlite3, sys\ndatabase = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
    tail = "\nprint('ready', flush=True)\nsys.stdin.read()\n"
    command = [sys.executable, "-c", head + code + tail, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            assert process.stdin
            process.stdin.close()
            process.wait()


INSERT = "INSERT INTO insights (id, content, created_at, updated_at) VALUES ('{}', 'content', '', '')"
COMMITTED = f'database.execute("{INSERT.format("new")}")\n'
BEGUN = f"""
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("{INSERT.format("half")}")
database.execute("UPDATE insights SET content = hex(randomblob(100000))")
"""


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        (COMMITTED, ["new", "old"]),
        (BEGUN, ["old"]),
        (COMMITTED + BEGUN, ["new", "old"]),
        (COMMITTED + "database.execute('PRAGMA wal_checkpoint(PASSIVE)')", ["new", "old"]),
        (COMMITTED + "database.execute('PRAGMA wal_checkpoint(TRUNCATE)')" + BEGUN, ["new", "old"]),
    ],
    ids=["committed", "begun", "committed and begun", "moved into the file", "moved, and begun again"],
)
@pytest.mark.parametrize("name", ["mnemon.db", "my #1 100%?.db", "ein Name mit ü & 'Zeichen'.db", "%20?mode=rw"])
def test_what_is_committed_is_read_and_nothing_is_touched(
    tmp_path: Path, name: str, code: str, answer: list[str]
) -> None:
    path = tmp_path / name
    put(path, "old")
    assert list(files(tmp_path)) == [name], "a writer leaves one file"
    with another_process(code, path):
        before = files(tmp_path)
        assert len(before) == 3, "the other one holds the database open"
        assert ids(path) == answer
        with memory_copy(path) as copy:
            assert sorted(copy.insights()) == answer
        assert files(tmp_path) == before


def test_a_link_to_a_store_is_the_store(tmp_path: Path) -> None:
    """What SQLite keeps beside it lies beside the file, not beside the link."""
    path, link = tmp_path / "deep" / "mnemon.db", tmp_path / "link.db"
    path.parent.mkdir()
    put(path, "old")
    link.symlink_to(Path("deep") / "mnemon.db")
    with another_process(COMMITTED, path):
        assert ids(link) == ["new", "old"]
    put(link, "newer")
    assert ids(path) == ["new", "newer", "old"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["deep", "link.db"]
    assert link.is_symlink()
    link.with_name("nowhere").symlink_to("none")
    with pytest.raises(NoSuchStore):
        ids(link.with_name("nowhere"))


def test_a_writer_that_died_is_read_and_the_next_one_tidies_up(tmp_path: Path) -> None:
    path = tmp_path / "mnemon.db"
    put(path, "old")
    with another_process(COMMITTED + BEGUN, path) as process:
        process.kill()
        process.wait()
        before = files(tmp_path)
        assert set(before) == {"mnemon.db", "mnemon.db-wal", "mnemon.db-shm"}
        assert ids(path) == ["new", "old"]
        assert files(tmp_path) == before
    put(path, "newer")
    assert list(files(tmp_path)) == ["mnemon.db"]
    assert ids(path) == ["new", "newer", "old"]


def test_a_writer_that_died_while_it_moved_pages_into_the_file(tmp_path: Path) -> None:
    """Any number of pages may have arrived; the head says how long the file is before it is."""
    path = tmp_path / "mnemon.db"
    put(path, "old")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute(INSERT.format("new"))
        database.execute("UPDATE insights SET content = hex(randomblob(20000))")
        before, log = path.read_bytes(), path.with_name("mnemon.db-wal").read_bytes()
        database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        after = path.read_bytes()
    assert len(after) > len(before)
    for name in files(tmp_path):
        (tmp_path / name).unlink()
    path.with_name("mnemon.db-wal").write_bytes(log)
    whole = len(after) // PAGE
    for pages in (*range(4), *range(4, whole, 9), whole):
        torn = after[: pages * PAGE] + before[pages * PAGE :]
        path.write_bytes(torn)
        assert ids(path) == ["new", "old"], f"{pages} pages"
        assert files(tmp_path) == {"mnemon.db": torn, "mnemon.db-wal": log}


def test_a_journal_of_a_writer_that_died_is_read_too(tmp_path: Path) -> None:
    """Not in WAL mode: what the file holds is half of a transaction, and the journal takes it back."""
    path = tmp_path / "mnemon.db"
    put(path, "old")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    with another_process(BEGUN, path) as process:
        process.kill()
        process.wait()
        before = files(tmp_path)
        assert set(before) == {"mnemon.db", "mnemon.db-journal"}
        assert ids(path) == ["old"]
        assert files(tmp_path) == before


def test_what_is_written_during_a_read_makes_it_start_again(tmp_path: Path) -> None:
    path = tmp_path / "mnemon.db"
    put(path, "old")
    calls = []

    def work(reader: Reader) -> list[str]:
        found = sorted(reader.insights())
        calls.append(found)
        if len(calls) == 1:
            put(path, "new")
        return found

    assert read(path, work) == ["new", "old"]
    assert len(calls) == 2


def test_an_error_that_came_of_a_write_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "mnemon.db"
    put(path, "old")
    calls = []

    def work(reader: Reader) -> int:
        calls.append(reader)
        if len(calls) == 1:
            put(path, "new")
            raise sqlite3.DatabaseError("database disk image is malformed")
        return reader.view().count()

    assert read(path, work) == 2


def test_an_error_of_ones_own_is_raised_once(tmp_path: Path) -> None:
    path = tmp_path / "mnemon.db"
    put(path, "old")
    calls = []

    def work(reader: Reader) -> None:
        calls.append(reader)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read(path, work)
    assert len(calls) == 1


def test_a_file_that_never_rests_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mnemon.db"
    put(path, "old")
    real: Callable[[Path], object] = snapshot._state
    times = iter(range(1_000_000))

    def restless(file: Path) -> object:
        os.utime(file, ns=(0, next(times)))
        return real(file)

    monkeypatch.setattr(snapshot, "_state", restless)
    with pytest.raises(StoreBusy, match="in use"):
        read(path, lambda reader: reader.view().count(), patience=0.05)


def test_two_writes_within_a_tick_of_the_clock_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File times are coarse: a file that was just written is compared, byte for byte, when it had to be copied."""
    path = tmp_path / "mnemon.db"
    put(path, "old")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(INSERT.format("new"))
        monkeypatch.setattr(snapshot, "_TICK_NS", 10**18)
        monkeypatch.setattr(snapshot.time, "sleep", lambda seconds: None)
        copied: list[Path] = []
        real: Callable[[Path, Path], bool] = snapshot._equal

        def meanwhile(file: Path, copy: Path) -> bool:
            copied.append(copy)
            if len(copied) == 1:
                facts = path.stat()
                with path.open("r+b") as stream:
                    stream.seek(PAGE - 1)
                    stream.write(b"!")
                os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
            return real(file, copy)

        monkeypatch.setattr(snapshot, "_equal", meanwhile)
        assert ids(path) == ["new", "old"]
    assert len(copied) == 2


def test_reading_gives_up_no_lock_of_a_writer_in_the_same_process(tmp_path: Path) -> None:
    """Closing any handle of a file drops a process's POSIX locks on it; another one could then delete the -wal."""
    path = tmp_path / "mnemon.db"
    put(path, "old")
    with open_store(path) as store:
        with store.transaction():
            store.put_insights([Insight("new", "c", created_at="2026")])
        assert path.with_name("mnemon.db-wal").stat().st_size
        assert ids(path) == ["new", "old"]
        with another_process("database.execute('SELECT count(*) FROM insights').fetchone()\ndatabase.close()", path):
            assert path.with_name("mnemon.db-wal").exists()
        with store.transaction():
            store.put_insights([Insight("newer", "c", created_at="2026")])
    assert ids(path) == ["new", "newer", "old"]
    assert list(files(tmp_path)) == ["mnemon.db"]
    assert not snapshot._kept
    assert not snapshot._writers


def test_usage_is_counted_beside_the_stores(tmp_path: Path) -> None:
    file = tmp_path / "state" / "usage.db"
    assert counted(file, "default") == {}
    assert record(file, "default", ["a", "b"], "2026-01-02T00:00:00Z")
    assert record(file, "default", ["a"], "2026-01-01T00:00:00Z", by=3)
    assert record(file, "other", ["a"], "2026-01-03T00:00:00Z")
    assert counted(file, "default") == {"a": Usage(4, "2026-01-02T00:00:00Z"), "b": Usage(1, "2026-01-02T00:00:00Z")}
    assert counted(file, "default", ["b", "none"]) == {"b": Usage(1, "2026-01-02T00:00:00Z")}
    assert list(files(file.parent)) == ["usage.db"]


@pytest.mark.parametrize("what", ["no database", "a folder", "no room for a folder"])
def test_usage_that_cannot_be_kept_stops_nothing(tmp_path: Path, what: str) -> None:
    file = tmp_path / "state" / "usage.db"
    if what == "no room for a folder":
        file.parent.write_text("a file")
    else:
        file.parent.mkdir()
        file.mkdir() if what == "a folder" else file.write_text("no database, but long enough to look like one" * 9)
    assert not record(file, "default", ["a"], "2026")
    assert counted(file, "default") == {}
