"""docs/ci: the ready files are valid, and what they run does what they say, in a repository with a pull request."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT, cell
from tests.past import Past

CI = ROOT / "docs" / "ci"
GITHUB: dict[str, Any] = yaml.safe_load((CI / "github-memory.yml").read_text(encoding="utf-8"))
GITLAB: dict[str, Any] = yaml.safe_load((CI / "gitlab-memory.yml").read_text(encoding="utf-8"))
GITHUB_RUNS = [step["run"] for step in GITHUB["jobs"]["memory"]["steps"] if "run" in step]
GITLAB_RUNS: list[str] = GITLAB["memory"]["script"]
OURS = re.compile(r"^\s*mneme ", re.MULTILINE)


@pytest.fixture
def pull_request(tmp_path: Path) -> Past:
    """A clone on a branch that adds a cell and changes what another one leans on."""
    origin = Past(tmp_path / "origin")
    origin.commit("start", {"src/a.py": "1\n", "project.mneme": cell(more="> src/a.py\n")}, day="2026-11-20")
    subprocess.run(["git", "clone", "-q", origin.folder, tmp_path / "clone"], check=True)
    clone = Past(tmp_path / "clone")
    clone.git("checkout", "-q", "-b", "work")
    added = cell("DEC-0002", gist="Pages hold 200 rows", topic="api/pages", cue="paging")
    both = f"{cell(more='> src/a.py' + chr(10))}\n{added}"
    clone.commit("work", {"src/a.py": "2\n", "project.mneme": both}, day="2026-11-21")
    return clone


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does: bash, stopping at the first command that fails."""
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder, capture_output=True, text=True, check=False,
        env={
            **os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "BASE": "origin/main",
            "GITHUB_STEP_SUMMARY": str(folder.parent / "summary.md"),
        },
    )  # fmt: skip


@pytest.mark.parametrize("runs", [GITHUB_RUNS, GITLAB_RUNS], ids=["github", "gitlab"])
def test_a_sound_pull_request_passes_and_is_told(pull_request: Past, runs: list[str]) -> None:
    steps = [step for step in runs if OURS.search(step)]
    assert len(steps) == 3
    said = ""
    for step in steps:
        done = run(step, pull_request.folder)
        assert done.returncode == 0, done.stdout + done.stderr
        said += done.stdout
    assert "src/a.py changed since 2026-11-20" in said
    told = (pull_request.folder / "memory-diff.md").read_text(encoding="utf-8")
    assert "DEC-0002" in told
    assert "Pages hold 200 rows" in told


@pytest.mark.parametrize("runs", [GITHUB_RUNS, GITLAB_RUNS], ids=["github", "gitlab"])
def test_an_edited_cell_fails(pull_request: Past, runs: list[str]) -> None:
    text = (pull_request.folder / "project.mneme").read_text(encoding="utf-8")
    pull_request.commit("edit", {"project.mneme": text.replace("SQLite", "DuckDB")}, day="2026-11-22")
    [lint] = [step for step in runs if step.startswith("mneme lint")]
    done = run(lint, pull_request.folder)
    assert done.returncode == 1
    assert "MN701" in done.stdout


@pytest.mark.parametrize("runs", [GITHUB_RUNS, GITLAB_RUNS], ids=["github", "gitlab"])
def test_a_number_taken_twice_fails_before_the_merge(pull_request: Past, runs: list[str]) -> None:
    """GitHub checks out the merge, GitLab the branch; git itself sees no conflict."""
    origin = Past(pull_request.folder.parent / "origin")
    rival = cell("DEC-0002", gist="Logs rotate daily", topic="ops/logs", cue="logs")
    origin.commit("meanwhile", {"ops.mneme": rival}, day="2026-11-22")
    pull_request.git("fetch", "-q", "origin")
    if runs is GITHUB_RUNS:
        pull_request.git("checkout", "-q", "--detach", "origin/main")
        pull_request.git("merge", "-q", "work")
    [lint] = [step for step in runs if step.startswith("mneme lint")]
    done = run(lint, pull_request.folder)
    assert done.returncode == 1
    assert "mneme renumber DEC-0002" in done.stdout


def test_the_comment_reaches_the_forge_through_a_body_file() -> None:
    [comment] = [step for step in GITHUB["jobs"]["memory"]["steps"] if step.get("name") == "Comment"]
    assert comment["run"].count("--body-file memory-diff.md") == 2
    assert "github.event.pull_request.head.repo.full_name == github.repository" in comment["if"]
    assert GITHUB["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert set(GITHUB[True]) == {"pull_request", "merge_group"}  # YAML 1.1 reads the key `on` as a truth value
    assert GITLAB["memory"]["artifacts"]["paths"] == ["memory-diff.md"]


def test_the_whole_past_is_there_for_the_guard() -> None:
    [checkout] = [step for step in GITHUB["jobs"]["memory"]["steps"] if "checkout" in step.get("uses", "")]
    assert checkout["with"] == {"fetch-depth": 0}
    assert GITLAB["memory"]["variables"]["GIT_DEPTH"] == "0"
