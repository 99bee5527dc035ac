"""``mneme at``: what was believed then, judged by that day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Runner, cell
from tests.past import Past

OLD = cell("DEC-0001", since="2026-06-01", seen="2026-06-01")
NEW = cell("DEC-0002", gist="Local cache uses files after all", since="2026-08-01", seen="2026-08-01")


@pytest.fixture
def past(tmp_path: Path) -> Past:
    """June: a decision. August: replaced; the branch that did it was written in July and merged in August."""
    past = Past(tmp_path)
    past.commit("first", {"project.mneme": OLD}, day="2026-06-01")
    past.git("tag", "v1")
    past.git("checkout", "-q", "-b", "side")
    gone = OLD.replace("state live", "state superseded") + "link  superseded-by DEC-0002\n"
    both = f"{gone}\n{NEW}link  supersedes DEC-0001\n"
    past.commit("second", {"memory/all.mneme": both, "project.mneme": None}, day="2026-07-10")
    past.git("checkout", "-q", "main")
    past.git("merge", "-q", "--no-ff", "--no-edit", "side", day="2026-08-01")
    past.put({"mneme.toml": "decay-days = 400\n", "me.local.mneme": cell("PREF-0001")})
    return past


@pytest.mark.parametrize(
    ("moment", "ids"),
    [
        ("2026-06-01", ["DEC-0001"]),
        ("2026-07-31", ["DEC-0001"]),  # on this line, the branch came in August
        ("2026-08-01", ["DEC-0002"]),
        ("2030-01-01", ["DEC-0002"]),
        ("v1", ["DEC-0001"]),
        ("HEAD~1", ["DEC-0001"]),
        ("side", ["DEC-0002"]),
    ],
)
def test_the_spine_of_a_moment(past: Past, mneme: Runner, moment: str, ids: list[str]) -> None:
    result = mneme("at", moment, "spine")
    assert result.code == 0, result.err
    assert [line.split()[0] for line in result.out.splitlines()] == ids


def test_trust_is_judged_by_that_day_under_the_configuration_of_that_time(past: Past, mneme: Runner) -> None:
    def trust(*arguments: str) -> str:
        return json.loads(mneme(*arguments, "--format", "json").out)["cells"][0]["trust"]

    assert trust("at", "2026-07-10", "show", "DEC-0001") == "use"
    assert trust("at", "2026-07-30", "show", "DEC-0001") == "verify"  # 45 days, whatever is configured now
    assert trust("at", "v1", "spine") == "use"  # the day of the commit
    assert trust("--today", "2026-11-01", "at", "v1", "spine") == "verify"
    assert trust("show", "DEC-0001") == "history"


def test_find_why_and_paths(past: Past, mneme: Runner) -> None:
    assert mneme("at", "v1", "find", "slow", "queries").out.startswith("DEC-0001  live")
    assert mneme("at", "side", "why", "DEC-0002").out.startswith("# DEC-0002 <- DEC-0001")
    assert mneme("at", "side", "spine", "memory").out.startswith("DEC-0002")
    assert mneme("at", "side", "spine", "memory/all.mneme", "--all").out.startswith("DEC-0001")
    assert mneme("at", "side", "spine", cwd=past.folder / "memory").out.startswith("DEC-0002")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["2026-05-31", "spine"], "nothing was committed by 2026-05-31: the first commit here is of 2026-06-01"),
        (["no-such-branch", "spine"], "is no commit and no day"),
        (["--all", "spine"], "No such option"),
        (["2026-06-31", "spine"], "is no commit and no day"),
        (["v1", "spine", "memory/all.mneme"], "no memory file of that name then"),
        (["v1", "spine", "-"], "standard input has no past"),
        (["v1", "lint"], "No such command"),
    ],
)
def test_what_cannot_be(past: Past, mneme: Runner, arguments: list[str], said: str) -> None:
    result = mneme("at", *arguments)
    assert result.code == 2
    assert said in result.err
    assert result.out == ""


def test_a_commit_without_memory_and_a_repository_without_commits(mneme: Runner, tmp_path: Path) -> None:
    past = Past(tmp_path)
    assert "nothing is committed here yet" in mneme("at", "2026-11-25", "spine").err
    past.commit("code", {"main.py": ""})
    result = mneme("at", "HEAD", "spine")
    assert (result.code, result.out) == (0, "")


def test_links_and_unreadable_files_of_a_commit(mneme: Runner, tmp_path: Path) -> None:
    past = Past(tmp_path)
    (tmp_path / "alias.mneme").symlink_to("real/a.mneme")
    (tmp_path / "loop.mneme").symlink_to("loop.mneme")
    (tmp_path / "dead.mneme").symlink_to("gone.mneme")
    past.commit("links", {"real/a.mneme": OLD})
    (tmp_path / "bad.mneme").write_bytes(b"\xff")
    past.commit("bad", {})
    (tmp_path / "real/a.mneme").write_text("", encoding="utf-8")
    result = mneme("at", "HEAD", "spine", "--format", "json")
    assert result.code == 2
    assert [entry["path"] for entry in json.loads(result.out)["cells"]] == ["alias.mneme", "real/a.mneme"]
    for name in ("loop.mneme", "dead.mneme", "bad.mneme"):
        assert name in result.err


@pytest.mark.parametrize("command", ["spine", "show", "find", "why"])
def test_help_shows_how_it_is_called_here(past: Past, mneme: Runner, command: str) -> None:
    told = mneme("at", "v1", command, "--help").out
    assert f"  mneme at v1 {command}" in told
    assert f"  mneme {command}" not in told
    assert f"  mneme {command}" in mneme(command, "--help").out
