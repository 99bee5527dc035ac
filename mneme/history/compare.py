"""Which memory files differ between two states of a repository: from git's own comparison, no file read here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mneme.history.log import MEMORY
from mneme.history.repo import LINK, SUBMODULE, GitError, Repository

_STATUS = (
    "status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all",
    "--ignore-submodules=all", "--", *MEMORY,
)  # fmt: skip


class Compared(NamedTuple):
    """``held``: path to object (empty: none), of every file that an earlier state has otherwise or not at all.

    ``links``: paths that were symbolic links then; what they led to is another file's business.
    """

    held: dict[str, str]
    links: frozenset[str] = frozenset()


class Status(NamedTuple):
    """The work tree against ``HEAD``; ``head`` is empty before the first commit."""

    head: str
    compared: Compared
    untracked: frozenset[str]


def status(repository: Repository) -> Status:
    """Compare the work tree with ``HEAD``.

    Raises:
        GitError: there is no repository, or none with a work tree.
    """
    head = ""
    held: dict[str, str] = {}
    links: set[str] = set()
    untracked: set[str] = set()
    unmerged: set[str] = set()
    for record in repository.run(*_STATUS).split(b"\0"):
        line = os.fsdecode(record)
        kind, _, rest = line.partition(" ")
        if kind == "#":
            name, _, value = rest.partition(" ")
            if name == "branch.oid" and value != "(initial)":
                head = value
        elif kind == "?":
            untracked.add(rest)
        elif kind == "1":
            _, _, mode, _, _, name, _, path = rest.split(" ", 7)
            _take(held, links, path, mode, name)
        elif kind == "u":
            unmerged.add(rest.split(" ", 9)[9])
    for path in unmerged:  # the stages are not what HEAD has; ask by name
        held[path] = f"HEAD:{path}" if head else ""
    return Status(head, Compared(held, frozenset(links)), frozenset(untracked))


def with_work_tree(repository: Repository, commit: str, untracked: Iterable[str]) -> Compared:
    """Compare the work tree with a commit; ``untracked`` are the files that git does not list by itself."""
    compared = _raw(repository.run("diff-index", "-z", "--raw", "--no-renames", "--no-abbrev", commit, "--", *MEMORY))
    return compared._replace(held={**dict.fromkeys(untracked, ""), **compared.held})


def with_index(repository: Repository, commit: str) -> Compared:
    """Compare the index with a commit."""
    return _raw(
        repository.run("diff-index", "--cached", "-z", "--raw", "--no-renames", "--no-abbrev", commit, "--", *MEMORY)
    )


def with_commit(repository: Repository, old: str, new: str) -> Compared:
    """Compare one commit with an earlier one."""
    return _raw(
        repository.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new, "--", *MEMORY)
    )


def _raw(answer: bytes) -> Compared:
    held: dict[str, str] = {}
    links: set[str] = set()
    records = answer.split(b"\0")
    for head, path in zip(records[::2], records[1::2], strict=False):
        mode, _, name, *_ = os.fsdecode(head).removeprefix(":").split(" ")
        if os.fsdecode(path) not in held or name.strip("0"):  # an unmerged path comes twice
            _take(held, links, os.fsdecode(path), mode, name)
    return Compared(held, frozenset(links))


def _take(held: dict[str, str], links: set[str], path: str, mode: str, name: str) -> None:
    if mode == LINK:
        links.add(path)
    held[path] = name if name.strip("0") and mode not in (LINK, SUBMODULE) else ""


PSEUDO = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD")
"""What git calls the other commits while something is under way."""


class Peeked(NamedTuple):
    """An object that may not be there."""

    id: str
    data: bytes


def peek(repository: Repository, names: Iterable[str]) -> dict[str, Peeked]:
    """Return the objects that exist among ``names`` (object names, ``HEAD:path``, ``MERGE_HEAD``): one process."""
    wanted = [name for name in dict.fromkeys(names) if name and "\n" not in name]
    if not wanted:
        return {}
    answer = repository.run("cat-file", "--batch", stdin=b"".join([os.fsencode(name) + b"\n" for name in wanted]))
    found: dict[str, Peeked] = {}
    at = 0
    for name in wanted:
        end = answer.index(b"\n", at)
        words = answer[at:end].rsplit(b" ", 2)
        at = end + 1
        if len(words) == 3 and words[2].isdigit():
            size = int(words[2])
            found[name] = Peeked(words[0].decode("ascii"), answer[at : at + size])
            at += size + 1
    return found


def commit_parents(commit: bytes) -> list[str]:
    """Return the parents that a commit object names."""
    head = commit.partition(b"\n\n")[0]
    return [line[7:].decode("ascii") for line in head.split(b"\n") if line.startswith(b"parent ")]


def merge_heads(repository: Repository) -> list[str]:
    """Return all commits that ``MERGE_HEAD`` names: an octopus has several."""
    path = repository.cwd / os.fsdecode(repository.run("rev-parse", "--git-path", "MERGE_HEAD")).rstrip("\n")
    return path.read_text(encoding="ascii").split()


def merging_with(environ: Mapping[str, str]) -> list[str]:
    """Return the commits that ``git merge`` is merging while its hooks run; there is no ``MERGE_HEAD`` yet."""
    return sorted(name.removeprefix("GITHEAD_") for name in environ if name.startswith("GITHEAD_"))


def resolve(repository: Repository, revision: str) -> str:
    """Return the commit that ``revision`` names.

    Raises:
        GitError: there is none.
    """
    try:
        answer = repository.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except GitError as error:
        if not error.message.startswith("git rev-parse:"):
            raise
        hint = "git log says how far back it goes; in CI, fetch enough first: with actions/checkout, fetch-depth: 0"
        raise GitError(f"{revision!r} names no commit here", hint) from None
    return answer.decode("ascii").strip()


def is_ancestor(repository: Repository, commit: str, tip: str) -> bool:
    """Whether ``tip`` reaches ``commit``; not, when either is not here."""
    try:
        repository.run("merge-base", "--is-ancestor", commit, tip)
    except GitError:
        return False
    return True


def merge_base(repository: Repository, one: str, other: str) -> str:
    """Return the best common ancestor of two commits; empty when they have none here."""
    try:
        return repository.run("merge-base", one, other).decode("ascii").split("\n", 1)[0]
    except GitError as error:
        if error.message == "git merge-base: exit 1":
            return ""
        raise
