"""Tables of facts in ``tests/cases/graph``: each check names the section of the engine's description it comes from."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

import pytest

from tests.conftest import ROOT

FOLDER = ROOT / "tests/cases/graph"


@cache
def table(name: str) -> dict[str, Any]:
    """Return what the file ``name`` holds."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def checks(name: str, kind: str) -> list[Any]:
    """Return the checks of one kind, each named by its section and what it is about."""
    return [
        pytest.param(
            check,
            id=f"{check['section']} {check.get('about') or check.get('question') or check.get('text', '')} #{number}",
        )
        for number, check in enumerate(table(name)[kind], 1)
    ]
