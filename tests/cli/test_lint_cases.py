"""The cases of tests/cases/lint/*.case: small memories, and what lint says of each.

A case: ``=== TITLE``, then sections. ``--- input [NAME]`` is a file (``project.mneme`` unless named), with the escapes
of samples (mneme/lint/sample.py). ``--- expect`` lists every finding, in order: ``[NAME:]LINE:COLUMN CODE``, and words
that the message or the hint must hold. ``--- fixed [NAME]`` is the file after ``--fix``; a file without one must not
change. ``--- settings`` may say ``ignore = RULES`` (told by other cases), ``unsafe = yes``, ``today = YYYY-MM-DD``,
``strict = yes``, and ``exit = CODE`` where the exit code is not simply 1 for an error.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mneme.lint.sample import FIRST_FILE, unescape
from tests.conftest import ROOT, Runner


@dataclass
class Case:
    """One case, as read."""

    title: str
    place: str
    files: dict[str, bytes] = field(default_factory=dict)
    fixed: dict[str, bytes] = field(default_factory=dict)
    expect: list[tuple[str, str, str]] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)

    def add(self, section: str, lines: list[str]) -> None:
        """Take in one section."""
        while lines and not lines[-1]:
            lines.pop()
        kind, _, name = section.partition(" ")
        if kind in ("input", "fixed"):
            target = self.files if kind == "input" else self.fixed
            target[name.strip() or FIRST_FILE] = unescape("\n".join([*lines, ""])) if lines else b""
        elif kind == "expect":
            for line in lines:
                place, code, words = [*line.split(" ", 2), ""][:3]
                self.expect.append((place if place.count(":") > 1 else f"{FIRST_FILE}:{place}", code, words))
        elif kind == "settings":
            self.settings |= {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}
        else:
            raise ValueError(f"{self.place}: unknown section {section!r}")


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


CASES = [case for path in sorted((ROOT / "tests" / "cases" / "lint").glob("*.case")) for case in read_cases(path)]
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=[f"{case.place} {case.title}" for case in CASES])


def write(case: Case, folder: Path) -> list[str]:
    """Write the files of ``case`` and return the options that its settings mean."""
    for name, data in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return ["--today", case.settings["today"]] if "today" in case.settings else []


def ignored(case: Case) -> list[str]:
    """Return the option that leaves out the rules that the case is not about."""
    return ["--ignore", case.settings["ignore"]] if "ignore" in case.settings else []


def lint(mneme: Runner, before: list[str], *options: str) -> tuple[int, list[dict[str, str]]]:
    """Lint the folder and return the exit code and the findings."""
    result = mneme(*before, "lint", "--no-cache", "--format", "json", *options)
    return result.code, json.loads(result.out)["findings"]


@EVERY_CASE
def test_findings(case: Case, mneme: Runner, tmp_path: Path) -> None:
    before = write(case, tmp_path)
    strict = ["--strict"] if case.settings.get("strict") == "yes" else []
    code, found = lint(mneme, before, *strict, *ignored(case))
    got = [(f"{finding['path']}:{finding['line']}:{finding['column']}", finding["code"]) for finding in found]
    assert got == [(place, rule) for place, rule, _ in case.expect], case.place
    for finding, (_, _, words) in zip(found, case.expect, strict=True):
        assert words in finding["message"] or words in finding["hint"], (case.place, words)
    failing = ("error", "warning") if strict else ("error",)
    simply = int(any(finding["severity"] in failing for finding in found))
    assert code == int(case.settings.get("exit", simply)), case.place


@EVERY_CASE
def test_fix(case: Case, mneme: Runner, tmp_path: Path) -> None:
    before = write(case, tmp_path)
    unsafe = ["--unsafe-fixes"] if case.settings.get("unsafe") == "yes" else []
    for _ in range(2):  # the second run finds nothing more to do
        lint(mneme, before, "--fix", *unsafe, *ignored(case))
        got = {name: (tmp_path / name).read_bytes() for name in case.files}
        assert got == {**case.files, **case.fixed}, case.place
