"""The commits that touched some paths, as values: one ``git log``, whatever the person has configured for theirs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mneme.format.vocabulary import MEMORY_SUFFIXES
from mneme.history.repo import LINK, SUBMODULE, GitError, Repository

_FIELDS = ("%H", "%P", "%cs", "%as", "%ae", "%an", "%s")
_HEAD, _GAP = "\x01", "\x02"

MEMORY = tuple(f":(top)*{suffix}" for suffix in MEMORY_SUFFIXES)
"""Path patterns of memory files in every folder."""


class Change(NamedTuple):
    """A path that a commit changed: its object in each parent, and now; empty where there is none.

    Only a merge has several parents here, and then the object differs from all of them.
    """

    path: str
    before: tuple[str, ...]
    after: str
    added: int = 0
    """Lines, where they were asked for; so is ``removed``."""
    removed: int = 0


class Commit(NamedTuple):
    """A commit. ``day``: when it was committed; ``written``: when its author wrote it. Both on that person's clock."""

    id: str
    parents: tuple[str, ...]
    day: str
    written: str
    email: str
    author: str
    subject: str
    changes: tuple[Change, ...] = ()


def log(
    repository: Repository,
    revisions: Sequence[str],
    paths: Iterable[str],
    *,
    options: Sequence[str] = (),
    merges: str = "-c",
    sizes: bool = False,
    files_only: bool = True,
) -> list[Commit]:
    """Return the commits reachable from ``revisions`` that touch ``paths``, newest first, no commit before its child.

    Args:
        repository: where.
        revisions: object names, and ``^name`` for what not to show; never a word of a person, which could be an option.
        paths: git's path patterns.
        options: further options of ``git log``.
        merges: git's option for merges. ``-c``: what a merge made new of a path is a change of that path;
            ``--no-diff-merges``: nothing is; ``-m`` with the option ``--first-parent``: all that it brought.
        sizes: whether lines are counted.
        files_only: whether links and submodules count as nothing.

    Raises:
        GitError: git refused.
    """
    wanted = "".join(f"{line}\n" for line in (*revisions, "--", *paths))
    answer = repository.run(
        "log", "--stdin", "-z", "--raw", "--root", "--no-abbrev", "--no-renames", "-O/dev/null", "--no-ext-diff",
        "--no-textconv", "--ignore-submodules=none", "--no-show-signature", "--no-decorate", "--no-notes",
        "--encoding=UTF-8", "--topo-order", "--full-history", merges,
        *(["--numstat"] if sizes else []), f"--format={_HEAD}{_GAP.join(_FIELDS)}", *options, stdin=os.fsencode(wanted),
    )  # fmt: skip
    return list(_commits(answer.split(b"\0"), {LINK, SUBMODULE} if files_only else set()))


def _commits(records: list[bytes], nothing: set[str]) -> Iterator[Commit]:
    commit: Commit | None = None
    changes: dict[str, Change] = {}
    at = 0
    while at < len(records):
        record = records[at].lstrip(b"\n")
        at += 1
        if record.startswith(b":"):
            path = os.fsdecode(records[at])
            at += 1
            changes[path] = _change(path, record, nothing)
        elif record.startswith(b"\x01"):
            if commit:
                yield commit._replace(changes=tuple(changes.values()))
            parts = os.fsdecode(record[1:]).split(_GAP, len(_FIELDS) - 1)
            day, written, email, author, subject = parts[2:]
            commit = Commit(parts[0], tuple(parts[1].split()), day, written, email, author, subject)
            changes = {}
        elif record:
            plus, minus, name = record.split(b"\t", 2)
            path = os.fsdecode(name)
            if path in changes and plus.isdigit() and minus.isdigit():
                changes[path] = changes[path]._replace(added=int(plus), removed=int(minus))
    if commit:
        yield commit._replace(changes=tuple(changes.values()))


def _change(path: str, record: bytes, nothing: set[str]) -> Change:
    """Read ``:mode mode name name letter``; of a merge, as many colons, old modes and old names as parents."""
    parents = record.count(b":")
    words = record[parents:].decode("ascii").split(" ")
    modes, names = words[: parents + 1], words[parents + 1 : 2 * parents + 2]
    held = ["" if mode in nothing or not name.strip("0") else name for mode, name in zip(modes, names, strict=True)]
    return Change(path, tuple(held[:-1]), held[-1])


def head(repository: Repository) -> str | None:
    """Return the commit that ``HEAD`` names; None before the first one.

    Raises:
        GitError: there is no repository.
    """
    try:
        return os.fsdecode(repository.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")).strip()
    except GitError as error:
        if error.message == "git rev-parse: exit 1":  # it said nothing, as it was told
            return None
        raise
