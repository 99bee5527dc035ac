"""kill -9 in ``remember``, ``link``, ``forget`` and ``import``: the text is the old one or the new one, whole.

A child runs the command and kills itself at its n-th step: before a statement of SQL, or before a call that touches
the disk. Whatever it left: reading answers from the text, the same command again ends where it would have ended, and
the store is then what one compile of everything makes.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.cli.main import cli, run
from mneme.graph.store import connect, read
from mneme.graph.store.dump import dump
from tests.conftest import Runner, cell

STORE = Path(".mnemon/data/default/mnemon.db")
TOUCHING = ("open", "replace", "rename", "unlink", "mkdir", "rmdir", "link", "fsync")
TEXT = cell("DEC-0001", cue="auth") + "\n" + cell("DEC-0002", gist="Tokens cannot be revoked", cue="auth")

COMMANDS = {
    "remember": ["remember", "Sessions end because tokens cannot be revoked", "--tags", "auth", "--cat", "decision"],
    "link": ["link", "DEC-0001", "DEC-0002", "--type", "supersedes"],
    "forget": ["forget", "DEC-0001"],
    "import": ["import", "draft.json"],
}
DRAFT = (
    '{"schema_version": "1", "insights": [{"content": "Sessions end because tokens leak", "tags": ["auth"]},'
    ' {"content": "Tokens cannot be revoked"}],'
    ' "edges": [{"source_index": 0, "target_index": 1, "edge_type": "causal"}]}'
)
WHEN = {"remember": 1, "link": 3, "forget": 3, "import": 3}
"""At every how manieth step it is killed; all of them share what comes after the text."""


def run_and_die(arguments: list[str], folder: Path, at: int) -> bool:
    """Run a command in a child that is killed before step ``at``; return whether it came so far."""
    child = os.fork()
    if child == 0:  # pragma: no cover - measured nowhere: it dies
        code = 99
        try:
            os.chdir(folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            _watch(at)
            code = int(run(cli, arguments))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def _watch(at: int) -> None:
    count = itertools.count(1)

    def step(*_: object) -> None:
        if next(count) == at:
            os.kill(os.getpid(), signal.SIGKILL)

    real = connect.opened

    def watched(path: Path, **options: str | int) -> sqlite3.Connection:
        connection = real(path, **options)
        if "immutable" not in options:  # what only reads has nothing to lose
            connection.set_trace_callback(step)
        return connection

    connect.opened = watched
    for name in TOUCHING:
        setattr(os, name, _dying(getattr(os, name), step))


def _dying(function: Callable[..., object], step: Callable[[], None]) -> Callable[..., object]:
    def call(*arguments: object, **options: object) -> object:
        step()
        return function(*arguments, **options)

    return call


@pytest.mark.parametrize("name", COMMANDS)
def test_at_every_step(name: str, tmp_path: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = tmp_path / "draft.json"
    draft.write_text(DRAFT)
    arguments = [str(draft) if one == draft.name else one for one in COMMANDS[name]]
    monkeypatch.setenv("MNEME_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("MNEME_USER", "t")
    start = tmp_path / "start"
    start.mkdir()
    (start / "project.mneme").write_text(TEXT)
    assert mneme("compile", cwd=start).code == 0

    def fresh(called: str) -> Path:
        folder = tmp_path / called
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(start, folder)
        return folder

    whole = fresh("whole")
    assert mneme(*arguments, cwd=whole).code == 0
    after = (whole / "project.mneme").read_text()
    compiled = _state(whole)
    answer = mneme("recall", "sessions tokens", "--all", "--readonly", cwd=whole).out
    old = new = 0
    for at in itertools.count(1, WHEN[name]):
        folder = fresh("cut")
        if not run_and_die(arguments, folder, at):
            assert _state(folder) == compiled
            break
        text = (folder / "project.mneme").read_text()
        assert text in (TEXT, after), f"step {at}: half of a text"
        old += text == TEXT
        new += text == after
        if text == after:
            recalled = mneme("recall", "sessions tokens", "--all", "--readonly", cwd=folder)
            assert (recalled.code, recalled.out) == (0, answer), f"step {at}: an old answer"
            assert mneme("compile", cwd=folder).code == 0
        else:
            assert mneme(*arguments, cwd=folder).code == 0
        assert (folder / "project.mneme").read_text() == after
        assert _state(folder) == compiled, f"step {at}: the store is not what the text says"
        left = {path.name for path in folder.rglob("*") if path.is_file()}
        assert left <= {"project.mneme", "mnemon.db", ".gitignore"}, f"step {at}: something is left over"
    assert old >= 2
    assert new >= 10


def _state(folder: Path) -> str:
    return read(folder / STORE, lambda reader: dump(reader.rows))
