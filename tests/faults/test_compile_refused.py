"""Compile and recall where the store cannot be used or must not be touched: what is said, and what stays as it was."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mneme.graph.store import connect, read
from mneme.graph.store.dump import dump
from mneme.graph.usage import counted
from tests import peer_store
from tests.conftest import ROOT, Runner, cell

STORE = Path(".mnemon/data/default/mnemon.db")
USAGE = Path(".mnemon/state/usage.db")
ODD = "my #1 100%?.db"
TEXT = cell("DEC-0001") + "\n" + cell("FACT-0001", gist="Writes to JSON files are slow", cue="slow writes")
NEW = "\n" + cell("FACT-0002", gist="Redis keeps the queue", cue="queue")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "mneme.toml").touch()
    (folder / "notes.mneme").write_text(TEXT)
    return folder


@pytest.fixture
def compiled(project: Path, mneme: Runner) -> Path:
    assert mneme("compile", cwd=project).code == 0
    return project


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file: its bytes, and when it was written."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def add(project: Path) -> None:
    (project / "notes.mneme").write_text(TEXT + NEW)


def answers(project: Path, mneme: Runner, question: str = "slow writes", *options: str) -> list[str]:
    result = mneme("recall", question, "--readonly", *options, cwd=project)
    assert result.code == 0, result.err
    return [line.split()[0] for line in result.out.splitlines()]


# Not a byte is touched


@pytest.mark.parametrize("name", ["default", "plain.db", ODD])
@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("ranker", ["mneme", "magma"])
def test_reading_commands_touch_nothing(project: Path, mneme: Runner, name: str, behind: bool, ranker: str) -> None:
    where = () if name == "default" else ("--db", name)
    assert mneme("compile", *where, *(["notes.mneme"] if where else []), cwd=project).code == 0
    if behind:
        add(project)
    before = tree(project)
    for command in (
        ("recall", "slow writes", "--ranker", ranker), ("recall", "JSON", "--basic"), ("search", "slow"),
        ("related", "DEC-0001"), ("recall", "slow writes", "--format", "json"), ("compile", "--check"),
    ):  # fmt: skip
        quiet = ("--readonly",) if command[0] in ("recall", "search") else ()
        result = mneme(*command, *where, *quiet, cwd=project)
        assert (result.code, "Traceback" in result.err) == (int(behind and command[0] == "compile"), False), command
    assert tree(project) == before


@pytest.mark.parametrize("name", ["mnemon.db", ODD])
def test_what_a_writer_committed_and_has_not_checkpointed_is_recalled(project: Path, mneme: Runner, name: str) -> None:
    """The writer is alive and holds its -wal; the row is another program's, so only the store can know it."""
    assert mneme("compile", "--db", name, "notes.mneme", cwd=project).code == 0
    with closing(sqlite3.connect(project / name, isolation_level=None)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute(
            "INSERT INTO insights (id, content, category, importance, tags, entities, source, created_at, updated_at)"
            " VALUES ('peer', 'Kafka partitions are rebalanced at night', 'fact', 3, '[]', '[]', 'user',"
            " '2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z')"
        )
        before = tree(project)
        assert before[f"{name}-wal"][0]
        assert answers(project, mneme, "kafka partitions rebalanced", "--db", name)[0] == "peer"
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM insights")
        assert answers(project, mneme, "kafka partitions rebalanced", "--db", name)[0] == "peer", "readers never wait"
        writer.execute("ROLLBACK")
        assert tree(project).keys() == before.keys()
        assert tree(project)[name] == before[name]


def test_a_store_by_name_has_nothing_beside_it(project: Path, mneme: Runner, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for text in (TEXT, TEXT + NEW, TEXT):
        (project / "notes.mneme").write_text(text)
        assert mneme("compile", "--db", out / ODD, "notes.mneme", cwd=project).code == 0
        assert mneme("recall", "slow writes", "--db", out / ODD, cwd=project).out
        assert mneme("compile", "--db", out / ODD, "--rebuild", cwd=project).code == 0
        assert [path.name for path in out.iterdir()] == [ODD]
    assert not (project / ".mnemon").exists(), "usage is not counted for it anywhere"


def test_usage_is_counted_only_beside_stores_of_ours_and_survives(compiled: Path, mneme: Runner) -> None:
    assert mneme("recall", "slow writes", "--readonly", cwd=compiled).out
    assert not (compiled / USAGE).exists()
    for _ in range(2):
        assert mneme("recall", "slow writes", cwd=compiled).out
    before = counted(compiled / USAGE, "default")
    assert before["FACT-0001"].accesses == 2
    assert mneme("compile", "--rebuild", cwd=compiled).code == 0
    (compiled / STORE).unlink()
    assert mneme("compile", cwd=compiled).code == 0
    assert counted(compiled / USAGE, "default") == before


# What cannot be used


def damage(path: Path) -> None:
    """Spoil the pages in the middle: the head still says that it is a store."""
    data = bytearray(path.read_bytes())
    for page in range(4, len(data) // 4096 - 1):
        data[page * 4096 : page * 4096 + 100] = b"\xff" * 100
    path.write_bytes(data)


def test_a_damaged_store_is_kept_aside_by_a_rebuild_and_usage_survives(compiled: Path, mneme: Runner) -> None:
    assert mneme("recall", "slow writes", cwd=compiled).out
    used = counted(compiled / USAGE, "default")
    assert used
    whole = read(compiled / STORE, lambda reader: dump(reader.rows))
    damage(compiled / STORE)
    before = tree(compiled)
    add(compiled)
    result = mneme("compile", cwd=compiled)
    assert (result.code, "damaged" in result.err, "--rebuild" in result.err) == (2, True, True)
    assert tree(compiled)[str(STORE)] == before[str(STORE)], "never by itself"
    (compiled / "notes.mneme").write_text(TEXT)
    result = mneme("compile", "--rebuild", cwd=compiled)
    assert (result.code, "was kept as" in result.err) == (0, True)
    assert read(compiled / STORE, lambda reader: dump(reader.rows)) == whole
    assert counted(compiled / USAGE, "default") == used
    kept = [path for path in (compiled / STORE).parent.iterdir() if path.name != STORE.name]
    assert [path.read_bytes() for path in kept] == [before[str(STORE)][0]]
    assert "FACT-0001" in answers(compiled, mneme)


@pytest.mark.parametrize("what", ["empty", "not there"])
def test_a_file_of_no_bytes_is_a_store_not_made_yet(compiled: Path, mneme: Runner, what: str) -> None:
    whole = read(compiled / STORE, lambda reader: dump(reader.rows))
    (compiled / STORE).write_bytes(b"")
    if what == "not there":
        (compiled / STORE).unlink()
    assert "FACT-0001" in answers(compiled, mneme)
    assert (compiled / STORE).exists() == (what == "empty")
    assert mneme("compile", cwd=compiled).code == 0
    assert read(compiled / STORE, lambda reader: dump(reader.rows)) == whole


@pytest.mark.parametrize("whose", ["the engine", "mneme"])
@pytest.mark.parametrize("command", ["compile", "compile --rebuild", "recall slow", "search slow"])
def test_a_store_of_a_newer_program(compiled: Path, mneme: Runner, whose: str, command: str) -> None:
    if whose == "mneme":
        with closing(sqlite3.connect(compiled / STORE)) as database:
            database.execute("UPDATE mneme_meta SET value = '99' WHERE key = 'schema'")
            database.commit()
    else:
        (compiled / STORE).unlink()
        peer_store.write(compiled / STORE, new=True, user_version=9)
    add(compiled)
    before = tree(compiled)
    result = mneme(*command.split(), cwd=compiled)
    assert (result.code, "made by a newer program" in result.err, "update mneme" in result.err) == (2, True, True)
    assert tree(compiled) == before


def test_a_file_system_without_locks(compiled: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on some network folders: nothing can be written there safely, and all can be read."""
    add(compiled)
    before = tree(compiled)
    real = connect.opened
    monkeypatch.setattr(connect, "opened", lambda file, **options: real(file, **options, vfs="unix-none"))
    result = mneme("compile", cwd=compiled)
    assert (result.code, "no locks" in result.err, "--data-dir" in result.err) == (2, True, True)
    assert tree(compiled) == before
    assert answers(compiled, mneme, "queue") == ["FACT-0002"]


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), -1))
from mneme.cli.main import cli, run
sys.exit(run(cli, sys.argv[2:]))
"""


@pytest.mark.parametrize("made", [False, True])
@pytest.mark.parametrize("room", [1, 5_000, 40_000])
def test_a_full_disk(project: Path, mneme: Runner, made: bool, room: int) -> None:
    """A limit on the size of files does to SQLite what a full disk does: a write comes back short."""
    if made:
        assert mneme("compile", cwd=project).code == 0
        for number in range(10, 60):
            with (project / "notes.mneme").open("a") as file:
                file.write("\n" + cell(f"FACT-00{number}", gist=f"Number {number} is slow " + "long " * 10))
    before = tree(project)
    known = read(project / STORE, lambda reader: dump(reader.rows)) if made else ""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(room), "-C", project, "compile"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "nothing was written" in done.stderr
    assert "Traceback" not in done.stderr
    assert {name: facts for name, facts in tree(project).items() if name.endswith(".mneme")} == {
        name: facts for name, facts in before.items() if name.endswith(".mneme")
    }
    if made:
        assert read(project / STORE, lambda reader: dump(reader.rows)) == known
    assert "FACT-0001" in answers(project, mneme)
    assert mneme("compile", cwd=project).code == 0
    assert mneme("compile", "--check", cwd=project).code == 0
    assert [path.name for path in (project / STORE).parent.iterdir()] == [STORE.name]


@pytest.fixture
def plain_user(mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A compiled project of one who is not root: permissions do not hold root back."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    folder = top / "project"
    folder.mkdir()
    (folder / "mneme.toml").touch()
    (folder / "notes.mneme").write_text(TEXT)
    monkeypatch.setenv("HOME", str(top))
    monkeypatch.setenv("MNEME_CACHE_DIR", str(top / "cache"))
    for command in (["compile"], ["recall", "slow"], ["compile", "--check"], ["nonsense"], ["compile", "--rebuild"]):
        mneme(*command, cwd=folder)  # what they import may not be readable to others
    shutil.rmtree(folder / ".mnemon/state")
    add(folder)
    assert mneme("recall", "queue", "--readonly", cwd=folder).out
    own = os.geteuid()
    if own == 0:
        for path in (top, *top.rglob("*")):
            os.chown(path, 65534, 65534)
        os.seteuid(65534)
    yield folder
    if own == 0:
        os.seteuid(0)
    for path in (top, *top.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(top)


@pytest.mark.parametrize("closed", ["the folder of the store", "all"])
def test_what_may_only_be_read(plain_user: Path, mneme: Runner, closed: str) -> None:
    before = tree(plain_user)
    places = [(plain_user / STORE).parent] if closed != "all" else [*plain_user.rglob("*"), plain_user]
    for path in places:
        path.chmod(0o555 if path.is_dir() else 0o444)
    result = mneme("compile", cwd=plain_user)
    assert (result.code, "read-only; nothing was written" in result.err) == (2, True)
    result = mneme("recall", "queue", cwd=plain_user)
    assert (result.code, result.out.split()[0]) == (0, "FACT-0002")
    after = tree(plain_user)
    assert {name: after[name] for name in before} == before
    if closed == "all":
        assert after == before, "usage is best effort"


# The same each time


def test_two_processes_with_different_hashes_write_the_same(tmp_path: Path, mneme_process: Runner) -> None:
    texts = {
        f"{name}.mneme": "\n".join(
            cell(
                f"{prefix}-{number:04}", gist=f"{word} uses SQLite and Redis because Docker {number % 7} is slow",
                cue=f"{word} / 缓存 / DataLoader", since=f"2026-0{1 + number % 8}-11",
                more=f"link  {relation} {prefix}-{1 + number % 25:04}\norigin agent=a{number % 3}\n",
            )
            for number in range(1, 26)
        )
        for name, prefix, word, relation in (("a", "DEC", "Search", "causes"), ("b/c", "FACT", "并发写入", "relates"))
    }  # fmt: skip
    dumps, answers = [], []
    for seed in ("0", "1", "4242"):
        folder = tmp_path / f"seed{seed}"
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        env = {"PYTHONHASHSEED": seed}
        assert mneme_process("compile", cwd=folder, env=env).code == 0
        dumps.append(read(folder / STORE, lambda reader: dump(reader.rows)))
        answers += [
            mneme_process("recall", "why is 缓存 in Redis slow", "--readonly", "--ranker", ranker, "--format", "json",
                          cwd=folder, env=env).out
            for ranker in ("mneme", "magma")
        ]  # fmt: skip
    assert len(dumps[0].splitlines()) > 500
    assert dumps[0] == dumps[1] == dumps[2]
    assert answers[0:2] == answers[2:4] == answers[4:6]
    assert all(answers)


@pytest.mark.parametrize("ranker", ["mneme", "magma"])
def test_thirty_two_recalls_are_identical(compiled: Path, mneme: Runner, ranker: str) -> None:
    """Use is counted meanwhile, and a compile comes between: no answer leans on either."""
    said = set()
    for number in range(32):
        result = mneme("recall", "why are writes slow", "--ranker", ranker, "--format", "json", cwd=compiled)
        assert result.code == 0
        said.add(result.out)
        if number % 10 == 9:
            assert mneme("compile", "--rebuild", cwd=compiled).code == 0
    assert len(said) == 1
    assert counted(compiled / USAGE, "default")["FACT-0001"].accesses == 32


# What is not parsed again is not forgotten


def test_an_id_of_a_file_that_did_not_change_is_used_twice(compiled: Path, mneme: Runner) -> None:
    """Only the new file is parsed: the store knows what the others hold."""
    before = tree(compiled)
    (compiled / "z.mneme").write_text(cell("FACT-0001", gist="Another belief", cue="another"))
    result = mneme("compile", cwd=compiled)
    assert (result.code, result.out.count("MN101") + result.err.count("MN101")) == (1, 1)
    assert tree(compiled)[str(STORE)] == before[str(STORE)]
    result = mneme("recall", "another", "--readonly", cwd=compiled)
    assert (result.code, result.out) == (2, "")
    (compiled / "z.mneme").write_text(cell("FACT-0009", gist="Another belief", cue="another"))
    assert mneme("compile", cwd=compiled).code == 0
    assert answers(compiled, mneme, "another") == ["FACT-0009"]


def test_a_link_from_a_file_that_did_not_change(compiled: Path, mneme: Runner) -> None:
    """Its target comes, goes, and comes again in another file: each time the edge is what a rebuild makes."""
    (compiled / "links.mneme").write_text(cell("DEC-0005", more="link  causes FACT-0007\nlink  relates DEC-0001\n"))
    target = cell("FACT-0007", gist="Queues are long", cue="queues")
    for change in (
        lambda: (compiled / "x.mneme").write_text(target), (compiled / "x.mneme").unlink,
        lambda: (compiled / "y.mneme").write_text(target),
        lambda: (compiled / "y.mneme").write_text(target.replace("state live", "state retired")),
    ):  # fmt: skip
        assert mneme("compile", cwd=compiled).code == 0
        change()
        assert mneme("compile", cwd=compiled).code == 0
        found = read(compiled / STORE, lambda reader: dump(reader.rows))
        assert mneme("compile", "--data-dir", "anew", "--rebuild", cwd=compiled).code == 0
        assert found == read(compiled / "anew/data/default/mnemon.db", lambda reader: dump(reader.rows))
        shutil.rmtree(compiled / "anew")
