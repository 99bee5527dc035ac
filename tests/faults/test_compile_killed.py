"""kill -9 during ``mneme compile``: recall still answers, and the next compile ends where that one would have."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest

from mneme.cli.main import cli, run
from mneme.graph.store import connect, read
from mneme.graph.store.dump import dump
from tests.conftest import Runner, cell

STORE = Path(".mnemon/data/default/mnemon.db")
BEFORE = "\n".join(cell(f"FACT-000{number}", gist=f"Cache number {number} is slow") for number in (1, 2, 3))
AFTER = "\n".join(
    (
        cell("FACT-0001", gist="Cache number 1 is slow", state="retired"),
        cell("FACT-0003", gist="Cache number 3 is quick"),
        cell("FACT-0004", gist="Because of that, cache number 4 is slow", more="link  supersedes FACT-0003\n"),
    )
)

CASES: dict[str, tuple[str, tuple[str, ...], int]] = {
    "a new store": ("", (), 11),
    "changes": (BEFORE, ("--accept-content", "FACT-0003"), 7),
    "all anew": (BEFORE, ("--rebuild", "--accept-content", "FACT-0003"), 7),
}


def compile_and_die(folder: Path, arguments: tuple[str, ...], at: int) -> bool:
    """Compile in a child that is killed before statement number ``at``; return whether it came so far."""
    child = os.fork()
    if child == 0:  # pragma: no cover - measured nowhere: it dies
        code = 99
        try:
            os.chdir(folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            count = itertools.count(1)
            real = connect.opened

            def watched(path: Path, **options: str | int) -> sqlite3.Connection:
                connection = real(path, **options)
                connection.set_trace_callback(
                    lambda _: os.kill(os.getpid(), signal.SIGKILL) if next(count) == at else None
                )
                return connection

            connect.opened = watched
            code = int(run(cli, ["compile", *arguments]))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def dumped(folder: Path) -> str:
    return read(folder / STORE, lambda reader: dump(reader.rows))


@pytest.mark.parametrize("case", CASES)
def test_at_many_statements(tmp_path: Path, mneme: Runner, case: str) -> None:
    before, arguments, step = CASES[case]
    folder, start = tmp_path / "project", tmp_path / "start"
    folder.mkdir()
    (folder / "mneme.toml").touch()
    if before:
        (folder / "x.mneme").write_text(before)
        assert mneme("compile", cwd=folder).code == 0
    (folder / "x.mneme").write_text(AFTER)
    shutil.copytree(folder, start)
    assert mneme("compile", *arguments, cwd=folder).code == 0
    wanted, answer = dumped(folder), mneme("recall", "slow cache", cwd=folder).out
    assert "FACT-0004" in answer
    for at in itertools.count(1, step):
        shutil.rmtree(folder)
        shutil.copytree(start, folder)
        if not compile_and_die(folder, arguments, at):
            assert at > 30
            break
        left = {path: path.read_bytes() for path in (folder / STORE.parent).glob("*")}
        assert mneme("recall", "slow cache", cwd=folder).out == answer, f"statement {at}"
        assert {path: path.read_bytes() for path in (folder / STORE.parent).glob("*")} == left, f"statement {at}"
        assert mneme("compile", *arguments, cwd=folder).code == 0
        assert dumped(folder) == wanted, f"statement {at}"
        assert [path.name for path in (folder / STORE.parent).iterdir()] == [STORE.name]
        assert (folder / "x.mneme").read_text() == AFTER
