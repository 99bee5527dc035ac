"""The hooks of .pre-commit-hooks.yaml through the real pre-commit framework, installed offline from our checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import cell

pytestmark = pytest.mark.install

GOOD = cell("DEC-0001")
BAD = GOOD + "\n" + cell("DEC-0001", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
OVERDUE = cell("DEC-0001", since="2026-01-01", seen="2026-01-01")
OLD = cell("DEC-0009", gist="Pages are numbered from one", topic="api/paging", since="2026-01-01", seen="2026-01-01")
OVERDUE_LINE = (
    "project.mneme:3:50: warning MN401 overdue: DEC-0001 is live but was not confirmed for 328 days (limit 45)"
)

PRE_COMMIT = [sys.executable, "-m", "pre_commit"]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def published(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return our checkout as a git repository with one commit: what others name in their configuration."""
    folder = tmp_path_factory.mktemp("published") / "mneme"
    shutil.copytree(checkout, folder)
    identity = {
        f"GIT_{who}_{what}": "t@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "--no-verify", "-m", "published"]):
        subprocess.run(
            ["git", *arguments], cwd=folder, check=True,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **identity},
        )  # fmt: skip
    return folder


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for what pre-commit and virtualenv keep."""
    return tmp_path_factory.mktemp("stores")


@pytest.fixture
def run(tmp_path: Path, offline_pip: dict[str, str], stores: Path) -> Run:
    """Run a command in ``tmp_path``, a fresh repository, where pre-commit installs from the wheelhouse."""
    environment = {
        **os.environ, **offline_pip, "PRE_COMMIT_HOME": str(stores / "pre-commit"), "PRE_COMMIT_COLOR": "never",
        "VIRTUALENV_OVERRIDE_APP_DATA": str(stores / "virtualenv"), "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
    }  # fmt: skip

    def runner(*command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            list(map(str, command)), cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8",
        )  # fmt: skip

    assert runner("git", "init", "-q", "-b", "main").returncode == 0
    return runner


def stage(run: Run, folder: Path, text: str, name: str = "project.mneme") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    assert run("git", "add", name).returncode == 0
    return path


def after_the_hook(output: str, hook: str = "mneme lint") -> list[str]:
    """The lines that pre-commit shows for a hook, its own remarks left out."""
    lines = output.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(f"{hook}..."))
    return [line for line in lines[start + 1 :] if line and not line.startswith("- ")]


def test_try_repo_stops_a_duplicate_id(run: Run, tmp_path: Path, published: Path) -> None:
    stage(run, tmp_path, BAD)
    done = run(*PRE_COMMIT, "try-repo", published, "mneme-lint")
    assert done.returncode == 1, done.stdout
    assert "project.mneme:6:3: error MN101 duplicate-id: duplicate ID: DEC-0001" in done.stdout


def test_try_repo_lets_decay_pass_and_shows_it(run: Run, tmp_path: Path, published: Path) -> None:
    stage(run, tmp_path, OVERDUE)
    done = run(*PRE_COMMIT, "try-repo", published, "mneme-lint")
    assert done.returncode == 0, done.stdout
    assert after_the_hook(done.stdout) == [OVERDUE_LINE, "mneme: 1 warning (overdue 1)"]


def configure(run: Run, folder: Path, published: Path, hook: str) -> list[str]:
    """Name one of our hooks in the repository's configuration, and return what runs it: one environment for all."""
    revision = run("git", "-C", published, "rev-parse", "HEAD").stdout.strip()
    config = f"repos:\n- repo: {published}\n  rev: {revision}\n  hooks: [{{id: {hook}}}]\n"
    (folder / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
    return [*PRE_COMMIT, "run", hook]


def test_it_shows_cells_whose_code_changes(run: Run, tmp_path: Path, published: Path) -> None:
    leaning = cell("DEC-0001", since="2020-01-01", seen="2020-01-01", more="> See src/store.py.\n")
    (tmp_path / "src").mkdir()
    stage(run, tmp_path, "x = 1\n", "src/store.py")
    stage(run, tmp_path, leaning)
    assert run("git", "commit", "-q", "-m", "both").returncode == 0
    evidence = configure(run, tmp_path, published, "mneme-evidence")
    done = run(*evidence)
    assert (done.returncode, after_the_hook(done.stdout, "mneme evidence")) == (0, []), done.stdout
    stage(run, tmp_path, "x = 2\n", "src/store.py")
    done = run(*evidence)  # no memory file is in this commit
    assert done.returncode == 0, done.stdout
    assert after_the_hook(done.stdout, "mneme evidence") == [
        "project.mneme:1: changed DEC-0001: src/store.py changed since 2020-01-01: a change that is not committed yet",
        "mneme: 1 live cell to look at again (mneme review)",
    ]


def test_it_stops_a_projection_that_is_behind(run: Run, tmp_path: Path, published: Path) -> None:
    stage(run, tmp_path, '[projections]\nblocks = ["AGENTS.md"]\n', "mneme.toml")
    stage(run, tmp_path, "# Agents\n", "AGENTS.md")
    stage(run, tmp_path, GOOD)
    project = configure(run, tmp_path, published, "mneme-project")
    done = run(*project)
    assert done.returncode == 1, done.stdout
    assert "AGENTS.md is behind: 1 entry to add, 0 to remove" in done.stdout
    assert run(sys.executable, "-m", "mneme", "project").returncode == 0
    assert run("git", "add", "AGENTS.md").returncode == 0
    done = run(*project)
    assert done.returncode == 0, done.stdout


def test_a_day_with_the_hooks(run: Run, tmp_path: Path, published: Path) -> None:
    revision = run("git", "-C", published, "rev-parse", "HEAD").stdout.strip()
    config = f"repos:\n- repo: {published}\n  rev: {revision}\n  hooks: [{{id: mneme-fmt}}, {{id: mneme-lint}}]\n"
    stage(run, tmp_path, config, ".pre-commit-config.yaml")
    done = run(*PRE_COMMIT, "install", "-t", "pre-commit", "-t", "pre-merge-commit")
    assert done.returncode == 0, done.stdout
    path = stage(run, tmp_path, GOOD)
    done = run("git", "commit", "-m", "good")
    assert done.returncode == 0, done.stdout
    assert after_the_hook(done.stdout)[0].startswith("[main ")  # git's own word: the hook printed nothing

    stage(run, tmp_path, OLD, "old.mneme")
    done = run("git", "commit", "-m", "decay")
    assert done.returncode == 0
    told = OVERDUE_LINE.replace("project.mneme", "old.mneme").replace("DEC-0001", "DEC-0009")
    assert after_the_hook(done.stdout)[:2] == [told, "mneme: 1 warning (overdue 1)"]

    stage(run, tmp_path, BAD)
    path.write_text(GOOD, encoding="utf-8")
    assert run("git", "commit", "-m", "bad is staged").returncode == 1
    assert path.read_text(encoding="utf-8") == GOOD
    stage(run, tmp_path, f"# ours\n\n{GOOD}")
    path.write_text(BAD, encoding="utf-8")
    assert run("git", "commit", "-m", "good is staged").returncode == 0
    assert path.read_text(encoding="utf-8") == BAD

    crooked = GOOD.replace("state live   conf", "state   live conf")
    stage(run, tmp_path, crooked)
    done = run("git", "commit", "-m", "crooked")
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert path.read_text(encoding="utf-8") == GOOD

    run("git", "reset", "-q", "--hard")
    run("git", "checkout", "-q", "-b", "side")
    stage(run, tmp_path, GOOD, "side.mneme")
    assert run("git", "commit", "--no-verify", "-m", "the same number").returncode == 0
    run("git", "checkout", "-q", "main")
    stage(run, tmp_path, "work\n", "other.txt")
    assert run("git", "commit", "-m", "other work").returncode == 0
    done = run("git", "merge", "--no-edit", "side")
    assert done.returncode != 0
    assert "MN101" in done.stdout
