"""Many remember and recall at once: no cell is lost, no ID given twice, no lock shown to anybody."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from mneme.graph.store import read
from mneme.graph.store.dump import dump
from tests.conftest import Runner, cell

WRITERS = 12
SAME = 4


def test_remember_at_once(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "project.mneme").write_text(cell("FACT-0001"))
    remember = [["remember", f"Belief number {number}", "--cat", "fact"] for number in range(WRITERS)]
    same = [["remember", "The very same belief", "--cat", "fact"]] * SAME
    recall = [["recall", "belief"]] * 4
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "mneme", *arguments, "--format", "json"], cwd=tmp_path, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )
        for mixed in zip(remember, [*same, *recall, *same], strict=True) for arguments in mixed
    ]  # fmt: skip
    ended = [(process, *process.communicate(timeout=120)) for process in running]
    said = "".join(err for _, _, err in ended)
    assert [process.returncode for process, _, _ in ended] == [0] * len(running), said
    assert "locked" not in said
    receipts = [json.loads(out) for _, out, _ in ended]
    added = [receipt["id"] for receipt in receipts if receipt.get("action") == "added"]
    skipped = [receipt["replaced_id"] for receipt in receipts if receipt.get("action") == "skipped"]
    assert sorted(added) == [f"FACT-{number:04d}" for number in range(2, WRITERS + 3)]
    assert len(skipped) == 2 * SAME - 1
    assert len(set(skipped)) == 1
    text = (tmp_path / "project.mneme").read_text()
    assert sorted(re.findall(r"^@ (\S+)", text, re.MULTILINE)) == ["FACT-0001", *sorted(added)]
    assert sorted(map(int, re.findall(r"Belief number (\d+)\n", text))) == list(range(WRITERS))

    database = tmp_path / ".mnemon/data/default/mnemon.db"
    assert mneme("compile", "--check").code == 0
    compiled = read(database, lambda reader: dump(reader.rows))
    assert mneme("compile", "--rebuild").code == 0
    assert read(database, lambda reader: dump(reader.rows)) == compiled
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".mnemon", "project.mneme"]


def test_the_first_memory_of_all_at_once(tmp_path: Path) -> None:
    """No file is there yet: whoever comes second sees what the first wrote, though it listed the files before."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "mneme", "remember", "The very same belief", "--format", "json"], cwd=tmp_path,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(6)
    ]  # fmt: skip
    actions = sorted(json.loads(process.communicate(timeout=120)[0])["action"] for process in running)
    assert actions == ["added", *["skipped"] * 5]
    assert (tmp_path / "project.mneme").read_text().count("The very same belief") == 1
