"""Every ID that reachable commits ever held, and the cache of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mneme.history.held import _HEAD, HeldIds, _differing
from mneme.history.repo import Repository
from tests.conftest import cell

Git = Callable[..., str]


@pytest.fixture
def repository(tmp_path: Path, git: Git) -> Repository:
    """A repository in which one cell was replaced by another, and one moved to another file."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git("init", "-q", "-b", "main", cwd=folder)
    for files in (
        {"a.mneme": f"{cell('DEC-0001')}\n{cell('DEC-0002', gist='Two')}"},
        {"a.mneme": f"{cell('DEC-0001')}\n{cell('DEC-0003', gist='Three')}"},
        {"a.mneme": cell("DEC-0001"), "b.mneme": cell("DEC-0003", gist="Three")},
    ):
        commit(git, folder, files)
    return Repository(folder, os.environ)


def commit(git: Git, folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "x", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder).strip()


def tip(repository: Repository) -> str:
    return repository.run("rev-parse", "HEAD").decode().strip()


def gists(held: HeldIds, repository: Repository, *cell_ids: str) -> dict[str, list[str]]:
    found = held.last(cell_ids, lambda _: True, [tip(repository)])
    return {cell_id: sorted(entry.cell.gist for entry in entries) for cell_id, entries in found.items()}


def test_what_was_ever_held(repository: Repository) -> None:
    assert gists(HeldIds(repository), repository, "DEC-0002", "DEC-0003", "DEC-0004") == {
        "DEC-0002": ["Two"],
        "DEC-0003": ["Three", "Three"],  # in either file
    }


def test_files_that_are_not_owned_do_not_count(repository: Repository) -> None:
    held = HeldIds(repository)
    assert held.last(["DEC-0002"], lambda path: path == "b.mneme", [tip(repository)]) == {}


def test_the_cache_reads_newer_commits_only(
    repository: Repository, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    assert gists(HeldIds(repository, cache), repository, "DEC-0002") == {"DEC-0002": ["Two"]}
    (kept,) = cache.iterdir()
    commit(git, repository.cwd, {"c.mneme": cell("DEC-0007", gist="Seven")})
    read: list[str] = []
    stream = Repository.stream

    def counting(self: Repository, names: object) -> object:
        names = list(names)  # type: ignore[call-overload]
        read.extend(names)
        return stream(self, names)

    monkeypatch.setattr(Repository, "stream", counting)
    assert gists(HeldIds(repository, cache), repository, "DEC-0002", "DEC-0007") == {
        "DEC-0002": ["Two"], "DEC-0007": ["Seven"],
    }  # fmt: skip
    assert len(read) == 1
    kept.write_bytes(kept.read_bytes()[:-3])
    assert gists(HeldIds(repository, cache), repository, "DEC-0002") == {"DEC-0002": ["Two"]}


def test_what_only_another_branch_held_is_not_held(repository: Repository, tmp_path: Path, git: Git) -> None:
    folder, cache = repository.cwd, tmp_path / "cache"
    git("checkout", "-q", "-b", "side", cwd=folder)
    commit(git, folder, {"a.mneme": cell("DEC-0008", gist="Eight"), "c.mneme": cell("DEC-0002", gist="Other")})
    assert gists(HeldIds(repository, cache), repository, "DEC-0008") == {"DEC-0008": ["Eight"]}
    git("checkout", "-q", "main", cwd=folder)
    assert gists(HeldIds(repository, cache), repository, "DEC-0008", "DEC-0002") == {"DEC-0002": ["Two"]}


def test_a_commit_that_is_gone(repository: Repository, tmp_path: Path, git: Git) -> None:
    folder, cache = repository.cwd, tmp_path / "cache"
    commit(git, folder, {"c.mneme": cell("DEC-0008", gist="Eight")})
    assert gists(HeldIds(repository, cache), repository, "DEC-0008") == {"DEC-0008": ["Eight"]}
    git("reset", "-q", "--hard", "HEAD~1", cwd=folder)
    git("reflog", "expire", "--expire=now", "--all", cwd=folder)
    git("gc", "-q", "--prune=now", cwd=folder)
    commit(git, folder, {"c.mneme": cell("DEC-0009", gist="Nine")})
    assert gists(HeldIds(repository, cache), repository, "DEC-0008", "DEC-0009") == {"DEC-0009": ["Nine"]}


LINES = [b"@ A-1 x\n", b"@ A-2\n", b"gist y\n", b"\n", b"@ A-1"]
OTHER = st.lists(st.sampled_from([*LINES, b"@ B-3 z\n", b"> b\n"]), max_size=8)


@example([b"@ A-1", b"@ A-1 x\n"], [b"@ A-1"])  # cut in the middle of a line
@given(st.lists(st.sampled_from(LINES), max_size=8), OTHER)
def test_only_what_differs_is_read(lines: list[bytes], other: list[bytes]) -> None:
    known, now = b"".join(lines), b"".join(other)
    seen = set(_HEAD.findall(known)) | set(_HEAD.findall(_differing(known, now)))
    assert seen >= set(_HEAD.findall(now))


def test_a_last_line_that_was_longer_before() -> None:
    assert _differing(b"@ A-1x\n", b"@ A-1") == b"@ A-1"
    assert _differing(b"@ A-1\n@ A-2\n", b"@ A-1\n") == b""
    assert _differing(b"@ A-1", b"@ A-1") == b""
