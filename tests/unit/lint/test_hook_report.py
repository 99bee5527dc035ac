"""The hook's report: silent, short, and never hiding the one finding that matters."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from mneme.format.parser import parse
from mneme.lint.report.hook import hook
from mneme.lint.session import Session
from mneme.workspace import Workspace
from tests.conftest import TODAY, cell


def report(folder: Path, text: str, name: str = "project.mneme") -> list[str]:
    rules = ["duplicate-id", "overdue", "dangling-link"]
    session = Session.open(Workspace.find(folder), date.fromisoformat(TODAY), select=rules)
    return hook(session.lint([parse(text, name=name)]), False).splitlines()


def test_silence_when_all_is_well(tmp_path: Path) -> None:
    assert report(tmp_path, cell()) == []


def test_one_rare_warning_is_shown_among_many_of_a_kind(tmp_path: Path) -> None:
    cells = [
        cell(f"DEC-{n:04}", gist=f"Server {n} has disk {n}", topic=f"host/{n}", cue=f"disk {n}",
             since="2026-01-01", seen="2026-01-01" if n != 30 else "2026-11-20",
             more="link  relates DEC-0999\n" if n == 30 else "")
        for n in range(1, 31)
    ]  # fmt: skip
    lines = report(tmp_path, "\n".join(cells))
    assert [line.split(": ")[1].split()[-1] for line in lines[:5]] == ["overdue"] * 4 + ["dangling-link"]
    assert lines[5] == "mneme: 30 warnings (overdue 29, dangling-link 1); mneme lint --staged shows all"


def test_errors_are_shown_all_with_their_hints(tmp_path: Path) -> None:
    cells = [cell("DEC-0001", gist=f"Server {n} has disk {n}", topic=f"host/{n}", cue=f"disk {n}") for n in range(8)]
    lines = report(tmp_path, "\n".join(cells))
    assert len([line for line in lines if ": error MN101" in line]) == 7
    assert len([line for line in lines if line.startswith("  hint: ")]) == 7
    assert lines[-1] == "mneme: 7 errors"


def test_each_finding_is_one_line_and_nothing_in_it_is_hidden(tmp_path: Path) -> None:
    lines = report(tmp_path, cell() + "\n" + cell(), "a\nb\x1b[31m\u202e.mneme")
    assert lines[0].startswith("a<U+000A>b<U+001B>[31m<U+202E>.mneme:6:3: error MN101")
    assert len(lines) == 3


def test_the_reader_is_told_how_to_start_the_program(tmp_path: Path) -> None:
    text = "\n".join(
        [cell(f"DEC-{n:04}", gist=f"Server {n}", since="2026-01-01", seen="2026-01-01") for n in range(1, 8)]
    )
    session = Session.open(Workspace.find(tmp_path), date.fromisoformat(TODAY), select=["overdue"])
    lines = hook(session.lint([parse(text)]), False, "/home/p/.cache/env/bin/mneme").splitlines()
    assert lines[-1].endswith("; /home/p/.cache/env/bin/mneme lint --staged shows all")
