"""missing-evidence and changed-evidence in lint, and the longer limit of cells whose evidence did not change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mneme.history import repo as plumbing
from tests.conftest import Runner, cell
from tests.past import Past


def leaning(more: str, **values: str) -> str:
    return cell(more=more, **{"since": "2026-11-01", "seen": "2026-11-10", **values})


@pytest.fixture
def past(tmp_path: Path) -> Past:
    past = Past(tmp_path)
    past.commit("code", {"src/a.py": "1\n", "src/b.py": "1\n"}, day="2026-11-01")
    past.commit("memory", {"project.mneme": leaning("> Mind src/a.py.\nref  src/b.py\n")}, day="2026-11-10")
    return past


def found(mneme: Runner, *arguments: str) -> list[tuple[str, int, int, str]]:
    result = mneme("lint", "--format", "json", *arguments)
    assert result.code == 0, result.out
    return [
        (finding["name"], finding["line"], finding["column"], finding["message"])
        for finding in json.loads(result.out)["findings"]
    ]


def test_where_the_cell_names_it(past: Past, mneme: Runner) -> None:
    assert found(mneme) == []
    past.commit("change", {"src/a.py": "2\n"}, day="2026-11-12", by="Cyd")
    past.git("mv", "src/b.py", "src/c.py")
    commit = past.commit("move", {}, day="2026-11-13", by="Dee")
    expected = [
        ("changed-evidence", 5, 8,
         "DEC-0001: src/a.py changed since 2026-11-10: 1 commit by Cyd, +1 -1 lines"),
        ("missing-evidence", 6, 6,
         f"DEC-0001: src/b.py is no longer there: it went to src/c.py ({commit[:8]}, 2026-11-13, Dee)"),
    ]  # fmt: skip
    assert found(mneme) == expected
    assert found(mneme, "--staged") == expected
    assert found(mneme, "--repository") == expected
    assert found(mneme, "project.mneme") == expected
    assert found(mneme, "--no-history") == []
    assert [name for name, *_ in found(mneme, "--ignore", "MN712")] == ["missing-evidence"]
    assert mneme("lint", "--strict").code == 1


def test_staged_and_on_disk(past: Past, mneme: Runner) -> None:
    past.put({"src/a.py": "2\n"})
    assert [name for name, *_ in found(mneme)] == ["changed-evidence"]
    assert found(mneme, "--staged") == []
    past.git("add", "-A")
    past.put({"src/a.py": "1\n"})
    assert [name for name, *_ in found(mneme, "--staged")] == ["changed-evidence"]
    assert found(mneme) == []


def test_a_suppression(past: Past, mneme: Runner) -> None:
    text = (past.folder / "project.mneme").read_text(encoding="utf-8")
    past.commit("quiet", {"project.mneme": f"# mneme: ignore[changed-evidence]\n{text}"}, day="2026-11-11")
    assert [name for name, *_ in found(mneme)] == ["unused-suppression"]
    past.commit("change", {"src/a.py": "2\n"}, day="2026-11-12")
    assert found(mneme) == []
    assert found(mneme, "--no-history") == []  # what does not run suppresses nothing, and is not unused


def test_cells_that_lean_on_nothing_ask_git_nothing(past: Past, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    past.commit("memory", {"project.mneme": leaning("> Mind the gap, and/or CI.\n")})
    commands: list[str] = []
    run = plumbing.subprocess.run
    monkeypatch.setattr(
        plumbing.subprocess, "run", lambda command, **more: commands.append(command[1]) or run(command, **more)
    )
    assert found(mneme) == []
    without = len(commands)
    past.commit("memory", {"project.mneme": leaning("> Mind src/a.py.\n")})
    commands.clear()
    assert found(mneme) == []
    assert len(commands) <= without + 4  # which files there are, what is not committed, what landed, and HEAD


def test_evidence_that_never_changed_gives_longer(past: Past, mneme: Runner) -> None:
    past.put({"mneme.toml": "evidence-decay-days = 100\n"})
    assert found(mneme, "--select", "overdue") == []
    late = ("--select", "overdue", "--no-cache")

    def on(day: str) -> list[str]:
        result = mneme("--today", day, "lint", *late, "--format", "json")
        return [finding["message"] for finding in json.loads(result.out)["findings"]]

    assert on("2027-01-25") == []
    assert on("2027-02-20") == ["DEC-0001 is live but was not confirmed for 102 days (limit 100)"]
    past.commit("change", {"src/a.py": "2\n"}, day="2026-11-12")
    assert on("2027-01-25") == ["DEC-0001 is live but was not confirmed for 76 days (limit 45)"]


def test_outside_git(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(leaning("ref src/gone.py\n"), encoding="utf-8")
    assert found(mneme) == []
