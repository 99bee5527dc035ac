"""MN709 in repositories: wherever the attribute comes from, and only there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Runner, cell

Git = Callable[..., str]


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    git("init", "-q")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.mneme").write_text(cell(), encoding="utf-8")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    return tmp_path


def codes(mneme: Runner, folder: Path, *arguments: str) -> list[str]:
    done = mneme("lint", "--format", "concise", "--select", "MN7", *arguments, cwd=folder)
    assert done.code == (1 if "MN709" in done.out else 0)
    return [line for line in done.out.splitlines() if "MN709" in line]


@pytest.mark.parametrize("where", [".gitattributes", "notes/.gitattributes", ".git/info/attributes"])
def test_it_is_refused_wherever_it_is_said(repo: Path, mneme: Runner, where: str) -> None:
    (repo / where).parent.mkdir(exist_ok=True)
    (repo / where).write_text("*.mneme merge=union\n", encoding="utf-8")
    assert codes(mneme, repo)[0].startswith("notes/a.mneme:1:1: error MN709 union-merge")
    assert codes(mneme, repo / "notes")[0].startswith("a.mneme:1:1: error MN709")
    assert len(codes(mneme, repo, "--staged")) == 1
    assert codes(mneme, repo, "--no-history") == []


def test_in_a_linked_worktree(repo: Path, mneme: Runner, git: Git, tmp_path_factory: pytest.TempPathFactory) -> None:
    tree = tmp_path_factory.mktemp("trees") / "tree"
    git("worktree", "add", "-q", tree)
    (repo / ".git" / "info").mkdir(exist_ok=True)
    (repo / ".git" / "info" / "attributes").write_text("*.mneme merge=union\n", encoding="utf-8")
    assert len(codes(mneme, tree)) == 1


@pytest.mark.parametrize("line", ["*.md merge=union", "*.mneme merge=union\n*.mneme merge=mneme", "# merge=union"])
def test_other_files_and_other_drivers_are_fine(repo: Path, mneme: Runner, line: str) -> None:
    (repo / ".gitattributes").write_text(f"{line}\n", encoding="utf-8")
    assert codes(mneme, repo) == []


def test_outside_of_git_nobody_asks(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "a.mneme").write_text(cell(), encoding="utf-8")
    (tmp_path / ".gitattributes").write_text("*.mneme merge=union\n", encoding="utf-8")
    assert codes(mneme, tmp_path) == []
