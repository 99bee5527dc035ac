"""Twenty writers at once: nothing is lost, and no two cells share an ID."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import TODAY, Runner, cell

WRITERS = 20


def at_once(folder: Path, commands: Sequence[Sequence[str]]) -> list[str]:
    """Start all commands, then wait for all; return what each printed."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "mneme", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )
        for arguments in commands
    ]  # fmt: skip
    ended = [(*process.communicate(timeout=120), process.returncode) for process in running]
    assert [code for _, _, code in ended] == [0] * len(commands), [said for _, said, _ in ended]
    return [out.strip() for out, _, _ in ended]


def heads(*paths: Path) -> list[str]:
    return [line.split()[1] for path in paths for line in path.read_text().splitlines() if line.startswith("@ ")]


def test_to_one_file(tmp_path: Path, mneme: Runner) -> None:
    path = tmp_path / "project.mneme"
    path.write_text(cell("DEC-0001"))
    printed = at_once(tmp_path, [["add", "DEC", f"Belief number {number}"] for number in range(WRITERS)])
    text = path.read_text()
    assert text.startswith(cell("DEC-0001"))
    assert sorted(printed) == [f"DEC-{number:04d}" for number in range(2, WRITERS + 2)]
    assert sorted(heads(path)) == ["DEC-0001", *sorted(printed)]
    assert sorted(re.findall(r"Belief number (\d+)\n", text), key=int) == [str(number) for number in range(WRITERS)]
    assert [entry.name for entry in tmp_path.iterdir()] == ["project.mneme"]
    assert mneme("lint", "--select", "MN1").code == 0


def test_to_several_files_of_both_layers_with_state_changes_between(tmp_path: Path, mneme: Runner) -> None:
    own = Path.home() / ".mneme" / "user.mneme"
    files = [tmp_path / "a.mneme", tmp_path / "sub" / "b.mneme", tmp_path / "project.local.mneme", own]
    (tmp_path / "a.mneme").write_text("\n".join([cell(f"FACT-000{number}") for number in range(1, 5)]))
    adds = [
        ["add", "DEC", f"Belief number {number}", "--topic", "x/y", *options]
        for number, options in enumerate(
            [["--file", "a.mneme"], ["--file", "sub/b.mneme"], ["--personal"], ["--file", str(own)]] * 4
        )
    ]
    changes = [["seen", "FACT-0003", "FACT-0004"], ["set", "FACT-0001", "FACT-0004", "--imp", "4"]]
    both = [["supersede", "FACT-0001", "Another", "--file", "sub/b.mneme"], ["supersede", "FACT-0002", "Yet another"]]
    printed = at_once(tmp_path, [*changes, *adds[:8], *both, *adds[8:]])
    new = [entry for entry in printed if entry]
    assert len(new) == len(set(new)) == 18
    assert sorted(heads(*files)) == sorted([*(f"FACT-000{number}" for number in range(1, 5)), *new])
    text = "".join(path.read_text() for path in files)
    assert len(re.findall(r"Belief number \d+\n", text)) == 16
    changed = (tmp_path / "a.mneme").read_text()
    assert (changed.count("state superseded"), changed.count(f"seen {TODAY}   imp 4"), changed.count("imp 4")) == (
        2,
        1,
        2,
    )
    assert changed.count(f"since 2026-11-01   seen {TODAY}") == 2
    assert sorted(str(entry.relative_to(tmp_path)) for entry in tmp_path.rglob("*")) == [
        "a.mneme", "project.local.mneme", "sub", "sub/b.mneme",
    ]  # fmt: skip
    assert [entry.name for entry in own.parent.iterdir()] == ["user.mneme"]
    assert mneme("lint", "--select", "MN1,one-sided-supersession").code == 0


def test_to_one_workspace_from_two(tmp_path: Path) -> None:
    """Whoever writes to a file of another workspace waits for the writers there, and sees their IDs."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mneme.toml").write_text("")
    words = [["add", "DEC", f"Belief number {number}", "--file", "../two/a.mneme"] for number in range(4)]
    inside = [["-C", "../two", "add", "DEC", f"Belief number {number}"] for number in range(4, 8)]
    printed = at_once(tmp_path / "one", [command for pair in zip(words, inside, strict=True) for command in pair])
    assert sorted(printed) == [f"DEC-{number:04d}" for number in range(1, 9)]
    assert sorted(heads(*(tmp_path / "two").glob("*.mneme"))) == sorted(printed)
