"""Many runs of ``mneme project`` at once, and a writer of cells beside them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import Runner, cell

CONFIG = '[projections]\nout = "rt"\nblocks = ["AGENTS.md"]\n'


def test_all_succeed_and_nothing_of_a_person_is_lost(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001"))
    (tmp_path / "mneme.toml").write_text(CONFIG)
    (tmp_path / "AGENTS.md").write_text("# Agents\n")
    (tmp_path / "rt").mkdir()
    (tmp_path / "rt/MEMORY.md").write_text("mine\n")
    calls = [["project"], ["project"], ["add", "DEC", "A second belief"], ["project"], ["project"]]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "mneme", *call], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for call in calls
    ]
    for process in running:
        _, err = process.communicate()
        assert process.returncode == 0, err
    assert mneme("project").code == 0
    assert (tmp_path / "rt/MEMORY.md").read_text() == (
        "mine\n§\n[DEC-0001] Local cache uses SQLite instead of JSON files\n§\n[DEC-0002] A second belief\n"
    )
    assert (tmp_path / "AGENTS.md").read_text().startswith("# Agents\n\n<!-- mneme:begin")
    assert sorted(path.name for path in (tmp_path / "rt").iterdir()) == ["MEMORY.md", "USER.md"]
