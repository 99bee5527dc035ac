"""Git plumbing and the trees it gives: what the index holds, whatever lies in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.errors import UnreadableFile
from mneme.history import repo as plumbing
from mneme.history.repo import GitError, Repository
from mneme.history.worlds import DiskTree, StagedTree, holdings
from tests.conftest import cell

Git = Callable[..., str]


@pytest.fixture
def repository(tmp_path: Path, git: Git) -> Repository:
    """An empty repository in ``tmp_path``."""
    git("init", "-q")
    return Repository(tmp_path, os.environ)


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def texts(tree: StagedTree | DiskTree, repository: Repository) -> dict[str, str]:
    """Every file of every workspace by its path, with the workspace's folder."""
    return {
        f"{holding.workspace.root.relative_to(repository.top).as_posix()}: {file.source.name}": file.source.text
        for holding in holdings(repository, tree)
        for file in holding.world().files
    }


def test_names_and_contents_come_back_as_they_are(repository: Repository, tmp_path: Path, git: Git) -> None:
    names = ["a.mneme", "deep/er/b.mn", "mit Blank.mneme", "线\n行.mneme", '"quoted"\t.mneme', "-dash.mneme"]
    put(tmp_path, {name: f"# {index}\n" for index, name in enumerate(names)})
    put(tmp_path, {"c.txt": "", "mneme": "", "x.mneme.bak": ""})
    git("add", ".")
    entries = repository.staged()
    assert {entry.path for entry in entries} == set(names)
    contents = repository.contents(entry.object_id for entry in entries)
    assert {entry.path: contents[entry.object_id].decode() for entry in entries} == {
        name: f"# {index}\n" for index, name in enumerate(names)
    }


def test_a_name_that_is_no_utf8(repository: Repository, tmp_path: Path, git: Git) -> None:
    name = os.fsdecode(b"caf\xe9.mneme")
    put(tmp_path, {name: "# x\n"})
    git("add", ".")
    assert [entry.path for entry in repository.staged()] == [name]


def test_the_index_is_read_by_three_processes(
    repository: Repository, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {f"part{n}/{name}": "" for n in range(20) for name in ("a.mneme", "b.mneme", "mneme.toml")})
    git("add", ".")
    calls = []
    run = subprocess.run
    monkeypatch.setattr(plumbing.subprocess, "run", lambda *args, **kwargs: calls.append(args) or run(*args, **kwargs))
    assert len(texts(StagedTree(repository), repository)) == 40
    assert len(calls) == 3


def test_links_are_followed_in_the_index(repository: Repository, tmp_path: Path, git: Git) -> None:
    put(tmp_path, {"real/notes.mneme": "# staged\n", "outside.txt": "# outside\n"})
    (tmp_path / "alias.mneme").symlink_to("real/notes.mneme")
    (tmp_path / "real/second.mneme").symlink_to("../alias.mneme")
    (tmp_path / "out.mneme").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "loop.mneme").symlink_to("loop.mneme")
    (tmp_path / "dead.mneme").symlink_to("nowhere.mneme")
    git("add", "--", "*.mneme")
    put(tmp_path, {"real/notes.mneme": "# on disk\n"})
    [holding] = holdings(repository, StagedTree(repository))
    world = holding.world()
    assert {file.source.name: file.source.text for file in world.files} == {
        "alias.mneme": "# staged\n",
        "out.mneme": "# outside\n",
        "real/notes.mneme": "# staged\n",
        "real/second.mneme": "# staged\n",
    }
    assert sorted(error.message for error in world.unreadable) == [
        "dead.mneme: a link whose target does not exist",
        "loop.mneme: a loop of links",
    ]


def test_a_submodule_is_no_memory_file(repository: Repository, tmp_path: Path, git: Git) -> None:
    inner = tmp_path / "sub.mneme"
    inner.mkdir()
    git("init", "-q", cwd=inner)
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=inner)
    git("add", "sub.mneme")
    assert holdings(repository, StagedTree(repository)) == []


def test_an_unmerged_file_is_unreadable(repository: Repository, tmp_path: Path, git: Git) -> None:
    put(tmp_path, {"a.mneme": "# x\n"})
    blob = git("hash-object", "-w", "a.mneme").strip()
    lines = "".join(f"100644 {blob} {stage}\ta.mneme\n" for stage in (1, 2, 3))
    subprocess.run(["git", "update-index", "--index-info"], input=lines.encode(), cwd=tmp_path, check=True)
    with pytest.raises(UnreadableFile, match="a merge conflict is not resolved"):
        StagedTree(repository).source("a.mneme", "a.mneme")


def test_a_missing_object_is_told(repository: Repository) -> None:
    with pytest.raises(GitError, match="cannot be read"):
        repository.contents(["0123456789abcdef0123456789abcdef01234567"])


def test_workspaces_by_staged_and_by_present_configuration(repository: Repository, tmp_path: Path, git: Git) -> None:
    put(
        tmp_path,
        {
            "a.mneme": "", "one/a.mneme": "", "one/mneme.toml": "", "one/deep/a.mneme": "",
            "two/a.mneme": "", "two/pyproject.toml": "[tool.mneme]\n", "three/pyproject.toml": "", "three/a.mneme": "",
            "build/a.mneme": "", "ignored.mneme": "", ".gitignore": "ignored.mneme\n",
        },
    )  # fmt: skip
    git("add", ".")
    put(tmp_path, {"two/pyproject.toml": "[tool]\n", "three/mneme.toml": "", "new.mneme": "", "me.local.mneme": ""})
    staged = [".: a.mneme", "one: one/a.mneme", "one: one/deep/a.mneme", "three: three/a.mneme", "two: two/a.mneme"]
    assert sorted(texts(StagedTree(repository), repository)) == staged
    on_disk = [name.replace("two: ", ".: ") for name in staged] + [".: new.mneme"]
    assert sorted(texts(DiskTree(repository), repository)) == sorted(on_disk)


def test_what_git_only_knows_by_name_is_in_no_commit(repository: Repository, tmp_path: Path, git: Git) -> None:
    put(tmp_path, {"a.mneme": "", "b.mneme": "", "soon.mneme": "", "new.mneme": "", "项目.mneme": ""})
    git("add", "a.mneme", "b.mneme", "项目.mneme")
    git("add", "--intent-to-add", "soon.mneme")
    put(tmp_path, {"b.mneme": "# changed\n"})
    assert DiskTree(repository, tracked_only=True).memory == ["a.mneme", "b.mneme", "项目.mneme"]
    assert DiskTree(repository).memory == ["a.mneme", "b.mneme", "new.mneme", "soon.mneme", "项目.mneme"]


def test_a_folder_that_is_called_like_a_memory_file(repository: Repository, tmp_path: Path, git: Git) -> None:
    put(tmp_path, {"a.mneme": "", "sub.mneme/read.me": ""})
    inner = ["-C", "sub.mneme"]
    git(*inner, "init", "-q")
    git(*inner, "add", ".")
    git(*inner, "commit", "-q", "-m", "inner")
    git("add", "a.mneme", "sub.mneme")
    for tree in (DiskTree(repository), DiskTree(repository, tracked_only=True), StagedTree(repository)):
        assert tree.memory == ["a.mneme"]


def test_a_workspace_wider_than_the_repository(tmp_path: Path, git: Git) -> None:
    put(tmp_path, {"mneme.toml": "extend-exclude = ['inner/old.mneme']\n", "outer.mneme": "", "me.local.mneme": ""})
    inner = tmp_path / "inner"
    put(inner, {"a.mneme": "", "old.mneme": "", "mine.local.mneme": cell(), ".gitignore": "*.local.mneme\n"})
    git("init", "-q", cwd=inner)
    git("add", ".", cwd=inner)
    repository = Repository(inner, os.environ)
    [holding] = holdings(repository, StagedTree(repository))
    assert holding.workspace.root == tmp_path
    assert [file.source.name for file in holding.world().files] == ["a.mneme"]
    assert [file.source.name for file in holding.personal().files] == ["mine.local.mneme"]
