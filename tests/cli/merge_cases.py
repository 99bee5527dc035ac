"""The cases of tests/cases/merge/*.case: three versions of a file, and what they merge to.

A case: ``=== TITLE``, then sections, with the escapes of samples (mneme/lint/sample.py): ``--- base``, ``--- ours``,
``--- theirs``, ``--- expect`` (when ours merges theirs). ``--- notes``: what is said of it, a line each.
``--- settings``: ``trunk = ours|theirs`` (which side the trunk is), ``conflicts = N``, ``also = …`` (tried in other
ways than a merge), ``unmarked = ID …`` (a number that lines mention which git merges without a mark).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mneme.lint.sample import unescape
from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "cases" / "merge"
_TEXTS = ("base", "ours", "theirs", "expect")


@dataclass
class MergeCase:
    """One case, as read."""

    title: str
    place: str
    texts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)

    def add(self, section: str, lines: list[str]) -> None:
        """Take in one section."""
        if section in _TEXTS:
            self.texts[section] = unescape("\n".join([*lines, ""])).decode() if lines else ""
        elif section == "notes":
            self.notes = lines
        elif section == "settings":
            self.settings = {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}
        else:
            raise ValueError(f"{self.place}: unknown section {section!r}")

    @property
    def conflicts(self) -> int:
        return int(self.settings.get("conflicts", "0"))

    @property
    def trunk(self) -> str:
        return self.settings.get("trunk", "")

    @property
    def turned(self) -> str:
        """What theirs merges to, when it merges ours: the same, conflicts the other way round."""
        return turned(self.texts["expect"])


def turned(text: str) -> str:
    """Return ``text`` with the two sides of every conflict swapped."""
    lines: list[str] = []
    sides: list[list[str]] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("<<<<<<< "):
            sides = [[], []]
            lines.append(line)
        elif line.rstrip("\r\n") == "=======" and sides:
            sides.reverse()
        elif line.startswith(">>>>>>> "):
            one, two = sides[1], sides[0]
            lines += [*two, "=======\n", *one, line]
            sides = []
        elif sides:
            sides[0].append(line)
        else:
            lines.append(line)
    return "".join(lines)


def read_cases(path: Path) -> list[MergeCase]:
    """Return the cases of one file."""
    cases: list[MergeCase] = []
    section = ""
    lines: list[str] = []
    for number, line in enumerate([*path.read_text(encoding="utf-8").split("\n"), "=== end"], 1):
        if not line.startswith(("=== ", "--- ")):
            lines.append(line)
            continue
        if section:
            while lines and not lines[-1] and (line.startswith("=== ") or section not in _TEXTS):
                lines.pop()
            cases[-1].add(section, lines)
        section, lines = (line[4:], []) if line.startswith("--- ") else ("", [])
        if line.startswith("=== ") and line != "=== end":
            cases.append(MergeCase(line[4:], f"{path.name}:{number}"))
    return cases


CASES = [case for path in sorted(FOLDER.glob("*.case")) for case in read_cases(path)]
