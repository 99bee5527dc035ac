"""kill -9 at every step: the text is the old one or the new one, whole, and the next writer tidies up.

A child process runs the command and kills itself at the n-th call that touches the disk, for every n.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mneme.cli.main import cli, run
from mneme.memory import new_cell
from tests.conftest import Runner, cell

TOUCHING = ("open", "replace", "fsync", "unlink", "mkdir", "rmdir", "link", "chmod")

Tree = dict[str, str]


def tree(folder: Path) -> Tree:
    """Every file of the project and of the home beside it, by its path from the project."""
    return {os.path.relpath(path, folder): path.read_text() for path in folder.parent.rglob("*") if path.is_file()}


def run_and_die(arguments: list[str], folder: Path, at: int) -> bool:
    """Run a command in a child that is killed at its call number ``at``; return whether it came so far."""
    child = os.fork()
    if child == 0:  # pragma: no cover - measured nowhere: it dies
        code = 99
        try:
            os.chdir(folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            count = itertools.count(1)
            for name in TOUCHING:
                setattr(os, name, dying(getattr(os, name), count, at))
            code = int(run(cli, arguments))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def dying(function: Callable[..., object], count: Iterator[int], at: int) -> Callable[..., object]:
    def call(*arguments: object, **options: object) -> object:
        if next(count) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)

    return call


SUPERSEDE = ["supersede", "DEC-0001", "Local cache uses DuckDB", "--file", "new.mneme"]
CASES = {
    "add": (["add", "DEC", "A second belief"], {"project.mneme": cell("DEC-0001")}),
    "add to a new file in a new folder": (
        ["add", "DEC", "A second belief", "--file", "memory/new.mneme"], {"project.mneme": cell("DEC-0001")},
    ),
    "supersede over two files": (
        SUPERSEDE,
        {"project.mneme": cell("DEC-0001"), "new.mneme": cell("FACT-0001"), "other.mneme": cell("FACT-0002")},
    ),
    "supersede into a new file": (SUPERSEDE, {"project.mneme": cell("DEC-0001")}),
    "seen over three files": (
        ["seen", "DEC-0001", "FACT-0001", "FACT-0002"],
        {"project.mneme": cell("DEC-0001"), "new.mneme": cell("FACT-0001"), "sub/other.mneme": cell("FACT-0002")},
    ),
    "supersede over two locked folders": (
        ["supersede", "PREF-0001", "I like blanks", "--file", "me.local.mneme"],
        {"../home/.mneme/user.mneme": cell("PREF-0001"), "project.mneme": cell("DEC-0001")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_at_every_step(case: str, tmp_path: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, before = CASES[case]
    monkeypatch.setattr(new_cell, "suffixes", lambda: iter(["k3v9x2ab"]))
    monkeypatch.setenv("MNEME_CACHE_DIR", str(tmp_path / "cache"))

    def fresh(name: str) -> Path:
        monkeypatch.setenv("HOME", str(tmp_path / name / "home"))
        folder = tmp_path / name / "project"
        folder.mkdir(parents=True)
        for path, text in before.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return folder

    assert mneme(*arguments, cwd=fresh("whole")).code == 0
    after = tree(tmp_path / "whole" / "project")
    ended_old = ended_new = 0
    for at in itertools.count(1):
        folder = fresh("cut")
        if not run_and_die(arguments, folder, at):
            assert tree(folder) == after
            break
        left = tree(folder)
        for path, text in left.items():
            if path.endswith(".mneme"):
                assert text in (before.get(path), after[path]), f"call {at}: {path} is neither old nor new"
        assert set(before) <= set(left), f"call {at}: a file is gone"
        assert mneme("spine", "--all", cwd=folder).code == 0
        assert tree(folder) == left, f"call {at}: a reading command wrote"
        # The next writer, of something else, finishes the step or takes it back, and leaves nothing lying about.
        assert mneme("add", "TODO", "Something else", "--file", "next.mneme", cwd=folder).out == "TODO-0001\n"
        if "../home/.mneme/user.mneme" in before:  # a folder with a lock of its own is tidied by who writes there
            own = folder.parent / "home" / ".mneme" / "next.mneme"
            assert mneme("add", "TODO", "Something else", "--file", own, cwd=folder).code == 0
            own.unlink()
        now = tree(folder)
        assert now.pop("next.mneme")
        assert now in (before, after), f"call {at}: half of the step, or something left over"
        ended_old += now == before
        ended_new += now == after
        shutil.rmtree(folder.parent)
    assert ended_old >= 3
    assert ended_new >= 1
