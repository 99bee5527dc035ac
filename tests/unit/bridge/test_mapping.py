"""What a cell becomes: the cases of tests/cases/bridge/mapping.case."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from mneme.bridge.mapping import MAX_ENTITIES, MAX_TAGS, link_edges, to_insight
from mneme.config import Config, Prefix
from mneme.format.model import Cell
from mneme.format.parser import parse
from tests.conftest import ROOT


def cases() -> Iterator[tuple[str, dict[str, str]]]:
    text = (ROOT / "tests/cases/bridge/mapping.case").read_text(encoding="utf-8")
    for block in text.split("=== ")[1:]:
        title, _, rest = block.partition("\n")
        yield title, dict(re.findall(r"^--- (\w+)\n(.*?)(?=^--- |\Z)", rest, re.MULTILINE | re.DOTALL))


def cell(text: str) -> Cell:
    return parse(text).cells[0]


@pytest.mark.parametrize(("title", "parts"), list(cases()), ids=lambda value: value if isinstance(value, str) else "")
def test_mapping(title: str, parts: dict[str, str]) -> None:
    assert title
    given = cell(parts["cell"])
    insight = to_insight(given, Config())._asdict()
    for line in parts.get("insight", "").splitlines():
        key, _, wanted = line.strip().partition(" ")
        if not key:
            continue
        value = insight[key]
        shown = " | ".join(value) if isinstance(value, tuple) else str(value).replace("\n", "\\n")
        assert shown == wanted, key
    if "edges" in parts:
        drawn = [
            f"{edge.source} {edge.type} {edge.target} {edge.weight:g}"
            + "".join(f" {key}={value}" for key, value in edge.metadata.items())
            for _, edge in link_edges(given)
        ]
        assert drawn == parts["edges"].split("\n")[: len(drawn)]
        assert len(drawn) == len(parts["edges"].strip().splitlines())


def test_the_configuration_names_categories() -> None:
    config = Config(prefixes={"RISK": Prefix(category="insight"), "DEC": Prefix(meaning="x")})
    text = "@ {}-1 a\ngist x\nstate live since 2026-01-01 seen 2026-01-01\n"
    assert to_insight(cell(text.format("RISK")), config).category == "insight"
    assert to_insight(cell(text.format("DEC")), config).category == "decision"


def test_the_limits_of_the_engine_hold() -> None:
    cues = " / ".join([f"cue number {number}" for number in range(60)] + ["x" * 101, "y" * 201])
    insight = to_insight(
        cell(f"@ DEC-1 {'t' * 101}\ngist x\nstate live since 2026-01-01 seen 2026-01-01\ncue {cues}\n"), Config()
    )
    assert len(insight.tags) == MAX_TAGS
    assert all(len(tag.encode()) <= 100 for tag in insight.tags)
    assert len(insight.entities) == MAX_ENTITIES
