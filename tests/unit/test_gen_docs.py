"""scripts/gen_docs.py: the pages in the repository are what the code says, and pages without a source go."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def gen_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gen_docs", ROOT / "scripts" / "gen_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gen_docs"] = module
    spec.loader.exec_module(module)
    return module


def test_the_generated_pages_are_current(gen_docs: ModuleType) -> None:
    stale = [str(path.relative_to(ROOT)) for path in gen_docs.changes()]
    assert stale == [], "run: python scripts/gen_docs.py"


def test_check_tells_and_writes_nothing(
    gen_docs: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gen_docs.main(["--check"], tmp_path) == 1
    assert "would write docs/rules/duplicate-id.md\n" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_pages_of_removed_rules_are_deleted(
    gen_docs: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gen_docs.main([], tmp_path) == 0
    assert gen_docs.main(["--check"], tmp_path) == 0
    stale = tmp_path / "docs" / "rules" / "no-such-rule.md"
    stale.write_text("# once a rule\n")
    capsys.readouterr()
    assert gen_docs.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out == "would delete docs/rules/no-such-rule.md\n"
    assert stale.exists()
    assert gen_docs.main([], tmp_path) == 0
    assert not stale.exists()
