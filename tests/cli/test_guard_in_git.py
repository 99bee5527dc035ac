"""The guard where repositories are not as simple as they could be: parents, shapes, surroundings."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.history.guard import Verdict
from tests.conftest import Result, Runner

GUARD = ",".join(Verdict)

Git = Callable[..., str]


def a_cell(cell_id: str, gist: str, *, state: str = "live", seen: str = "2026-11-20", more: str = "") -> str:
    return f"@ {cell_id}  a\ngist  {gist}\nstate {state}   since 2026-11-01   seen {seen}\n{more}"


def memory(*cells: str) -> str:
    return "\n".join(cells)


ONE, TWO, THREE = (a_cell(f"DEC-000{number}", gist) for number, gist in enumerate(("One", "Two", "Three"), 1))


class Repo:
    """A repository with one commit that holds ONE and TWO."""

    def __init__(self, folder: Path, mneme: Runner, git: Git) -> None:
        self.folder = folder
        self._mneme = mneme
        self._git = git

    def git(self, *arguments: str | Path, check: bool = True) -> str:
        return self._git("-c", "protocol.file.allow=always", *arguments, cwd=self.folder, check=check)

    def write(self, text: str, name: str = "project.mneme") -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(text.encode())

    def commit(self, text: str, name: str = "project.mneme") -> str:
        self.write(text, name)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a change")
        return self.git("rev-parse", "HEAD").strip()

    def lint(self, *options: str, cwd: Path | None = None) -> Result:
        return self._mneme(
            "lint", "--select", GUARD, "--format", "json", *options, cwd=cwd or self.folder
        )  # fmt: skip

    def found(self, *options: str, cwd: Path | None = None, said: str = "") -> list[str]:
        """Return what lint finds, each as ``path rule ID``; on standard error stands ``said``."""
        result = self.lint(*options, cwd=cwd)
        assert said in result.err if said else not result.err, result.err
        return [f"{entry['path']} {entry['name']} {entry['cell']}" for entry in json.loads(result.out)["findings"]]


@pytest.fixture
def empty(tmp_path: Path, mneme: Runner, git: Git) -> Repo:
    """A repository without a commit."""
    folder = tmp_path / "repo"
    folder.mkdir()
    repo = Repo(folder, mneme, git)
    repo.git("init", "-q", "-b", "main")
    return repo


@pytest.fixture
def repo(empty: Repo) -> Repo:
    """A repository whose one commit holds two cells."""
    empty.commit(memory(ONE, TWO))
    return empty


EDITED = TWO.replace("Two", "Other")
WRONG = ["project.mneme content-edited DEC-0002"]


# --- what is judged ------------------------------------------------------------------------------------------


def test_a_partially_staged_file_is_judged_by_what_is_staged(repo: Repo) -> None:
    repo.write(memory(ONE, TWO, THREE))
    repo.git("add", "-A")
    repo.write(memory(ONE, EDITED, THREE))
    assert repo.found("--staged") == []
    assert repo.found() == WRONG
    repo.git("add", "-A")
    repo.write(memory(ONE, TWO, THREE))
    assert repo.found("--staged") == WRONG
    assert repo.found() == []


def test_a_staged_deletion_of_the_only_file(repo: Repo) -> None:
    repo.git("rm", "-q", "--cached", "project.mneme")
    result = repo.lint("--staged")
    assert result.code == 0
    (finding,) = json.loads(result.out)["findings"]
    assert (finding["name"], finding["severity"]) == ("file-deleted", "warning")
    assert "DEC-0001, DEC-0002" in finding["message"]


def test_named_files_limit_what_is_told_and_not_what_is_looked_at(repo: Repo) -> None:
    repo.commit(THREE, "other.mneme")
    repo.write(memory(ONE))
    repo.write(memory(THREE, TWO), "moved.mneme")
    (repo.folder / "other.mneme").unlink()
    assert repo.found("project.mneme") == []  # TWO has moved
    repo.write(THREE, "moved.mneme")
    assert repo.found("project.mneme") == ["project.mneme cell-deleted DEC-0002"]
    assert repo.found("moved.mneme") == []
    repo.write(memory(THREE.replace("Three", "3")), "moved.mneme")
    assert repo.found("project.mneme") == ["project.mneme cell-deleted DEC-0002"]
    assert repo.found("moved.mneme") == ["moved.mneme content-edited DEC-0003"]


def test_an_id_that_another_file_has_is_not_new(repo: Repo) -> None:
    repo.write(TWO.replace("Two", "2"), "new.mneme")
    assert repo.found("new.mneme") == []  # a duplicate: the whole workspace tells


def test_no_history_and_outside_of_git(repo: Repo, tmp_path: Path) -> None:
    repo.write(memory(ONE, EDITED))
    assert repo.found("--no-history") == []
    shutil.rmtree(repo.folder / ".git")
    assert repo.found() == []


def test_an_unselected_guard_asks_git_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("git was asked")

    monkeypatch.setattr("mneme.history.witness.status", refuse)
    assert json.loads(repo.lint("--ignore", GUARD).out)["findings"] == []


def test_a_suppression_is_used_in_git_and_no_noise_outside(repo: Repo) -> None:
    text = memory(ONE, "# mneme: ignore[content-edited]", EDITED)
    repo.write(text)
    assert repo.found("--extend-select", "MN9") == []
    assert repo.found("--extend-select", "MN9", "--no-history") == []
    repo.git("commit", "-q", "-a", "-m", "edited")
    (unused,) = repo.found("--extend-select", "MN9")
    assert unused.startswith("project.mneme unused-suppression ")


def test_cells_that_no_commit_holds_may_be_edited(empty: Repo) -> None:
    empty.write(memory(ONE, TWO))
    assert empty.found() == []
    empty.git("add", "-A")
    empty.write(memory(ONE, EDITED))
    assert empty.found() == []
    assert empty.found("--staged") == []


def test_a_fix_is_judged_as_it_is_written(repo: Repo) -> None:
    repo.commit(memory(ONE, TWO.replace("gist", "Gist")))
    result = repo.lint("--fix", "--extend-select", "key-slip")
    assert json.loads(result.out)["findings"] == []
    assert (repo.folder / "project.mneme").read_text(encoding="utf-8") == memory(ONE, TWO)


def test_an_unreadable_file_makes_nothing_lost(repo: Repo) -> None:
    (repo.folder / "project.mneme").write_bytes(b"\xff")
    result = repo.lint()
    assert result.code == 2
    assert [entry["name"] for entry in json.loads(result.out)["findings"]] == ["unreadable-file"]


def test_a_past_that_is_no_text_is_told(empty: Repo) -> None:
    (empty.folder / "project.mneme").write_bytes(b"\xff")
    empty.git("add", "-A")
    empty.git("commit", "-q", "-m", "bytes")
    empty.write(ONE)
    assert empty.found(said="project.mneme as of HEAD is no text") == []


# --- history ---------------------------------------------------------------------------------------------------


def test_a_number_of_another_branch_is_free_until_it_is_merged(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(memory(ONE, TWO, THREE))
    repo.write(memory(ONE, TWO, THREE, a_cell("DEC-0004", "x")))
    assert repo.found() == []  # and the history of this branch is read, and kept
    repo.git("checkout", "-q", "-f", "main")
    repo.write(memory(ONE, TWO, THREE.replace("Three", "3")))
    assert repo.found() == []


def test_an_id_of_a_merged_branch_that_was_deleted_there(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(memory(ONE, TWO, THREE))
    repo.commit(memory(ONE, TWO))
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "m", "side")
    repo.write(memory(ONE, TWO, THREE.replace("Three", "3")))
    assert repo.found() == ["project.mneme id-reused DEC-0003"]


def test_a_rewritten_history_frees_the_id_again(repo: Repo) -> None:
    start = repo.git("rev-parse", "HEAD").strip()
    repo.commit(memory(ONE, TWO, THREE))
    repo.commit(memory(ONE, TWO))
    repo.write(memory(ONE, TWO, THREE.replace("Three", "3")))
    assert repo.found() == ["project.mneme id-reused DEC-0003"]
    repo.git("reset", "-q", "--soft", start)
    repo.git("reflog", "expire", "--expire=now", "--all")
    assert repo.found() == []
    repo.git("gc", "-q", "--prune=now")
    assert repo.found() == []


def test_workspaces_have_histories_of_their_own(repo: Repo) -> None:
    repo.commit(THREE, "part/memory.mneme")
    repo.commit("", "part/mneme.toml")
    repo.commit("# empty\n", "part/memory.mneme")
    repo.write(THREE.replace("Three", "3"), "new.mneme")
    assert repo.found() == []
    assert repo.found("--repository") == []
    repo.write(THREE.replace("Three", "3"), "part/memory.mneme")
    assert repo.found("--repository") == ["part/memory.mneme id-reused DEC-0003"]
    assert repo.found(cwd=repo.folder / "part") == ["memory.mneme id-reused DEC-0003"]


# --- amend-window -----------------------------------------------------------------------------------------------


def test_the_amend_window_lets_typos_be_fixed_before_they_are_pushed(repo: Repo, tmp_path: Path) -> None:
    repo.git("init", "-q", "--bare", tmp_path / "remote.git")
    repo.git("remote", "add", "origin", tmp_path / "remote.git")
    repo.git("push", "-q", "-u", "origin", "main")
    typo, fixed = a_cell("DEC-0003", "Chache entries live an hour"), a_cell("DEC-0003", "Cache entries live an hour")
    repo.commit(memory(ONE, TWO, typo))
    repo.write(memory(ONE, TWO, fixed))
    assert repo.found() == ["project.mneme content-edited DEC-0003"]
    repo.write("amend-window = true\n", "mneme.toml")
    assert repo.found() == []
    repo.write(memory(ONE, TWO, a_cell("DEC-0003", "Nothing is kept")))
    assert repo.found() == ["project.mneme content-edited DEC-0003"]  # no typo
    repo.write(memory(ONE, TWO))
    assert repo.found() == ["project.mneme cell-deleted DEC-0003"]
    repo.git("push", "-q")
    repo.write(memory(ONE, TWO, fixed))
    assert repo.found() == ["project.mneme content-edited DEC-0003"]


def test_the_amend_window_needs_an_upstream_branch(repo: Repo) -> None:
    repo.write("amend-window = true\n", "mneme.toml")
    repo.write(memory(ONE, TWO.replace("Two", "Too")))
    assert repo.found(said="amend-window has no effect") == WRONG


# --- under way ----------------------------------------------------------------------------------------------------


def both_took_three(repo: Repo) -> None:
    """Two branches add a cell DEC-0003 each; the side one is checked out."""
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(
        memory(ONE, TWO, a_cell("DEC-0003", "Of the side"), a_cell("DEC-0004", "More", more="link  relates DEC-0003\n"))
    )
    repo.git("checkout", "-q", "main")
    repo.commit(memory(ONE, TWO, a_cell("DEC-0003", "Of the trunk")))
    repo.git("checkout", "-q", "side")


def test_a_merge_may_give_a_new_number_with_its_links(repo: Repo) -> None:
    both_took_three(repo)
    repo.git("merge", "main", check=False)
    trunk, side = a_cell("DEC-0003", "Of the trunk"), a_cell("DEC-0005", "Of the side")
    repo.write(memory(ONE, TWO, trunk, a_cell("DEC-0004", "More", more="link  relates DEC-0005\n"), side))
    assert repo.found() == []
    repo.git("add", "-A")
    assert repo.found("--staged") == []
    repo.write(memory(ONE, TWO, trunk, a_cell("DEC-0004", "More", more="link  relates DEC-0001\n"), side))
    assert repo.found() == ["project.mneme link-removed DEC-0004"]


def test_a_merge_that_loses_a_cell(repo: Repo) -> None:
    both_took_three(repo)
    repo.git("merge", "main", check=False)
    repo.write(
        memory(
            ONE, TWO, a_cell("DEC-0003", "Of the trunk"), a_cell("DEC-0004", "More", more="link  relates DEC-0003\n")
        )
    )
    assert repo.found() == ["project.mneme cell-deleted DEC-0003"]
    repo.write(memory(ONE, TWO, a_cell("DEC-0003", "Of the side"), a_cell("DEC-0005", "Of the trunk")))
    assert repo.found() == ["project.mneme cell-deleted DEC-0004"]


def test_a_merge_in_which_ours_wins_whole_loses_cells(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(memory(ONE, TWO, THREE))
    repo.git("checkout", "-q", "main")
    repo.commit("x", "other.txt")
    repo.git("merge", "-q", "--no-commit", "-s", "ours", "side")
    assert repo.found() == ["project.mneme cell-deleted DEC-0003"]
    assert repo.found("--staged") == ["project.mneme cell-deleted DEC-0003"]


def test_each_parent_may_be_right(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(memory(a_cell("DEC-0001", "One", state="superseded"), EDITED))  # in spite of the guard
    repo.git("checkout", "-q", "main")
    repo.commit(memory(a_cell("DEC-0001", "One", state="retired"), TWO))
    repo.git("merge", "side", check=False)
    superseded = a_cell("DEC-0001", "One", state="superseded")
    for two in (TWO, EDITED):
        repo.write(memory(superseded, two))
        assert repo.found() == []
    repo.write(memory(superseded, TWO.replace("Two", "2")))
    assert repo.found() == WRONG
    repo.write(memory(ONE, TWO))
    assert repo.found() == ["project.mneme illegal-transition DEC-0001"]


def test_what_one_branch_deleted_and_the_other_did_not(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(memory(ONE))
    repo.git("checkout", "-q", "main")
    repo.commit(memory(ONE, TWO, THREE))
    repo.git("merge", "side", check=False)
    repo.write(memory(ONE, THREE))
    assert repo.found() == []
    repo.write(memory(ONE))
    assert repo.found() == ["project.mneme cell-deleted DEC-0003"]


def test_an_octopus(repo: Repo) -> None:
    for number in (3, 4):
        repo.git("checkout", "-q", "-b", f"side{number}", "main")
        repo.commit(a_cell(f"DEC-000{number}", f"Of {number}"), f"{number}.mneme")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-commit", "side3", "side4")
    assert repo.found() == []
    (repo.folder / "4.mneme").unlink()
    assert repo.found() == ["4.mneme file-deleted DEC-0004"]


@pytest.mark.parametrize("how", ["rebase", "cherry-pick"])
def test_a_replayed_commit_may_be_renumbered(repo: Repo, how: str) -> None:
    both_took_three(repo)
    if how == "rebase":
        repo.git("rebase", "main", check=False)
    else:
        repo.git("checkout", "-q", "main")
        repo.git("cherry-pick", "side", check=False)
    trunk, side = a_cell("DEC-0003", "Of the trunk"), a_cell("DEC-0005", "Of the side")
    repo.write(memory(ONE, TWO, trunk, a_cell("DEC-0004", "More", more="link  relates DEC-0005\n"), side))
    assert repo.found() == []
    repo.write(memory(ONE, TWO, a_cell("DEC-0003", "Of nobody"), side))
    assert repo.found() == ["project.mneme content-edited DEC-0003"]


def test_a_revert_may_go_back_to_what_was(repo: Repo) -> None:
    repo.commit(memory(a_cell("DEC-0001", "One", state="retired"), TWO))
    repo.commit(memory(a_cell("DEC-0001", "One", state="retired"), TWO, THREE))
    repo.git("revert", "--no-commit", "HEAD~1", check=False)
    repo.write(memory(ONE, TWO, THREE))
    assert repo.found() == []
    repo.git("revert", "--quit", check=False)
    assert repo.found() == ["project.mneme illegal-transition DEC-0001"]


def test_the_hook_of_a_merge_knows_what_is_merged(repo: Repo) -> None:
    """Git has no MERGE_HEAD yet when it runs the hook; it names the other commits in the environment."""
    assert repo._mneme("install-hook", cwd=repo.folder).code == 0
    repo.git("config", "merge.theirs.driver", "cp %B %A")
    (repo.folder / ".git" / "info" / "attributes").write_text("*.mneme merge=theirs\n", encoding="utf-8")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(memory(a_cell("DEC-0001", "One", state="superseded", more="link  superseded-by DEC-0002\n"), TWO))
    repo.git("checkout", "-q", "main")
    repo.commit(memory(a_cell("DEC-0001", "One", state="retired"), TWO))
    before = repo.git("rev-parse", "HEAD")
    repo.git("merge", "-q", "--no-edit", "side")
    assert repo.git("rev-parse", "HEAD") != before
    repo.git("reset", "-q", "--hard", before.strip())
    repo.git("config", "merge.theirs.driver", "sed s/Two/Other/ %B >%A")
    repo.git("merge", "-q", "--no-edit", "side", check=False)
    assert repo.git("rev-parse", "HEAD") == before


# --- ranges of commits --------------------------------------------------------------------------------------------


def test_a_branch_is_judged_from_where_it_parted(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "work")
    repo.commit("x", "other.txt")
    repo.git("checkout", "-q", "main")
    repo.commit(memory(ONE, TWO, THREE))
    repo.git("checkout", "-q", "work")
    assert repo.found("--base", "main") == []
    assert repo.found("--base", "main...work") == []
    assert repo.found("--base", "main..work") == ["project.mneme cell-deleted DEC-0003"]


def test_what_a_branch_added_is_bound_from_its_commit_on(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "work")
    repo.commit(memory(ONE, TWO, THREE))
    assert repo.found("--base", "main") == []
    repo.commit(memory(ONE, TWO, THREE.replace("Three", "3")))
    for options in (["main"], ["main..work"], ["main...work"], ["main..HEAD"], ["main.."]):
        assert repo.found("--base", *options) == ["project.mneme content-edited DEC-0003"]
    repo.commit(memory(ONE, TWO, THREE))
    assert repo.found("--base", "main") == []  # put back
    repo.commit(memory(ONE, TWO))
    assert repo.found("--base", "main") == ["project.mneme cell-deleted DEC-0003"]
    repo.commit(memory(ONE, TWO, THREE.replace("Three", "3")))
    assert repo.found("--base", "main") == ["project.mneme content-edited DEC-0003"]


def test_several_legal_steps_are_legal(repo: Repo) -> None:
    repo.commit(memory(ONE, TWO, a_cell("DEC-0003", "Three", state="proposed")))
    repo.git("checkout", "-q", "-b", "work")
    for state in ("live", "stale"):
        repo.commit(memory(ONE, TWO, a_cell("DEC-0003", "Three", state=state)))
    assert repo.found("--base", "main") == []
    repo.commit(memory(ONE, TWO, a_cell("DEC-0003", "Three", state="proposed")))
    assert repo.found("--base", "main~1") == []  # as it began
    repo.commit(memory(ONE, TWO, a_cell("DEC-0003", "Three", state="retired")))
    start = repo.git("rev-parse", "HEAD").strip()
    repo.commit(memory(ONE, TWO, a_cell("DEC-0003", "Three", state="live")))
    assert repo.found("--base", start) == ["project.mneme illegal-transition DEC-0003"]


def test_the_number_that_the_trunk_took_meanwhile(repo: Repo) -> None:
    both_took_three(repo)
    found = repo.found("--base", "main")
    assert found == ["project.mneme id-reused DEC-0003"]


def test_an_update_merge_that_renumbers(repo: Repo) -> None:
    both_took_three(repo)
    fork = repo.git("merge-base", "main", "side").strip()
    repo.git("merge", "main", check=False)
    trunk, side = a_cell("DEC-0003", "Of the trunk"), a_cell("DEC-0005", "Of the side")
    repo.commit(memory(ONE, TWO, trunk, a_cell("DEC-0004", "More", more="link  relates DEC-0005\n"), side))
    for base in ("main", "main..side", fork, f"{fork}..side"):
        assert repo.found("--base", base) == [], base
    repo.commit(memory(ONE, TWO, trunk, a_cell("DEC-0004", "More", more="link  relates DEC-0005\n")))
    assert "project.mneme cell-deleted DEC-0005" in repo.found("--base", "main")


def test_what_a_merge_brought_from_the_trunk_was_judged_there(repo: Repo) -> None:
    fork = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-q", "-b", "work")
    repo.commit("x", "other.txt")
    repo.git("checkout", "-q", "main")
    repo.commit(memory(ONE, EDITED))
    repo.git("checkout", "-q", "work")
    repo.git("merge", "-q", "-m", "update", "main")
    for base in ("main", fork, f"{fork}..work"):
        assert repo.found("--base", base) == [], base
    repo.git("checkout", "-q", "main")
    assert repo.found("--base", fork) == WRONG  # here it is


def test_a_pull_request_as_it_would_be_merged(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "work")
    repo.commit(memory(ONE, EDITED))
    repo.git("checkout", "-q", "main")
    repo.commit("x", "other.txt")
    repo.git("checkout", "-q", "--detach")
    repo.git("merge", "-q", "-m", "as a forge does it", "work")
    assert repo.found("--base", "main") == WRONG
    assert repo.found("--base", "HEAD^1..HEAD") == WRONG


def test_a_range_without_a_common_ancestor(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit(memory(ONE))
    result = repo.lint("--base", "main")
    assert result.code == 2
    assert "no common ancestor" in result.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--base", "nowhere"], "names no commit here"),
        (["--base", ""], "names nothing"),
        (["--base", "main", "--staged"], "goes without"),
        (["--base", "main", "--no-history"], "goes without"),
        (["--base", "main..HEAD", "project.mneme"], "leave out PATH"),
    ],
)
def test_a_base_that_cannot_be(repo: Repo, options: list[str], words: str) -> None:
    result = repo.lint(*options)
    assert result.code == 2
    assert words in result.err


# --- shapes -------------------------------------------------------------------------------------------------------


def test_a_detached_head(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")
    repo.write(memory(ONE, EDITED))
    assert repo.found() == WRONG


def test_a_shallow_clone_says_what_it_cannot_check(repo: Repo, tmp_path: Path) -> None:
    repo.commit(memory(ONE, TWO, THREE))
    repo.commit(memory(ONE, TWO))
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.folder}", tmp_path / "clone")
    clone = Repo(tmp_path / "clone", repo._mneme, repo._git)
    clone.write(memory(ONE, EDITED))
    assert clone.found() == WRONG
    clone.write(memory(ONE, TWO, a_cell("DEC-0003", "3")))
    assert clone.found(said="this clone is shallow") == []
    result = clone.lint("--base", "HEAD~1")
    assert result.code == 2
    assert "names no commit here" in result.err


def test_a_linked_worktree(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", tmp_path / "linked", "-b", "side")
    linked = Repo(tmp_path / "linked", repo._mneme, repo._git)
    linked.write(memory(ONE, EDITED))
    assert linked.found() == WRONG
    assert repo.found() == []
    linked.write(memory(ONE, TWO))
    linked.git("merge", "-q", "--no-commit", "main")
    assert linked.found() == []


def test_a_submodule_is_a_repository_of_its_own(repo: Repo, tmp_path: Path) -> None:
    outer = Repo(tmp_path / "outer", repo._mneme, repo._git)
    outer.folder.mkdir()
    outer.git("init", "-q", "-b", "main")
    outer.git("submodule", "add", "-q", repo.folder, "inner")
    outer.commit(THREE)
    inner = Repo(outer.folder / "inner", repo._mneme, repo._git)
    inner.write(memory(ONE, EDITED))
    assert inner.found() == WRONG
    assert outer.found() == []
    inner.git("checkout", "-q", "--", ".")
    outer.write(THREE.replace("Three", "3"))
    assert outer.found() == ["project.mneme content-edited DEC-0003"]


def test_a_bare_repository(repo: Repo, tmp_path: Path) -> None:
    repo.commit(memory(ONE, EDITED))
    repo.git("clone", "-q", "--bare", repo.folder, tmp_path / "bare.git")
    bare = Repo(tmp_path / "bare.git", repo._mneme, repo._git)
    assert bare.found("--base", "HEAD~1..HEAD") == WRONG
    assert bare.found(said="a bare repository has no files to check") == []


@pytest.mark.parametrize("name", ["mit Blank", "记忆 📓", "-dash", "a'b\"c"])
def test_folders_and_files_of_any_name(empty: Repo, name: str) -> None:
    file = f"{name}/deep er/线.mneme"
    empty.commit(memory(ONE, TWO), file)
    empty.write(memory(ONE, EDITED), file)
    assert empty.found() == [f"{file} content-edited DEC-0002"]
    assert empty.found(f"./{name}/deep er/线.mneme") == [f"{file} content-edited DEC-0002"]
    assert empty.found(cwd=empty.folder / name) == ["deep er/线.mneme content-edited DEC-0002"]


def test_a_repository_below_a_folder_of_any_name(tmp_path: Path, mneme: Runner, git: Git) -> None:
    repo = Repo(tmp_path / "ein Ordner 线", mneme, git)
    repo.folder.mkdir()
    repo.git("init", "-q")
    repo.commit(memory(ONE, TWO))
    repo.write(memory(ONE, EDITED))
    assert repo.found() == WRONG
    assert repo.found("--repository") == WRONG


def test_variables_that_a_hook_sets(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write(memory(ONE, EDITED))
    repo.git("add", "-A")
    shutil.copy(repo.folder / ".git" / "index", tmp_path / "index")
    repo.git("reset", "-q")
    repo.write(memory(ONE, TWO))
    assert repo.found("--staged") == []
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert repo.found("--staged") == WRONG
    monkeypatch.delenv("GIT_INDEX_FILE")
    repo.write(memory(ONE, EDITED))
    (repo.folder / ".git").rename(tmp_path / "elsewhere.git")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repo.folder))
    assert repo.found() == WRONG


def test_line_ends_that_git_converts(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    (repo.folder / "project.mneme").unlink()
    repo.git("checkout", "-q", "--", "project.mneme")
    path = repo.folder / "project.mneme"
    assert b"\r\n" in path.read_bytes()
    assert repo.found() == []
    os.utime(path, (1, 1))
    assert repo.found() == []
    path.write_bytes(path.read_bytes().replace(b"Two", b"Other"))
    assert repo.found() == WRONG
    repo.git("add", "-A")
    assert repo.found("--staged") == WRONG


def test_a_sparse_checkout(repo: Repo) -> None:
    repo.commit(THREE, "far/away.mneme")
    repo.commit("x", "near/file.txt")
    repo.git("sparse-checkout", "set", "near")
    assert not (repo.folder / "far").exists()
    assert repo.found() == []
    assert repo.found("--staged") == []
    repo.write(memory(ONE, EDITED))
    assert repo.found() == WRONG
    repo.write(memory(ONE, TWO))
    repo.write(THREE.replace("Three", "3"), "near/new.mneme")
    assert repo.found() == ["near/new.mneme id-reused DEC-0003"]


def test_links_and_files_of_elsewhere_are_told(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text(THREE, encoding="utf-8")
    (repo.folder / "link.mneme").symlink_to(tmp_path / "outside.txt")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "a link")
    assert repo.found(said="link.mneme is a link to what git does not hold") == []
    (repo.folder / "link.mneme").unlink()
    (repo.folder / "link.mneme").symlink_to("project.mneme")
    repo.git("commit", "-q", "-a", "-m", "another link")
    assert repo.found() == []
    (tmp_path / "stranger.mneme").write_text(ONE, encoding="utf-8")
    repo.write(memory(ONE, EDITED))
    for names in (["../stranger.mneme", "project.mneme"], ["project.mneme", "../stranger.mneme"]):
        assert repo.found(*names, said="stranger.mneme lies outside") == WRONG


def test_a_loop_of_links_does_not_hide_what_is_wrong(repo: Repo) -> None:
    (repo.folder / "loop.mneme").symlink_to("loop.mneme")
    repo.write(memory(ONE, EDITED))
    result = repo.lint()
    assert result.code == 2
    assert [(entry["name"], entry["path"]) for entry in json.loads(result.out)["findings"]] == [
        ("unreadable-file", "loop.mneme"), ("content-edited", "project.mneme"),
    ]  # fmt: skip


def test_git_that_refuses_is_told(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    result = repo.lint()
    assert result.code == 0
    assert "not checked: nothing was compared with git: git was not found" in result.err


def test_an_intent_to_add_and_an_unmerged_file(repo: Repo) -> None:
    repo.write(THREE, "new.mneme")
    repo.git("add", "-N", "new.mneme")
    assert repo.found() == []
    (repo.folder / "new.mneme").unlink()
    repo.git("reset", "-q")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(memory(ONE, a_cell("DEC-0002", "Two", state="stale")))
    repo.git("checkout", "-q", "main")
    repo.commit(memory(ONE, a_cell("DEC-0002", "Two", seen="2026-11-24")))
    repo.git("merge", "side", check=False)
    assert "<<<<<<<" in (repo.folder / "project.mneme").read_text(encoding="utf-8")
    assert repo.found() == []
    repo.write(memory(ONE, a_cell("DEC-0002", "2", state="stale", seen="2026-11-24")))
    assert repo.found() == WRONG
