"""README's git section, run as it stands by a newcomer in a new clone: guard, diff and merge."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.test_install_git import FIRST, SECOND, THIRD, Repo
from tests.conftest import ROOT, Runner


def commands() -> list[list[str]]:
    """Return the commands of the first block below the heading, without ``mneme``."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## In git: ")[2]
    block = re.search(r"```console\n(.*?)```", text, re.DOTALL)
    assert block
    lines = [shlex.split(line, comments=True) for line in block[1].splitlines()]
    assert all(words[:2] == ["$", "mneme"] for words in lines)
    return [words[2:] for words in lines]


def test_one_command_each_in_a_new_clone(tmp_path: Path, mneme: Runner) -> None:
    origin = Repo(tmp_path / "origin")
    origin.path.mkdir()
    origin.git("init", "-q", "-b", "main")
    for number, text in enumerate((FIRST, FIRST + "# one\n", FIRST + "# two\n", f"{FIRST}\n{SECOND}")):
        origin.commit(f"{number}", project_mneme=text)
    origin.git("clone", "-q", str(origin.path), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")

    guard, diff, merge = commands()
    assert mneme(*guard, cwd=clone.path).code == 0
    shown = mneme(*diff, cwd=clone.path)
    assert shown.code == 0
    assert "added       DEC-0002" in shown.out
    assert mneme(*merge, cwd=clone.path).code == 0
    clone.commit("attributes")

    (clone.path / "project.mneme").write_text(f"{FIRST.replace('SQLite', 'LMDB')}\n{SECOND}", encoding="utf-8")
    refused = clone.run("commit", "-q", "-a", "-m", "edited")
    assert refused.returncode == 1
    assert "content-edited" in refused.stderr
    clone.git("checkout", "-q", "project.mneme")

    clone.git("switch", "-q", "-c", "feature")
    clone.commit("theirs", project_mneme=f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003')}")
    clone.git("switch", "-q", "main")
    clone.commit(
        "ours", project_mneme=f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003').replace('ARM', 'x86')}"
    )
    done = clone.run("merge", "--no-edit", "feature")
    assert done.returncode == 0, done.stderr
    assert "DEC-0003 was given twice" in done.stderr
    assert [line for line in clone.text("project.mneme").splitlines() if line.startswith("@")] == [
        "@ DEC-0001  storage/cache", "@ DEC-0002  api/auth", "@ DEC-0003  build/ci", "@ DEC-0004  build/ci",
    ]  # fmt: skip
    assert "@@ @ DEC-0003  build/ci\n" in clone.git("show", "-m", "--first-parent", "HEAD")
