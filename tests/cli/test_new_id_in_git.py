"""IDs that git remembers are never given again: new-id, add and supersede, with and without the cache."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mneme.history import repo as plumbing
from tests.conftest import Runner, cell
from tests.past import Past


@pytest.fixture
def past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Past:
    """A project whose only cell now is DEC-0001, with a cache folder."""
    monkeypatch.setenv("MNEME_CACHE_DIR", str(tmp_path / "cache of mine"))
    past = Past(tmp_path / "repository")
    past.commit("start", {"project.mneme": cell()})
    return past


def next_id(mneme: Runner, past: Past, *more: str) -> str:
    result = mneme("new-id", "DEC", *more, cwd=past.folder)
    assert result.code == 0, result.err
    return result.out.strip()


def on_branch(past: Past, branch: str, number: int) -> None:
    """Commit a cell on another branch and come back."""
    past.git("checkout", "-q", "-b", branch)
    past.commit(branch, {f"{branch}.mneme": cell(f"DEC-{number:04d}", gist=f"Decision {number}")})
    past.git("checkout", "-q", "main")


def test_deleted_cells_branches_tags_and_the_stash(past: Past, mneme: Runner) -> None:
    past.commit("more", {"project.mneme": cell() + "\n" + cell("DEC-0007", more="link  relates DEC-0009\n")})
    past.commit("gone", {"project.mneme": cell()})
    assert next_id(mneme, past) == "DEC-0010"
    on_branch(past, "side", 20)
    assert next_id(mneme, past) == "DEC-0021"
    on_branch(past, "tagged", 30)
    past.git("tag", "-a", "-m", "x", "kept", "tagged")
    past.git("branch", "-q", "-D", "tagged")
    assert next_id(mneme, past) == "DEC-0031"
    past.put({"project.mneme": cell() + "\n" + cell("DEC-0040", gist="Stashed")})
    past.git("stash", "-q")
    assert next_id(mneme, past) == "DEC-0041"
    assert mneme("new-id", "FACT", cwd=past.folder).out == "FACT-0001\n"


def test_a_merge_that_made_an_id(past: Past, mneme: Runner) -> None:
    on_branch(past, "side", 3)
    past.commit("main", {"other.txt": ""})
    past.git("merge", "-q", "--no-commit", "--no-ff", "side")
    past.commit("merged", {"side.mneme": cell("DEC-0008", gist="Made by the merge")})
    past.commit("gone", {"side.mneme": None})
    assert next_id(mneme, past) == "DEC-0009"


def test_the_second_call_reads_no_history(past: Past, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    on_branch(past, "side", 20)
    assert next_id(mneme, past) == "DEC-0021"
    commands: list[str] = []
    run = subprocess.run

    def spy(command: list[str], **more: object) -> object:
        commands.append(command[1])
        return run(command, **more)

    monkeypatch.setattr(plumbing.subprocess, "run", spy)
    assert next_id(mneme, past) == "DEC-0021"
    assert "log" not in commands
    assert len(commands) <= 4
    past.commit("one more", {"new.mneme": cell("DEC-0050", gist="New")})
    past.commit("and gone", {"new.mneme": None})
    commands.clear()
    assert next_id(mneme, past) == "DEC-0051"
    assert "log" in commands


@pytest.mark.parametrize("damage", [None, b"", b"mneme", b"\0" * 100])
def test_the_cache_never_changes_an_answer(past: Past, mneme: Runner, tmp_path: Path, damage: bytes | None) -> None:
    on_branch(past, "side", 20)
    assert next_id(mneme, past) == "DEC-0021"
    [kept] = (tmp_path / "cache of mine").glob("*.ids")
    if damage is None:
        kept.unlink()
    else:
        kept.write_bytes(damage)
    assert next_id(mneme, past) == "DEC-0021"


def test_what_was_taken_back_is_free_again(past: Past, mneme: Runner) -> None:
    on_branch(past, "side", 20)
    assert next_id(mneme, past) == "DEC-0021"
    past.git("branch", "-q", "-D", "side")
    past.git("reflog", "expire", "--expire=now", "--all")
    past.git("gc", "-q", "--prune=now")
    assert next_id(mneme, past) == "DEC-0002"


def test_a_tag_of_a_file_and_a_detached_head(past: Past, mneme: Runner) -> None:
    past.git("tag", "blob", "HEAD:project.mneme")
    past.git("tag", "tree", "HEAD^{tree}")
    past.git("checkout", "-q", "--detach")
    past.commit("detached", {"d.mneme": cell("DEC-0005", gist="Detached")})
    past.commit("gone", {"d.mneme": None})
    assert next_id(mneme, past) == "DEC-0006"


def test_remote_branches_count_after_a_fetch(past: Past, mneme: Runner, tmp_path: Path) -> None:
    past.git("clone", "-q", str(past.folder), str(tmp_path / "clone"))
    clone = Past(tmp_path / "clone")
    on_branch(past, "theirs", 60)
    assert next_id(mneme, clone) == "DEC-0002"
    assert next_id(mneme, clone, "--remote") == "DEC-0061"
    assert next_id(mneme, clone) == "DEC-0061"
    clone.git("remote", "set-url", "origin", str(tmp_path / "nowhere"))
    failed = mneme("new-id", "DEC", "--remote", cwd=clone.folder)
    assert (failed.code, failed.out) == (2, "")
    assert "git fetch" in failed.err


def test_remote_needs_one(past: Past, mneme: Runner, tmp_path: Path) -> None:
    assert "has no remote" in mneme("new-id", "DEC", "--remote", cwd=past.folder).err
    assert "leave one of the two out" in mneme("new-id", "DEC", "project.mneme", "--remote", cwd=past.folder).err
    outside = mneme("new-id", "DEC", "--remote", cwd=tmp_path)
    assert outside.code == 2
    assert "not in a git repository" in outside.err


def test_named_files_are_all_that_counts(past: Past, mneme: Runner) -> None:
    on_branch(past, "side", 20)
    assert next_id(mneme, past, "project.mneme") == "DEC-0002"


def test_other_workspaces_do_not_count(past: Past, mneme: Runner) -> None:
    past.commit("sub", {"sub/mneme.toml": "", "sub/a.mneme": cell("DEC-0070", gist="Another project")})
    assert next_id(mneme, past) == "DEC-0002"
    assert mneme("new-id", "DEC", cwd=past.folder / "sub").out == "DEC-0071\n"


def test_add_and_supersede_know_the_same(past: Past, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    on_branch(past, "side", 20)
    # In a hook of another repository git points elsewhere.
    monkeypatch.setenv("GIT_DIR", os.fspath(past.folder / "nowhere"))
    added = mneme("add", "DEC", "Pages hold 200 rows", "--topic", "api/pages", cwd=past.folder)
    assert added.out == "DEC-0021\n", added.err
    assert mneme("supersede", "DEC-0001", "Cache in DuckDB", cwd=past.folder).out == "DEC-0022\n"
    personal = mneme("add", "DEC", "Mine alone", "--personal", cwd=past.folder)
    assert not personal.out.removeprefix("DEC-").strip().isdigit()


def test_a_shallow_clone_and_a_broken_repository_warn(past: Past, mneme: Runner, tmp_path: Path) -> None:
    past.commit("b", {"project.mneme": cell() + "\n" + cell("DEC-0007", gist="x")})
    past.commit("c", {"project.mneme": cell()})
    past.git("clone", "-q", "--depth", "1", f"file://{past.folder}", str(tmp_path / "shallow"))
    shallow = mneme("new-id", "DEC", cwd=tmp_path / "shallow")
    assert shallow.out == "DEC-0002\n"
    assert "this clone is shallow" in shallow.err
    past.git("-C", str(tmp_path / "shallow"), "fetch", "-q", "--unshallow")
    assert mneme("new-id", "DEC", cwd=tmp_path / "shallow").out == "DEC-0008\n"
    blob = past.git("rev-parse", "HEAD:project.mneme").strip()
    (past.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    broken = mneme("new-id", "DEC", cwd=past.folder)
    assert broken.code == 0
    assert "git could not tell which IDs were used before" in broken.err
