"""The benchmark of layouts: the same figures each time, for every layout; and the page that quotes them."""

from __future__ import annotations

import re
import subprocess
import sys

from mneme.config import FILE_LAYOUTS
from mneme.memory.start import TEAM_LAYOUT
from tests.conftest import ROOT

IDS = ("random", "sequential")


def counted() -> list[list[str]]:
    """Return the rows for four people with one pull request each, all open at once."""
    script = ROOT / "benchmarks" / "merge_layouts.py"
    done = subprocess.run(
        [sys.executable, script, "--authors", "4", "--pulls", "1"], capture_output=True, text=True, check=True
    )
    return rows(done.stdout)


def rows(text: str) -> list[list[str]]:
    found = re.findall(r"(?m)^\| (.*) \|$", text.replace("*", ""))
    return [cells for row in found[1:] if (cells := row.split(" | "))[1] in IDS]


def test_every_layout_is_counted_and_the_same_each_time() -> None:
    first = counted()
    assert [(row[1], row[0]) for row in first] == [(ids, layout) for ids in IDS for layout in FILE_LAYOUTS]
    assert counted() == first
    assert {row[5] for row in first} == {"0 (0.0%)"}, "the driver leaves no conflict"
    assert first[0][3] != "0 (0.0%)", "git alone does, in one file"
    assert first[6][4] != "0 (0.0%)", "and says nothing of a number that stands twice in two files"


def test_the_page_recommends_what_is_set_up() -> None:
    table = rows((ROOT / "docs" / "layouts.md").read_text(encoding="utf-8"))
    assert [(row[1], row[0]) for row in table] == [(ids, layout) for ids in IDS for layout in FILE_LAYOUTS]
    team = [row for row in table if row[1] == "random"]
    assert min(team, key=lambda row: int(row[3].split()[0]))[0] == TEAM_LAYOUT
