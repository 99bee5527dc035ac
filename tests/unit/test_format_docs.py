"""docs/format.md is true: its samples, vectors and tables are run."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import date

import pytest

from mneme.config import Config
from mneme.format.cues import split_cues
from mneme.format.digest import anonymous_digest, canonical_form, content_digest
from mneme.format.parser import parse
from mneme.format.spine import spine_line
from mneme.lint.engine import run
from mneme.lint.rule import Settings, Severity
from mneme.lint.rules import RULES
from mneme.lint.select import make_selection
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)[ ]?([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SAMPLES = [(rest, text) for language, rest, text in BLOCKS if language == "mneme"]
VECTORS = [json.loads(text) for language, rest, text in BLOCKS if (language, rest) == ("json", "vector")]


def section(title: str) -> str:
    """Return the text of the section whose heading contains ``title``."""
    found = re.search(rf"^##+ [^\n]*{re.escape(title)}[^\n]*\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def rows(title: str) -> list[list[str]]:
    """Return the cells of the tables in a section, without heads."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    table = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    heads = {index for index, row in enumerate(table) if set("".join(row)) <= set("-")}
    return [row for index, row in enumerate(table) if index not in heads and index + 1 not in heads]


@pytest.mark.parametrize(("info", "text"), SAMPLES)
def test_samples_are_clean_or_find_what_they_say(info: str, text: str) -> None:
    report = run([parse(text)], make_selection(RULES, Config()), Settings(Config(), date(2026, 11, 25)))
    expected = set(info.removeprefix("finds=").split(",")) if info else set()
    assert {finding.name for finding in report.findings} == expected


def test_there_are_samples_and_vectors() -> None:
    assert len(SAMPLES) >= 4
    assert len(VECTORS) >= 6


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["digest"][3:11] for vector in VECTORS])
def test_digest_vectors(vector: dict[str, str]) -> None:
    (cell,) = parse(vector["input"]).cells
    assert canonical_form(cell) == vector["canonical"]
    assert content_digest(cell) == vector["digest"]
    assert anonymous_digest(cell) == vector["anonymous"]
    whole = vector["canonical"]
    _, _, rest = whole.partition("\n")
    assert vector["digest"] == f"m1:{hashlib.sha256(whole.encode()).hexdigest()}"
    assert vector["anonymous"] == f"a1:{hashlib.sha256(rest.encode()).hexdigest()}"


def test_the_vectors_cover_what_implementations_get_wrong() -> None:
    inputs = [vector["input"] for vector in VECTORS]
    assert VECTORS[0]["digest"] == VECTORS[1]["digest"]
    for mark in ("\ufeff", "\r\n", "\u0301", "、", "origin", ">No", "  \n"):
        assert any(mark in text for text in inputs), mark


def test_the_table_of_cue_lines() -> None:
    table = [(line, cues) for line, cues in rows("2.4 cue")]
    assert len(table) >= 6
    for line, cues in table:
        text = re.fullmatch(r"`cue  (.*)`", line)
        assert text
        assert split_cues(text[1]) == re.findall("`([^`]+)`", cues), line


def test_the_line_of_the_spine() -> None:
    (sample,) = re.findall(r"^```text\n(.*)\n```$", section("6. The spine"), re.MULTILINE)
    assert sample == spine_line(parse(SAMPLES[0][1]).cells[0])


def test_the_table_of_severities() -> None:
    by_name = {rule.name: rule.severity for rule in RULES}
    listed: dict[str, set[str]] = {}
    for severity, names in rows("8. Severities"):
        listed[severity] = set(re.findall("`([^`]+)`", names))
        for name in listed[severity]:
            assert by_name[name] == Severity(severity), name
    for severity in (Severity.ERROR, Severity.NOTE):
        assert {name for name, own in by_name.items() if own is severity} == listed[severity]


def test_the_expression_for_ids() -> None:
    from mneme.format.ids import ID

    assert f"`{ID.pattern.removesuffix(chr(92) + 'Z')}`" in section("3. Identity")
