"""The conformance cases hold for this implementation, and for themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mneme.format.digest import content_digest
from tests.conformance.cases import FOLDER, dump, evaluate, first_cell, load
from tests.conftest import ROOT

PATHS = sorted(FOLDER.glob("*.json"))
READING = [path for path in PATHS if "same_content" not in load(path)]
CONTENT = [path for path in PATHS if "same_content" in load(path)]


def stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", READING, ids=stem)
def test_reading(path: Path) -> None:
    case = load(path)
    assert evaluate(case) == case


@pytest.mark.parametrize("path", CONTENT, ids=stem)
def test_content(path: Path) -> None:
    case = load(path)
    same = {content_digest(first_cell(lines)) for lines in case["same_content"]}
    others = [content_digest(first_cell(lines)) for lines in case["other_content"]]
    assert len(same) == 1
    assert len(same | set(others)) == 1 + len(others)


def test_there_are_cases() -> None:
    assert len(PATHS) >= 60
    assert CONTENT


@pytest.mark.parametrize("path", PATHS, ids=stem)
def test_a_case_is_written_as_the_update_script_writes_it(path: Path) -> None:
    case = load(path)
    assert path.read_text(encoding="utf-8") == dump(case)
    assert case["title"]
    assert ("input" in case) + ("input_hex" in case) + ("same_content" in case) == 1


def test_every_case_names_a_section_of_the_specification_and_every_section_has_a_case() -> None:
    page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    sections = re.findall(r"^##+ ([0-9]+(?:\.[0-9]+)?)", page, re.MULTILINE)
    named = {load(path)["section"] for path in PATHS}
    assert named <= set(sections)
    assert set(sections) - named == {"7", "9", "10"}  # the workspace, the reference tool, the grammar: no single file
