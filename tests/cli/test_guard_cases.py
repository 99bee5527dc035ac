"""The cases of tests/cases/guard/*.case: a memory before and after, in a real repository, and what the guard says.

A case: ``=== TITLE``, then sections. ``--- before [NAME]`` is a file that is committed, ``--- after [NAME]`` one of the
work tree (a file without it is deleted), ``--- both NAME`` one that stays as it is; ``project.mneme`` unless named.
``--- earlier [NAME]`` is the file in a commit before that. All with the escapes of samples (mneme/lint/sample.py).
``--- expect`` lists every finding of the rules about history, in order: ``[NAME:]LINE:COLUMN RULE CELL WORDS``, where
the message or the hint must hold the words; without this section nothing may be found.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mneme.history.guard import Verdict
from mneme.lint.sample import FIRST_FILE, unescape
from tests.conftest import ROOT, Runner

Git = Callable[..., str]

GUARD = ",".join(Verdict)
"""The rules about history, and no others."""


@dataclass
class Case:
    """One case, as read."""

    title: str
    place: str
    earlier: dict[str, bytes] = field(default_factory=dict)
    before: dict[str, bytes] = field(default_factory=dict)
    after: dict[str, bytes] = field(default_factory=dict)
    expect: list[tuple[str, str, str, str]] = field(default_factory=list)

    def add(self, section: str, lines: list[str]) -> None:
        """Take in one section."""
        while lines and not lines[-1]:
            lines.pop()
        kind, _, name = section.partition(" ")
        if kind == "expect":
            for line in lines:
                place, rule, cell_id, words = [*line.split(" ", 3), ""][:4]
                self.expect.append((place if place.count(":") > 1 else f"{FIRST_FILE}:{place}", rule, cell_id, words))
            return
        targets = {
            "earlier": [self.earlier], "before": [self.before], "after": [self.after],
            "both": [self.before, self.after],
        }[kind]  # fmt: skip
        for target in targets:
            target[name.strip() or FIRST_FILE] = unescape("\n".join([*lines, ""]))


def read_cases(path: Path) -> list[Case]:
    """Return the cases of one file."""
    cases: list[Case] = []
    section: str | None = None
    lines: list[str] = []
    for number, line in enumerate([*path.read_text(encoding="utf-8").split("\n"), "=== end"], 1):
        if line.startswith(("=== ", "--- ")):
            if section is not None:
                cases[-1].add(section, lines)
            section, lines = (line[4:], []) if line.startswith("--- ") else (None, [])
            if section is None:
                cases.append(Case(line[4:], f"{path.name}:{number}"))
        else:
            lines.append(line)
    return cases[:-1]


CASES = [case for path in sorted((ROOT / "tests" / "cases" / "guard").glob("*.case")) for case in read_cases(path)]
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=[f"{case.place} {case.title}" for case in CASES])


def put(folder: Path, files: dict[str, bytes]) -> None:
    """Make ``files`` the files of the work tree."""
    for path in folder.rglob("*.m*n*"):
        if ".git" not in path.parts and path.is_file():
            path.unlink()
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def commit(git: Git, folder: Path, files: dict[str, bytes], message: str) -> None:
    """Commit ``files`` as all that there is."""
    put(folder, files)
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", message)


def set_up(case: Case, git: Git, folder: Path) -> None:
    """Make the repository of ``case``, with its work tree."""
    git("init", "-q", "-b", "main")
    (folder / ".git" / "info" / "exclude").write_text("*.local.mneme\n", encoding="utf-8")
    if case.earlier:
        commit(git, folder, case.earlier, "earlier")
    commit(git, folder, case.before, "before")
    put(folder, case.after)


def said(mneme: Runner, *options: str) -> list[tuple[str, str, str, str]]:
    """Return the findings of the rules about history."""
    result = mneme("lint", "--select", GUARD, "--no-cache", "--format", "json", *options)
    assert result.code in (0, 1), result
    return [
        (
            f"{finding['path']}:{finding['line']}:{finding['column']}", finding["name"], finding["cell"],
            f"{finding['message']} | {finding['hint']}",
        )
        for finding in json.loads(result.out)["findings"]
    ]  # fmt: skip


def check(case: Case, found: list[tuple[str, str, str, str]]) -> None:
    """Compare what was found with what is expected."""
    assert [entry[:3] for entry in found] == [entry[:3] for entry in case.expect], (case.place, found)
    for entry, (*_, words) in zip(found, case.expect, strict=True):
        assert words in entry[3], case.place


@EVERY_CASE
def test_the_work_tree(case: Case, mneme: Runner, git: Git, tmp_path: Path) -> None:
    set_up(case, git, tmp_path)
    check(case, said(mneme))


def test_there_are_many() -> None:
    assert len(CASES) >= 40
    assert len({case.title for case in CASES}) == len(CASES)


SOME = [case for case in CASES if not any(name.endswith(".local.mneme") for name in case.after)]
SOME_CASES = pytest.mark.parametrize("case", SOME[::3], ids=[f"{case.place} {case.title}" for case in SOME[::3]])


@SOME_CASES
def test_what_is_staged(case: Case, mneme: Runner, git: Git, tmp_path: Path) -> None:
    set_up(case, git, tmp_path)
    git("add", "-A")
    put(tmp_path, {})  # the work tree does not matter
    check(case, said(mneme, "--staged"))


@SOME_CASES
def test_commits_against_a_base(case: Case, mneme: Runner, git: Git, tmp_path: Path) -> None:
    set_up(case, git, tmp_path)
    git("checkout", "-q", "-b", "work")
    commit(git, tmp_path, case.after, "after")
    expect = [(*entry[:3], entry[3].replace("as committed", "as ")) for entry in case.expect]
    case = Case(case.title, case.place, expect=[(*entry[:3], entry[3].partition("as ")[0]) for entry in expect])
    check(case, said(mneme, "--base", "main"))
    check(case, said(mneme, "--base", "main..work"))
    check(case, said(mneme, "--base", "main...work"))
