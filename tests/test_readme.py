"""The README's commands are the ones CI runs, its samples are true, and its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import ROOT, Runner

PAGES = ["README.md", "README.zh-CN.md"]
RUN = (ROOT / ".ci/run").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of ``page`` in ``language``."""
    found = re.findall(r"^```(\w*)\n(.*?)^```\n", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


@pytest.mark.parametrize("page", PAGES)
def test_ci_runs_the_two_commands(page: str) -> None:
    first, second = [re.sub(r"\s*\\\n\s*", " ", block.strip()) for block in blocks(page, "sh")[:2]]
    for command in (*first.split(" && "), *second.split(" && ")):
        assert command.replace("pip install ", "pip install --quiet ") in RUN or command in RUN, command


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text(encoding="utf-8")):
        if "://" not in target:
            assert (ROOT / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_the_tour_is_what_happens(page: str, mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEME_TODAY", "2026-11-30")
    session = "\n".join(blocks(page, "console")).replace("\\\n", "")
    steps = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    samples = blocks(page, "")
    ran = 0
    for step in steps:
        command, _, shown = step.partition("\n")
        words = shlex.split(command)
        if "mneme" not in words:
            continue
        if words[-1] == "lint" and page == "README.md":
            with (tmp_path / "project.mneme").open("a", encoding="utf-8") as stream:
                stream.write(f"\n{samples[1]}")
        result = mneme(*words[words.index("mneme") + 1 :])
        printed = result.out + result.err
        for line in shown.splitlines():
            if line and line != "…":
                assert line in printed.splitlines(), (command, line, printed)
        ran += 1
    assert ran >= 6


@pytest.mark.parametrize("page", PAGES)
def test_the_sample_cell_is_a_cell(page: str, mneme: Runner) -> None:
    sample = blocks(page, "")[0]
    result = mneme("lint", "--ignore", "dangling-link", "--strict", "-", stdin=sample.encode())
    assert result.code == 0, result.out
