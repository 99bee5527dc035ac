"""``mneme review`` and ``mneme decay``: what is due, asked about on a terminal, listed elsewhere."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Runner, cell
from tests.past import Past

CELLS = {
    "DEC-0001": cell("DEC-0001", gist="Fresh and well", seen="2026-11-20"),
    "DEC-0002": cell("DEC-0002", gist="Nobody looked", since="2026-01-01", seen="2026-08-01"),
    "DEC-0003": cell("DEC-0003", gist="Nobody looked at all", since="2026-01-01", seen="2026-01-01"),
    "DEC-0004": cell("DEC-0004", gist="In doubt", state="stale"),
    "DEC-0005": cell("DEC-0005", gist="An idea", state="proposed", since="2026-08-01", seen="2026-08-01"),
    "DEC-0006": cell("DEC-0006", gist="A new idea", state="proposed"),
    "DEC-0007": cell("DEC-0007", gist="Leans on little", more="> src/a.py\n", seen="2026-11-10"),
    "DEC-0008": cell("DEC-0008", gist="Leans on much", more="> src/b.py\n", seen="2026-11-10"),
    "DEC-0009": cell("DEC-0009", gist="Leans on air", more="ref src/c.py\n", seen="2026-11-10"),
    "DEC-0010": cell("DEC-0010", gist="Past", state="retired", since="2026-01-01", seen="2026-01-01"),
    "DEC-0011": cell("DEC-0011", gist="Old code", more="> src/d.py\n", since="2026-01-01", seen="2026-09-01"),
}
WORST_FIRST = ["DEC-0009", "DEC-0008", "DEC-0007", "DEC-0003", "DEC-0002", "DEC-0011", "DEC-0004", "DEC-0005"]


@pytest.fixture
def past(tmp_path: Path) -> Past:
    past = Past(tmp_path)
    past.commit("code", {f"src/{name}.py": "1\n" for name in "abcd"}, day="2026-01-01")
    past.commit("memory", {"project.mneme": "\n".join(CELLS.values())}, day="2026-11-10")
    past.commit("change", {"src/a.py": "2\n", "src/b.py": "2\n3\n4\n", "src/c.py": None}, day="2026-11-12", by="Cyd")
    return past


def states(mneme: Runner) -> dict[str, tuple[str, str]]:
    cells = json.loads(mneme("spine", "--all", "--format", "json").out)["cells"]
    return {entry["id"]: (entry["state"], entry["seen"]) for entry in cells}


def test_the_worst_comes_first(past: Past, mneme: Runner) -> None:
    result = mneme("review")
    assert [line.split()[0] for line in result.out.splitlines()] == WORST_FIRST
    assert result.err.startswith("mneme: 8 due;")
    assert result.code == 0
    assert "not confirmed for 116 days (limit 45)  Nobody looked" in result.out
    only = mneme("review", "--limit", "2", "--topic", "stor*")
    assert [line.split()[0] for line in only.out.splitlines()] == WORST_FIRST[:2]
    assert mneme("review", "--topic", "other/*").err == "mneme: nothing is due\n"


def test_what_an_agent_gets(past: Past, mneme: Runner) -> None:
    data = json.loads(mneme("review", "--format", "json", "--diff-lines", "7").out)
    assert (data["total"], [entry["id"] for entry in data["due"]]) == (8, WORST_FIRST)
    gone, much, *_ = data["due"]
    assert (gone["urgency"], gone["evidence"][0]["diff"]) == ("missing", "")
    assert much["urgency"] == "changed"
    assert much["evidence"][0]["diff"].splitlines()[-1] == "+2"
    assert much["evidence"][0]["diff_lines_left_out"] == 2
    assert much["text"].startswith("@ DEC-0008  storage/cache\n")
    assert list(much["actions"]) == ["confirm", "stale", "supersede", "retire"]
    assert list(data["due"][-1]["actions"]) == ["accept", "supersede", "retire"]
    for entry in data["due"][:2]:
        assert mneme(*entry["actions"]["confirm"].split()[1:]).code == 0
    left = [entry["id"] for entry in json.loads(mneme("review", "--format", "json").out)["due"]]
    assert left == ["DEC-0009", *WORST_FIRST[2:]]  # a ref to nothing is wrong, however often it is confirmed


def test_outside_git_the_days_count(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text("\n".join(CELLS.values()), encoding="utf-8")
    result = mneme("review")
    assert [line.split()[0] for line in result.out.splitlines()] == WORST_FIRST[3:]
    assert json.loads(mneme("review", "--format", "json").out)["total"] == 5


def on_a_terminal(folder: Path, answers: str) -> str:
    """Run ``mneme review`` on a terminal of its own, type ``answers``, and return what it showed."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mneme", "review"], cwd=folder, stdin=follower, stdout=follower, stderr=follower,
        env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    os.close(follower)
    os.write(leader, answers.encode())
    shown = b""
    try:
        while chunk := os.read(leader, 65536):
            shown += chunk
    except OSError:  # it is closed
        pass
    os.close(leader)
    assert process.wait() == 0, shown.decode()
    return shown.decode()


def test_a_walk_on_a_terminal(past: Past, mneme: Runner, tmp_path: Path) -> None:
    answers = (
        "d\nr\n" + "d\nc\n" + "s\n" + "u\n\nu\nNow we know\nSomebody looked\n" + "x\n\n" + "k\n" + "a\nc\n" + "q\n"
    )
    shown = on_a_terminal(tmp_path, answers)
    assert "# 1 of 8: DEC-0009" in shown
    assert "# due: src/c.py is no longer there: deleted" in shown
    assert "[a] accept" not in shown.split("# 8 of 8")[0]
    assert "+++ b/src/b.py" in shown
    assert "DEC-0012 written" in shown
    assert "8 of 8" in shown
    now = states(mneme)
    assert now["DEC-0009"] == ("retired", "2026-11-10")
    assert now["DEC-0008"] == ("live", "2026-11-25")
    assert now["DEC-0007"] == ("stale", "2026-11-10")
    assert now["DEC-0003"][0] == "superseded"
    assert now["DEC-0012"] == ("live", "2026-11-25")
    assert now["DEC-0002"] == ("live", "2026-08-01")
    assert now["DEC-0005"] == ("proposed", "2026-08-01")
    assert "> Somebody looked\n" in (tmp_path / "project.mneme").read_text(encoding="utf-8")


def test_decay_marks_stale_and_nothing_else(past: Past, mneme: Runner, tmp_path: Path) -> None:
    path = tmp_path / "project.mneme"
    before = path.read_text(encoding="utf-8")
    dry = mneme("decay")
    assert [line.split()[0] for line in dry.out.splitlines()] == ["DEC-0002", "DEC-0003", "DEC-0011"]
    assert "3 to be marked stale: mneme decay --apply" in dry.err
    assert path.read_text(encoding="utf-8") == before
    assert json.loads(mneme("decay", "--apply", "--format", "json").out)["applied"] is True
    expected = before
    for cell_id in ("DEC-0002", "DEC-0003", "DEC-0011"):
        expected = expected.replace(CELLS[cell_id], CELLS[cell_id].replace("state live", "state stale"))
    assert path.read_text(encoding="utf-8") == expected
    assert mneme("decay", "--apply").err == "mneme: nothing has decayed\n"


def test_evidence_that_never_changed_gives_longer(past: Past, mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "mneme.toml").write_text("evidence-decay-days = 100\n", encoding="utf-8")
    assert [line.split()[0] for line in mneme("decay").out.splitlines()] == ["DEC-0002", "DEC-0003"]
    assert "DEC-0011" not in mneme("review").out
    late = mneme("--today", "2026-12-20", "decay").out
    assert "DEC-0011  not confirmed for 110 days (limit 100)" in late
    past.commit("change", {"src/d.py": "2\n"}, day="2026-11-20")
    assert "DEC-0011  not confirmed for 85 days (limit 45)" in mneme("decay").out


def test_decay_where_a_file_cannot_be_read(past: Past, mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "bad.mneme").write_bytes(b"\xff")
    assert mneme("decay", "--apply").code == 2
    assert states(mneme)["DEC-0002"][0] == "live"
    assert mneme("review").code == 2
