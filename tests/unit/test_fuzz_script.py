"""scripts/fuzz.py: runs, says where it began, and a broken promise fires."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz", ROOT / "scripts" / "fuzz.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_some_cases_run(fuzz: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--seconds", "1", "--seed", "20261125"]) == 0
    assert re.fullmatch(r"fuzz: seed 20261125, [0-9]+ cases, nothing broke\n", capsys.readouterr().out)


def test_cases_are_made_from_the_seed_and_the_number_alone(fuzz: ModuleType) -> None:
    cases = [fuzz.make(7, number) for number in range(200)]
    assert cases == [fuzz.make(7, number) for number in range(200)]
    assert len(set(cases)) > 190
    assert cases != [fuzz.make(8, number) for number in range(200)]
    assert any(b"\0" in data for data in cases)


def test_a_failure_prints_what_is_needed_to_see_it_again(
    fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_han(document: object, _choose: object) -> None:
        fuzz.expect("缓" not in document.text, "no Han here")  # type: ignore[attr-defined]

    monkeypatch.setattr(fuzz, "CHECKS", (no_han,))
    assert fuzz.main(["--seconds", "30", "--seed", "5"]) == 1
    said = capsys.readouterr()
    found = re.search(r"--seed 5 --only ([0-9]+)\n(b'.*')\n", said.out)
    assert found
    assert fuzz.make(5, int(found[1])) == eval(found[2])
    assert "no Han here" in said.err
    assert fuzz.main(["--seed", "5", "--only", found[1]]) == 1


def test_the_checks_notice(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "formatted", lambda document: fuzz.parse(document.text + " "))
    with pytest.raises(fuzz.Broken, match="twice"):
        fuzz.check_format(fuzz.parse("@ DEC-0001\ngist x\n"), None)
