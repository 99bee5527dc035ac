"""docs/configuration.md names every key, and its example is a configuration."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from mneme.config import Config, LintConfig, ProjectionsConfig, load_config
from tests.conftest import ROOT

PAGE = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")


def test_every_key_is_documented() -> None:
    documented = set(re.findall(r"^\| `([a-z.-]+)` \|", PAGE, re.MULTILINE))
    keys = {entry.name.replace("_", "-") for entry in fields(Config)} - {"source", "lint", "projections"}
    for table, kind in (("lint", LintConfig), ("projections", ProjectionsConfig)):
        keys |= {f"{table}.{entry.name.replace('_', '-')}" for entry in fields(kind)}
    assert keys == documented


def test_the_example_is_read(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert example
    path = tmp_path / "mneme.toml"
    path.write_text(example[1], encoding="utf-8")
    config = load_config(path)
    assert config.decay_for("FACT-0001") == 90
    assert config.prefixes["RISK"].meaning
