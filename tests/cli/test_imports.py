"""What commands import: hooks run at every commit and prompt, so a command loads what it uses and no more."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from mneme.cli.main import COMMANDS
from tests.conftest import cell

HEAVY = (
    "lark",
    "dateutil",
    "sqlite3",
    "pathspec",
    "filelock",
    "asyncio",
    "email",
    "http",
    "unittest",
    "detect_secrets",
)
"""Top-level modules that cost something and that no quick command needs."""


def imported(*arguments: str, cwd: Path) -> set[str]:
    """Return the names of all modules that ``mneme ARGUMENTS`` imports; it has to succeed."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mneme", *arguments],
        cwd=cwd, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    said = [line for line in done.stderr.splitlines() if line not in lines]
    assert (done.returncode, said) == (0, []), done.stdout
    return {line.rpartition("|")[2].strip() for line in lines}


def loaded(names: set[str], *packages: str) -> list[str]:
    return sorted(name for name in names if name.partition(".")[0] in packages)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]], ids=" ".join)
def test_quick_commands_load_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    names = imported(*arguments, cwd=tmp_path)
    assert "mneme.cli.main" in names
    assert loaded(names, *HEAVY, "subprocess", "tempfile", "json", "hashlib", "tomllib", "difflib") == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_loads_nothing_heavy(command: str, tmp_path: Path) -> None:
    names = imported(command, "--help", cwd=tmp_path)
    assert loaded(names, *HEAVY) == []
    floors = {name.split(".")[1] for name in names if name.startswith("mneme.")}
    assert floors <= {"cli", "errors"}, "a command module imports lower floors inside its function"


def test_lint_of_a_clean_file(tmp_path: Path) -> None:
    """Cold, it needs lark and no more; the second time the compiled grammar comes from the cache."""
    (tmp_path / "project.mneme").write_text(cell(), encoding="utf-8")
    cold = imported("lint", "project.mneme", cwd=tmp_path)
    assert "lark" in cold
    assert loaded(cold, *[name for name in HEAVY if name != "lark"]) == []
    assert loaded(imported("lint", "project.mneme", cwd=tmp_path), *HEAVY) == []


def test_spine_and_new_id_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell(), encoding="utf-8")
    for arguments in (["spine", "project.mneme"], ["new-id", "DEC", "project.mneme"]):
        names = imported(*arguments, cwd=tmp_path)
        assert loaded(names, *[name for name in HEAVY if name != "lark"], "subprocess") == []
        assert not [name for name in names if name.startswith("mneme.lint")]


def test_classic_tool_needs_what_its_metadata_lists(tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell(), encoding="utf-8")
    script = "import sys; from mneme.cli.classic import command; command.main(standalone_mode=False)\n"
    script += "sys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "\nlint: 1 cells, 0 error, 0 warn\n"
    assert "lark" in done.stderr.split()
    assert loaded(set(done.stderr.split()), "pathspec", "filelock", "sqlite3", "asyncio") == []


def processor_ms(command: list[str], cwd: Path) -> float:
    """Return the least processor time of a few runs, in milliseconds: what else the machine does adds to the others."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, check=True, env=os.environ)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times) * 1000


def test_version_costs_little_over_a_bare_interpreter(tmp_path: Path) -> None:
    bare = processor_ms([sys.executable, "-c", "pass"], tmp_path)
    assert processor_ms([sys.executable, "-m", "mneme", "--version"], tmp_path) - bare <= 80
