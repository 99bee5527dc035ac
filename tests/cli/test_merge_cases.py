"""The merge cases, as a function and through real git: merge both ways, rebase, cherry-pick, revert, stash pop."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.format.parser import parse
from mneme.history.content import content_key
from mneme.history.merge.identity import Known
from mneme.history.merge.three_way import merge
from tests.cli.merge_cases import CASES, MergeCase
from tests.conftest import Runner

ALSO = [case for case in CASES if case.settings.get("also")]


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 25
    assert len(ALSO) >= 8


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_the_merge_gives_the_bytes_of_the_case(case: MergeCase) -> None:
    held = {(cell.id, content_key(cell)) for cell in parse(case.texts.get(case.trunk, "")).cells}
    known = Known(holds=lambda cell: (cell.id, content_key(cell)) in held)
    merged = merge(case.texts["base"], case.texts["ours"], case.texts["theirs"], known)
    assert merged.text() == case.texts["expect"]
    assert list(merged.notes) == case.notes
    assert merged.conflicts == case.conflicts
    assert merge(case.texts["base"], case.texts["theirs"], case.texts["ours"], known).text() == case.turned


class World:
    """One repository with many cases: a folder each, which is a workspace of its own with its own trunk."""

    def __init__(self, path: Path, cases: list[MergeCase], mneme: Runner) -> None:
        self.path = path
        self.cases = cases
        path.mkdir()
        self.git("init", "-q", "-b", "base")
        for number, case in enumerate(cases):
            self.folder(number).mkdir()
            (self.folder(number) / "mneme.toml").write_text(f'trunk = "{case.trunk or "nowhere"}"\n', encoding="utf-8")
        assert mneme("install-git", cwd=path).code == 0
        self.commit("base")
        for side in ("ours", "theirs"):
            self.git("switch", "-q", "-c", side, "base")
            self.commit(side)

    def folder(self, number: int) -> Path:
        return self.path / f"{number:02d}"

    def write(self, version: str) -> None:
        for number, case in enumerate(self.cases):
            (self.folder(number) / "project.mneme").write_bytes(case.texts[version].encode())

    def commit(self, version: str) -> None:
        self.write(version)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", version)

    def git(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(["git", *arguments], cwd=self.path, capture_output=True, encoding="utf-8")
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def compare(self, expected: Callable[[MergeCase], str]) -> None:
        for number, case in enumerate(self.cases):
            assert (self.folder(number) / "project.mneme").read_bytes().decode() == expected(case), case.place
        answer = self.git("diff", "--name-only", "--diff-filter=U", "-z").stdout
        unmerged = {int(path.partition("/")[0]) for path in answer.split("\0") if path}
        assert unmerged == {number for number, case in enumerate(self.cases) if case.conflicts}


def as_ours(case: MergeCase) -> str:
    return case.texts["expect"]


def as_theirs(case: MergeCase) -> str:
    return case.turned


def test_git_merges_all_cases_in_both_directions(tmp_path: Path, mneme: Runner) -> None:
    world = World(tmp_path / "all cases, ü", CASES, mneme)
    for ours, theirs, expected in (("ours", "theirs", as_ours), ("theirs", "ours", as_theirs)):
        world.git("switch", "-q", ours)
        done = world.git("merge", "--no-edit", theirs, check=False)
        assert done.returncode == 1
        world.compare(expected)
        for number, case in enumerate(CASES):
            for note in case.notes:
                assert f"mneme: {number:02d}/project.mneme: {note}\n" in done.stderr
            if case.conflicts:
                assert f"mneme: {number:02d}/project.mneme: one place to decide by hand" in done.stderr
        world.git("merge", "--abort")


def test_rebase_cherry_pick_revert_and_stash_pop_merge_alike(tmp_path: Path, mneme: Runner) -> None:
    world = World(tmp_path / "also", ALSO, mneme)
    git = world.git
    git("switch", "-q", "-c", "rebased", "theirs")
    assert git("rebase", "ours", check=False).returncode == 1
    world.compare(as_ours)
    git("rebase", "--abort")

    git("switch", "-q", "-c", "rebased-too", "ours")
    assert git("rebase", "theirs", check=False).returncode == 1
    world.compare(as_theirs)
    git("rebase", "--abort")

    git("switch", "-q", "ours")
    assert git("cherry-pick", "theirs", check=False).returncode == 1
    world.compare(as_ours)
    git("cherry-pick", "--abort")

    git("switch", "-q", "--detach", "base")
    world.write("theirs")
    git("stash", "-q")
    git("switch", "-q", "ours")
    assert git("stash", "pop", check=False).returncode == 1
    world.compare(as_ours)
    git("reset", "-q", "--hard")

    git("switch", "-q", "-c", "back", "base")
    for version in ("theirs", "base", "ours"):
        world.commit(version)
    assert git("revert", "--no-edit", "HEAD~1", check=False).returncode == 1
    world.compare(as_ours)
