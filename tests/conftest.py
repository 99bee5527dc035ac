"""What every test stands on: an empty home, a fixed day, no configuration of the machine's, a way to run commands."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

TODAY = "2026-11-25"

AGENTS = ("AI_AGENT", "GEMINI_CLI", "CURSOR_AGENT", "OPENCODE", "QWEN_CODE")
"""Variables by which a command knows that an agent runs it."""

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def isolated(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the machine's home, git configuration, clock or colours, and none loads a model by the way."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "MNEME_", "MNEMON_", "XDG_", "CLAUDE", "CODEX_", *AGENTS)):
            monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(home), "USERPROFILE": str(home), "NO_COLOR": "1", "MNEME_TODAY": TODAY, "MNEME_EMBED": "off",
        "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.invalid",
        "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.invalid",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def offline_pip() -> dict[str, str]:
    """Return the environment variables that make pip install from the wheelhouse alone, on any machine."""
    script = ROOT / "scripts" / "build_wheelhouse.py"
    check = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stderr
    return {
        "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(ROOT / ".wheelhouse"), "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }  # fmt: skip


@dataclass
class Result:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str


Runner = Callable[..., Result]


@pytest.fixture
def mneme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run ``mneme ARGS`` in this process, in ``tmp_path`` or the folder given as ``cwd``."""
    from mneme.cli.main import cli

    return _in_process(cli, tmp_path, monkeypatch)


@pytest.fixture
def mneme_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run ``mneme_tool ARGS``, the classic tool, like ``mneme``."""
    from mneme.cli.classic import command

    return _in_process(command, tmp_path, monkeypatch)


def _in_process(command: click.Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    from mneme.cli.main import run

    def runner(*arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"") -> Result:
        monkeypatch.chdir(cwd or folder)
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with redirect_stdout(out), redirect_stderr(err):
            code = run(command, [str(argument) for argument in arguments])
        texts = []
        for stream in (out, err):
            stream.flush()
            assert isinstance(stream.buffer, io.BytesIO)
            texts.append(stream.buffer.getvalue().decode("utf-8"))
        assert "Traceback" not in texts[1]
        return Result(int(code), *texts)

    return runner


@pytest.fixture
def mneme_process(tmp_path: Path) -> Runner:
    """Run ``python -m mneme ARGS`` as a real process."""

    def runner(
        *arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", env: dict[str, str] | None = None
    ) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "mneme", *map(str, arguments)], cwd=cwd or tmp_path, input=stdin,
            capture_output=True, check=False, env={**os.environ, **(env or {})},
        )  # fmt: skip
        return Result(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    return runner


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """Run ``git ARGS`` in ``tmp_path`` (or ``cwd``), and return what it printed; fails the test when git does."""

    def runner(*arguments: str | Path, cwd: Path | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *map(str, arguments)], cwd=cwd or tmp_path, capture_output=True, text=True, check=False
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    return runner


def cell(
    cell_id: str = "DEC-0001", *, gist: str = "Local cache uses SQLite instead of JSON files", **values: str
) -> str:
    """Return the text of a cell that lint has nothing to say about on the fixed day."""
    topic = values.get("topic", "storage/cache")
    state = f"state {values.get('state', 'live')}   conf {values.get('conf', 'high')}"
    dates = f"since {values.get('since', '2026-11-01')}   seen {values.get('seen', '2026-11-20')}"
    text = f"@ {cell_id}  {topic}\ngist  {gist}\n{state}   {dates}\ncue   {values.get('cue', 'slow queries / cache')}\n"
    return text + values.get("more", "")
