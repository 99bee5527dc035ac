"""kill -9 in the middle of ``mneme compile``: the text is as it was, and the next command finds or makes it whole.

A child runs the command and kills itself at its n-th step: before a statement of SQL, or before a call that touches
the disk outside of SQLite.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mneme.cli.main import cli, run
from mneme.graph.store import connect, memory_store, read
from mneme.graph.store.dump import dump
from tests.conftest import Runner, cell

STORE = Path(".mnemon/data/default/mnemon.db")
TOUCHING = ("open", "replace", "rename", "unlink", "mkdir", "rmdir", "link")
TEXT = {
    "a.mneme": cell("DEC-0001", more="link  causes FACT-0001\n") + "\n" + cell("FACT-0001", gist="Writes are slow"),
    "b/c.mneme": cell("FACT-0002", gist="Redis keeps the queue because it is fast", since="2026-10-01"),
}
EDITED = {
    "a.mneme": cell("DEC-0001", state="stale") + "\n" + cell("DEC-0002", gist="SQLite keeps the queue", cue="Redis"),
    "b/c.mneme": TEXT["b/c.mneme"] + "\n" + cell("FACT-0003", gist="JSON is slow", state="retired"),
    "d.mneme": cell("FACT-0001", gist="Writes are slow"),
}


def write(folder: Path, text: dict[str, str]) -> None:
    for name, content in text.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def damage(path: Path) -> None:
    """Spoil pages in the middle: the head still says that it is a store."""
    data = bytearray(path.read_bytes())
    for page in range(4, len(data) // 4096 - 1):
        data[page * 4096 : page * 4096 + 100] = b"\xff" * 100
    path.write_bytes(data)


def in_child(arguments: list[str], folder: Path, step: Callable[[str], None]) -> int:
    """Run a command in a child that calls ``step`` before each of its steps; return how it ended."""
    child = os.fork()
    if child == 0:  # pragma: no cover - measured nowhere: it dies
        code = 99
        try:
            os.chdir(folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            watch(step)
            code = int(run(cli, arguments))
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def watch(step: Callable[[str], None]) -> None:
    real = connect.opened

    def watched(path: Path, **options: str | int) -> sqlite3.Connection:
        connection = real(path, **options)
        if "immutable" not in options:  # what only reads has nothing to lose
            connection.set_trace_callback(step)
        return connection

    connect.opened = watched
    for name in TOUCHING:
        setattr(os, name, announced(name, getattr(os, name), step))


def announced(name: str, function: Callable[..., object], step: Callable[[str], None]) -> Callable[..., object]:
    def call(*arguments: object, **options: object) -> object:
        step(name)
        return function(*arguments, **options)

    return call


def steps(command: list[str], folder: Path, log: Path) -> list[str]:
    """Return the first word of each step that a command takes."""

    def note(what: str) -> None:
        with log.open("a") as file:
            file.write(f"{what.split(maxsplit=1)[0]}\n")

    assert in_child(command, folder, note) == 0
    return log.read_text().split()


def die_at(at: int) -> Callable[[str], None]:
    """Return what kills the process at the step of that number, from 0."""
    count = itertools.count()

    def step(_: str) -> None:
        if next(count) == at:
            os.kill(os.getpid(), signal.SIGKILL)

    return step


def telling(taken: list[str]) -> list[int]:
    """Return the steps to die at: all that can leave something different, and some inside of a transaction."""
    inside = {"INSERT", "UPDATE", "DELETE", "SELECT", "CREATE", "DROP", "--", "SAVEPOINT", "RELEASE", "WITH", "REPLACE"}
    found = [at for at, what in enumerate(taken) if what not in inside or taken[at - 1] not in inside or not at % 40]
    return [
        at for at in found if at == found[-1] or not (taken[at] == "PRAGMA" and taken[at - 1] == "PRAGMA" and at % 3)
    ]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def state(path: Path) -> str:
    return read(path, lambda reader: dump(reader.rows))


def prepare_fresh(folder: Path, mneme: Runner) -> None:
    write(folder, TEXT)


def prepare_incremental(folder: Path, mneme: Runner) -> None:
    write(folder, TEXT)
    assert mneme("compile", cwd=folder).code == 0
    assert mneme("recall", "redis queue", cwd=folder).code == 0
    write(folder, EDITED)


def prepare_damaged(folder: Path, mneme: Runner) -> None:
    prepare_incremental(folder, mneme)
    damage(folder / STORE)


CASES = {
    "fresh": (prepare_fresh, ["compile"]),
    "incremental": (prepare_incremental, ["compile"]),
    "rebuilt": (prepare_incremental, ["compile", "--rebuild"]),
    "rebuilt from a damaged one": (prepare_damaged, ["compile", "--rebuild"]),
}


@pytest.mark.parametrize("case", CASES)
def test_at_every_step(tmp_path: Path, case: str, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare, command = CASES[case]
    monkeypatch.setenv("MNEME_CACHE_DIR", str(tmp_path / "cache"))
    here = tmp_path / "here"  # a store notes where its workspace is: each attempt is made at the same place
    start = tmp_path / "start"
    here.mkdir()
    prepare(here, mneme)
    here.rename(start)

    def again() -> None:
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(start, here)

    again()
    assert mneme(*command, cwd=here).code == 0  # what it keeps for later runs is kept
    again()
    taken = steps(command, here, tmp_path / "steps")
    after = state(here / STORE)
    answer = mneme("recall", "why is the queue in redis", "--readonly", cwd=here)
    assert answer.out
    beside = set(tree(here))
    text = {name: content for name, content in tree(start).items() if name.endswith(".mneme")}
    spoilt = (start / STORE).read_bytes() if "damaged" in case else b""
    for at in telling(taken):
        where = f"step {at}, before {taken[at]}"
        again()
        assert in_child(command, here, die_at(at)) == -signal.SIGKILL
        left = tree(here)
        assert {name: content for name, content in left.items() if name.endswith(".mneme")} == text
        found = mneme("recall", "why is the queue in redis", "--readonly", cwd=here)
        assert tree(here) == left, f"{where}: reading wrote"
        if found.code:
            assert spoilt, found.err
            assert "--rebuild" in found.err
        else:
            assert found.out == answer.out, where
        assert mneme(*command, cwd=here).code == 0, where
        assert state(here / STORE) == after, f"{where}: the next one did not finish it"
        now = tree(here)
        assert set(now) == beside, f"{where}: something left over, or gone"
        assert now[".mnemon/.gitignore"].endswith(b"*\n"), where
        assert not spoilt or spoilt in now.values(), f"{where}: the damaged file is lost"
        with closing(sqlite3.connect(here / STORE)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_what_is_written_down_is_the_same_in_memory(tmp_path: Path, mneme: Runner) -> None:
    """The dump that the test above compares is not empty, and says what the cells say."""
    write(tmp_path, TEXT)
    assert mneme("compile").code == 0
    with memory_store() as empty:
        assert len(state(tmp_path / STORE)) > len(dump(empty.rows)) + 1000
    taken = steps(["compile", "--rebuild"], tmp_path, tmp_path / "steps")
    assert {"BEGIN", "COMMIT", "PRAGMA", "INSERT", "unlink"} <= set(taken) | {"unlink"}
    assert len(taken) > 100
    assert 10 < len(telling(taken)) < len(taken)
