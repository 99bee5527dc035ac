"""Stores that cannot be used: why, what to do, exit 2; and nothing of them is changed."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mneme.errors import ExitCode
from mneme.graph.model import Insight
from mneme.graph.store import (
    NoSuchStore,
    NotAStore,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreTooNew,
    StoreUnwritable,
    connect,
    damaged,
    memory_copy,
    open_store,
    read,
    writer,
)
from mneme.graph.store.errors import told
from tests import peer_store

Use = Callable[[Path], object]


def insights(count: int, size: int = 10) -> list[Insight]:
    return [Insight(f"N-{number:05}", "word " * size, created_at="2026-01-01T00:00:00Z") for number in range(count)]


def write(path: Path) -> None:
    with open_store(path, patience=0.1) as store, store.transaction():
        store.put_insights(insights(5))


def look(path: Path) -> list[str]:
    """Read all of it."""
    return read(path, lambda reader: [*reader.insights(), *map(str, reader.edges())], patience=0.1)


def tree(folder: Path) -> dict[str, bytes | None]:
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mnemon.db"


@pytest.fixture
def store(path: Path) -> Path:
    with open_store(path) as one, one.transaction():
        one.put_insights(insights(500, 40))
    return path


def sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


# What it is not


def no_database(path: Path) -> None:
    path.write_text("@ DEC-0001  topic\ngist  this is text, and longer than the head of a database is\n" * 9)


def cut_off(path: Path) -> None:
    write(path)
    path.write_bytes(path.read_bytes()[:50])


def of_another_program(path: Path) -> None:
    sql(path, "CREATE TABLE bookmarks (id INTEGER)")


def newer_engine(path: Path) -> None:
    peer_store.write(path, new=True, user_version=2)


def newer_mneme(path: Path) -> None:
    write(path)
    sql(path, "UPDATE mneme_meta SET value = '2' WHERE key = 'schema'")


WRONG = [
    (no_database, StoreCorrupt, "not a database"),
    (cut_off, StoreCorrupt, "damaged"),
    (of_another_program, NotAStore, "a database, but not a memory store"),
    (newer_engine, StoreTooNew, "newer program"),
    (newer_mneme, StoreTooNew, "newer program"),
    (Path.mkdir, StoreError, "a folder, not a store"),
]


@pytest.mark.parametrize("use", [write, look, memory_copy])
@pytest.mark.parametrize(("make", "error", "says"), WRONG)
def test_what_is_no_store_of_ours_is_left_alone(
    path: Path, make: Use, error: type[StoreError], says: str, use: Use
) -> None:
    make(path)
    before = tree(path.parent)
    with pytest.raises(error, match=says) as caught:
        use(path)
    assert caught.value.hint
    assert caught.value.exit_code == ExitCode.UNUSABLE
    after = tree(path.parent)
    assert after[path.name] == before[path.name]
    assert set(after) == {path.name}, "nothing stays beside it"


@pytest.mark.parametrize("use", [look, memory_copy, lambda path: open_store(path, create=False)])
def test_no_such_store(path: Path, use: Use) -> None:
    with pytest.raises(NoSuchStore, match="no such store"):
        use(path)
    assert tree(path.parent) == {}


def test_an_empty_file_is_an_empty_store(path: Path) -> None:
    """It is what a writer leaves that died before its first statement."""
    path.touch()
    assert look(path) == []
    assert path.read_bytes() == b""
    with memory_copy(path) as copy:
        assert copy.totals()["insights"] == 0
    write(path)
    assert len(look(path)) == 5


def test_a_store_is_made_with_its_folders(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "in" / "mnemon.db")
    assert len(look(tmp_path / "deep" / "in" / "mnemon.db")) == 5


def test_a_damaged_store_offers_a_rebuild(store: Path) -> None:
    """Some page of the middle is no page any more."""
    data = bytearray(store.read_bytes())
    for page in range(4, len(data) // 4096 - 1):
        data[page * 4096 : page * 4096 + 100] = b"\xff" * 100
    store.write_bytes(data)
    assert damaged(store)
    for use in (look, write, memory_copy):
        before = store.read_bytes()
        with pytest.raises(StoreCorrupt, match="damaged") as caught:
            use(store)
        assert "--rebuild" in caught.value.hint
        assert store.read_bytes() == before


@pytest.mark.parametrize("make", [no_database, cut_off])
def test_what_is_no_database_counts_as_damaged(path: Path, make: Use) -> None:
    make(path)
    assert damaged(path)


def test_what_is_sound_does_not(path: Path) -> None:
    write(path)
    assert not damaged(path)
    peer_store.write(path.with_name("peer.db"), new=False, user_version=0)
    assert not damaged(path.with_name("peer.db"))
    of_another_program(path.with_name("bookmarks.db"))
    with pytest.raises(NotAStore):
        damaged(path.with_name("bookmarks.db"))
    with pytest.raises(NoSuchStore):
        damaged(path.with_name("none.db"))


def test_a_text_that_is_no_utf8_is_shown_with_marks(path: Path) -> None:
    peer_store.write(path, new=True)
    sql(path, f"UPDATE insights SET content = CAST(x'666f6f2062ff6172' AS TEXT) WHERE id = '{peer_store.A}'")
    contents = read(path, lambda reader: reader.insights([peer_store.A])[peer_store.A].content)
    assert contents == "foo b\ufffdar"
    with open_store(path) as one:
        assert one.insights([peer_store.A])[peer_store.A].content == "foo b\ufffdar"


# In use


@pytest.mark.parametrize("made", ["ours", "old"])
def test_a_store_that_is_in_use(path: Path, made: str) -> None:
    if made == "ours":
        write(path)
    else:
        peer_store.write(path, new=False)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"in use by another program for more than 0\.1 seconds") as caught:
            write(path)
        assert "run this command again" in caught.value.hint
        assert "database is locked" not in str(caught.value)
        assert look(path), "readers are never blocked"
        other.execute("ROLLBACK")
    write(path)


def test_a_writer_waits_for_its_turn(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        pauses: list[float] = []

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 9:
                other.execute("ROLLBACK")

        monkeypatch.setattr(connect.time, "sleep", pause)
        with open_store(path) as one, one.transaction():
            one.put_insights([Insight("new", "c", created_at="2026")])
    assert pauses == sorted(pauses), "with growing pauses"
    assert pauses[-1] <= 0.05
    assert "new" in look(path)


# No room, no rights


def test_a_full_disk(store: Path) -> None:
    before = look(store)
    with open_store(store) as one:
        one._connection.execute(f"PRAGMA max_page_count = {store.stat().st_size // 4096 + 5}")
        with pytest.raises(StoreUnwritable, match="full"), one.transaction():
            one.put_insights(insights(5000, 100))
    assert look(store) == before
    assert list(tree(store.parent)) == [store.name]
    write(store)


LIMITED = """
import resource, sys
from pathlib import Path
from mneme.graph.store import StoreUnwritable, open_store
from tests.faults.test_store_refused import insights
path = Path(sys.argv[1])
if sys.argv[2] == "new":
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, -1))
try:
    with open_store(path) as one:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20_000, -1))
        with one.transaction():
            one.put_insights(insights(500, 100))
except StoreUnwritable as error:
    print(error.message)
    sys.exit(error.exit_code)
"""


@pytest.mark.parametrize("made", ["new", "there"])
def test_a_limit_on_the_size_of_files(path: Path, made: str) -> None:
    if made == "there":
        write(path)
    before = look(path) if path.exists() else []
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, path, made], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert "the disk is full or a limit on its size is reached; nothing was written" in done.stdout
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == -1
    assert look(path) == before
    write(path)
    assert look(path)[:5] == [one.id for one in insights(5)]
    assert list(tree(path.parent)) == [path.name]


@pytest.fixture
def plain_user() -> Iterator[Path]:
    """A folder with a store, of one who is not root: permissions do not hold root back."""
    folder = Path(tempfile.mkdtemp())
    file = folder / "mnemon.db"
    write(file)
    look(file)  # what they import may not be readable to others
    for place in (folder, file):
        os.chown(place, 65534, 65534)
    if os.geteuid() == 0:
        os.seteuid(65534)
        yield file
        os.seteuid(0)
    else:
        yield file
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("closed", ["folder", "file", "both"])
def test_a_store_that_may_only_be_read(plain_user: Path, closed: str) -> None:
    if closed != "folder":
        plain_user.chmod(0o444)
    if closed != "file":
        plain_user.parent.chmod(0o555)
    before = tree(plain_user.parent)
    assert len(look(plain_user)) == 5
    with pytest.raises(StoreUnwritable, match="read-only") as caught:
        write(plain_user)
    assert caught.value.hint
    assert tree(plain_user.parent) == before


def test_a_store_that_may_not_be_made(plain_user: Path) -> None:
    plain_user.parent.chmod(0o555)
    for file in (plain_user.with_name("new.db"), plain_user.parent / "deep" / "new.db"):
        with pytest.raises(StoreUnwritable):
            write(file)
    with pytest.raises(StoreUnwritable, match=r"Not a directory|File exists"):
        write(plain_user / "new.db")


def test_a_store_that_may_not_be_read(plain_user: Path) -> None:
    plain_user.chmod(0o000)
    for use in (look, write):
        with pytest.raises(StoreUnwritable):
            use(plain_user)
    plain_user.chmod(0o644)
    plain_user.parent.chmod(0o000)
    for use in (look, write):
        with pytest.raises(StoreError, match="Permission denied"):
            use(plain_user)


def test_a_file_system_without_locks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite cannot work in WAL mode there, and says so by staying in another one."""
    real = connect.opened
    monkeypatch.setattr(connect, "opened", lambda file, **options: real(file, **options, vfs="unix-none"))
    with pytest.raises(StoreUnwritable, match="no locks or shared memory") as caught:
        write(path)
    assert "MNEMON_DATA_DIR" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("SQLITE_BUSY_SNAPSHOT", "in use"),
        ("SQLITE_PROTOCOL", "in use"),
        ("SQLITE_IOERR_LOCK", "no locks"),
        ("SQLITE_IOERR_SHMOPEN", "no locks"),
        ("SQLITE_IOERR_WRITE", "disk is full"),
        ("SQLITE_FULL", "disk is full"),
        ("SQLITE_READONLY_DBMOVED", "read-only"),
        ("SQLITE_CANTOPEN_ISDIR", "cannot be opened"),
        ("SQLITE_CORRUPT_VTAB", "damaged"),
        ("SQLITE_IOERR_READ", "cannot be read or written"),
    ],
)
def test_what_sqlite_says_in_words(name: str, says: str) -> None:
    error = sqlite3.OperationalError(name)
    error.sqlite_errorcode = getattr(sqlite3, name)
    story = told(error, Path("some.db"), 20)
    assert story is not None
    assert says in story.message
    assert story.message.startswith("some.db: ")


def test_a_python_without_full_text_search() -> None:
    story = told(sqlite3.OperationalError("no such module: fts5"), Path("some.db"))
    assert story is not None
    assert "has no full-text search (FTS5)" in story.message
    assert told(sqlite3.OperationalError("no such table: x"), Path("some.db")) is None


def test_a_mistake_of_ours_is_told_as_it_is(store: Path) -> None:
    with open_store(store) as one, pytest.raises(sqlite3.IntegrityError), one.transaction():
        one.put_edges([writer.Edge("N-00001", "nobody", "causal", 1.0)])
