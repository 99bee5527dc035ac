"""scripts/soak.py: some seconds of it, and that it notices what gets lost."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def soak() -> ModuleType:
    spec = importlib.util.spec_from_file_location("soak", ROOT / "scripts" / "soak.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_nothing_is_lost(soak: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--seconds", "3", "--processes", "5", "--seed", "7"]) == 0, capsys.readouterr().out
    assert re.fullmatch(r"soak: seed 7, 5 processes; .*[0-9]+ remember; nothing lost; .*\n", capsys.readouterr().out)


def at_rest(soak: ModuleType, folder: Path) -> Any:
    """Return a workspace in which two cells were remembered, and nothing is wrong yet."""
    made = soak.Soak(folder, 0, 1)
    for number in range(2):
        made.told.append(soak.TOLD.search(made.mneme("remember", f"Thing number {number} is slow"))[1])
    assert made.wrong == []
    return made


def test_it_notices(soak: ModuleType, tmp_path: Path) -> None:
    made = at_rest(soak, tmp_path)
    text = made.folder / "project.mneme"
    for wrong, change in (
        ("lost from the text", lambda: text.write_text(soak.FIRST)),
        ("cells in the text, and 3 were told", lambda: made.told.append("FACT-7777")),
        ("forgotten and not retired", lambda: made.forgotten.append("DEC-0001")),
        ("left in the workspace", (text.parent / ".half.tmp").touch),
    ):
        before = text.read_text()
        change()
        made._settle()
        assert any(wrong in one for one in made.wrong), (wrong, made.wrong)
        text.write_text(before)
        made.wrong.clear()
        made.told[2:] = []
        made.forgotten.clear()
    made.mneme("nonsense")
    assert "exit 2" in made.wrong[0]
