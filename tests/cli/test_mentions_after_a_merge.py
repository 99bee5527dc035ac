"""Mentions of a renumbered cell in files that git did not have to merge: named, and changed by one command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.test_install_git import FIRST, SECOND, THIRD, Repo
from tests.conftest import Runner, cell

OURS = cell("FACT-0001", gist="Tokens are signed", topic="api/auth", cue="signature") + "link  depends-on DEC-0002\n"
THEIRS = cell("FACT-0002", gist="Caches are per core", topic="build/ci", cue="caches") + "> As DEC-0002 says.\n"
BOTH = cell("FACT-0003", gist="Logs are kept", topic="ops/logs", cue="logs")
LINK = "link  refines DEC-0002\n"
COMMAND = re.compile(r"mneme renumber (DEC-0002) (DEC-0003) --cell (a1:[0-9a-f]+)")


@pytest.fixture
def repo(tmp_path: Path, mneme: Runner) -> Repo:
    """Both branches took DEC-0002, and each speaks of its own in other files."""
    made = Repo(tmp_path / "r")
    made.path.mkdir()
    made.git("init", "-q", "-b", "main")
    assert mneme("install-git", cwd=made.path).code == 0
    made.commit("base", a_mneme=FIRST, both_mneme=BOTH)
    made.git("switch", "-q", "-c", "side")
    made.commit("theirs", a_mneme=f"{FIRST}\n{THIRD}", notes__theirs_mneme=THEIRS, both_mneme=BOTH + LINK)
    made.git("switch", "-q", "main")
    made.commit("ours", a_mneme=f"{FIRST}\n{SECOND}", notes__ours_mneme=OURS)
    return made


def lint(mneme: Runner, repo: Repo, *options: str) -> list[str]:
    done = mneme("lint", "--format", "concise", "--select", "MN1,MN7", *options, cwd=repo.path)
    return [line for line in done.out.splitlines() if ": error " in line]


def check_repaired(mneme: Runner, repo: Repo) -> None:
    assert repo.text("notes/theirs.mneme") == THEIRS.replace("DEC-0002", "DEC-0003")
    assert repo.text("both.mneme") == BOTH + LINK.replace("DEC-0002", "DEC-0003")
    assert repo.text("notes/ours.mneme") == OURS
    assert lint(mneme, repo) == []
    repo.git("commit", "-q", "-a", "-m", "all mentions")
    assert lint(mneme, repo) == []
    assert lint(mneme, repo, "--base", "HEAD~1") == []


def test_lint_names_them_while_merging_and_renumber_changes_them(repo: Repo, mneme: Runner) -> None:
    assert repo.run("merge", "--no-commit", "side").returncode == 0
    found = lint(mneme, repo)
    assert [line.partition(": error ")[0] for line in found] == ["both.mneme:5:15", "notes/theirs.mneme:5:6"]
    assert "FACT-0003 names DEC-0002 and means 'Builds run on ARM', which is DEC-0003 now" in found[0]
    assert lint(mneme, repo, "--staged") == found
    hint = COMMAND.search(mneme("lint", cwd=repo.path).out)
    assert hint
    done = mneme("renumber", *hint.groups()[:2], "--cell", hint[3], cwd=repo.path)
    assert (done.code, done.out) == (0, "DEC-0002 -> DEC-0003  a.mneme:11\n"), done.err
    assert "DEC-0002 stays with a.mneme:6: a merge gave the other one its number" in done.err
    assert "changed with it: both.mneme:5, notes/theirs.mneme:5" in done.err
    check_repaired(mneme, repo)


def test_the_hook_stops_such_a_merge(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-hook", cwd=repo.path).code == 0
    done = repo.run("merge", "--no-edit", "side")
    assert done.returncode != 0
    assert "mention-left-behind" in done.stderr
    assert repo.git("log", "-1", "--format=%s") == "ours\n"


@pytest.mark.parametrize("later", [False, True], ids=["at once", "commits later"])
def test_the_driver_says_it_and_it_can_be_changed_after_the_merge(repo: Repo, mneme: Runner, later: bool) -> None:
    done = repo.run("merge", "--no-edit", "side")
    assert done.returncode == 0
    assert "mneme: a.mneme: DEC-0002 is mentioned in both.mneme, notes/theirs.mneme too: when the merge is done, " in (
        done.stderr
    )
    hint = COMMAND.search(done.stderr)
    assert hint
    if later:
        own = cell("FACT-0004", gist="Of main itself", topic="api/auth", cue="x") + "link  refines DEC-0002\n"
        repo.commit("later", c_mneme=own)
    said = mneme("renumber", hint[1], hint[2], "--cell", hint[3], cwd=repo.path)
    assert said.code == 0, said.err
    assert ("may mean either cell: c.mneme:5" in said.err) == later
    check_repaired(mneme, repo)
    again = mneme("renumber", hint[1], hint[2], "--cell", hint[3], cwd=repo.path)
    assert "no other line means it" in again.err


def test_after_a_rebase(repo: Repo, mneme: Runner) -> None:
    repo.git("switch", "-q", "side")
    done = repo.run("rebase", "main")
    assert done.returncode == 0
    hint = COMMAND.search(done.stderr)
    assert hint, done.stderr
    assert "DEC-0002 is mentioned in both.mneme, notes/theirs.mneme too" in done.stderr
    said = mneme("renumber", hint[1], hint[2], "--cell", hint[3], cwd=repo.path)
    assert said.code == 0, said.err
    check_repaired(mneme, repo)


def test_the_other_side_gives_way(repo: Repo, mneme: Runner) -> None:
    repo.git("branch", "-m", "main", "work")  # no trunk: the older cell keeps the number
    repo.git("switch", "-q", "side")
    done = repo.run("merge", "--no-edit", "work")
    assert done.returncode == 0
    assert "DEC-0002 is mentioned in both.mneme, notes/theirs.mneme too" in done.stderr


def test_nobody_is_told_of_mentions_that_are_right(repo: Repo, mneme: Runner) -> None:
    repo.git("switch", "-q", "side")
    repo.commit("without", notes__theirs_mneme=THEIRS.replace("DEC-0002", "DEC-0001"), both_mneme=BOTH)
    repo.git("switch", "-q", "main")
    done = repo.run("merge", "--no-commit", "side")
    assert done.returncode == 0
    assert "is now DEC-0003" in done.stderr
    assert "is mentioned in" not in done.stderr
    assert lint(mneme, repo) == []


def test_a_digest_of_another_cell_is_refused(repo: Repo, mneme: Runner) -> None:
    repo.git("merge", "-q", "--no-edit", "side")
    for digest in ("a1:0123456789", "m1:0123456789"):
        done = mneme("renumber", "DEC-0002", "DEC-0003", "--cell", digest, cwd=repo.path)
        assert done.code == 2
        assert "DEC-0003 is taken, and not by the cell" in done.err
