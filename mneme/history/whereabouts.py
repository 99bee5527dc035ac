"""Where the files are that cells name: there, gone, or gone elsewhere, as git tells."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from mneme.history.globs import glob_pattern
from mneme.history.log import Change, Commit, head, log
from mneme.history.references import Reference
from mneme.history.repo import GitError, Repository

_HOPS = 5
"""Renames in a row that are followed."""

_AT_ONCE = 500
"""Path patterns on one command line."""


class Lost(NamedTuple):
    """A path that is not there. ``commit`` removed it: None when that is not committed, or nobody ever had it."""

    path: str
    known: bool
    commit: Commit | None = None
    moved_to: str = ""


class Whereabouts:
    """The files of a repository, as they lie on disk or are staged."""

    def __init__(self, repository: Repository, *, staged: bool = False) -> None:
        self._repository = repository
        self._staged = staged

    @cached_property
    def top(self) -> Path:
        """The top folder of the work tree."""
        return self._repository.top

    @cached_property
    def tip(self) -> str | None:
        """The commit that ``HEAD`` names; None before the first."""
        return head(self._repository)

    @cached_property
    def _files(self) -> list[str]:
        answer = self._repository.run("ls-files", "-z", "--full-name", ":/")
        return sorted(os.fsdecode(name) for name in set(answer.split(b"\0")) if name)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._files)

    def kind(self, path: str, reference: Reference) -> str:
        """Return what is at ``path``: file, folder, glob, or nothing. Prose means a folder only by a slash behind."""
        if reference.glob:
            pattern = glob_pattern(path)
            return "glob" if any(pattern.fullmatch(name) for name in self._files) else ""
        if not reference.folder and self._is_file(path):
            return "file"
        if (reference.explicit or reference.folder) and (
            self._is_tracked(path.rstrip("/") + "/") or (not self._staged and (self.top / path).is_dir())
        ):
            return "folder"
        return ""

    def _is_file(self, path: str) -> bool:
        if path not in self._known:
            return os.path.isfile(self.top / path)  # noqa: PTH113 - git does not know it; false for what may not be read
        if self._staged or os.path.lexists(self.top / path):
            return True
        return self._repository.run("ls-files", "-t", "-z", "--", f":(top,literal){path}").startswith(b"S")  # sparse

    def _is_tracked(self, path: str) -> bool:
        if not path.endswith("/"):
            return path in self._known
        at = bisect_left(self._files, path)
        return at < len(self._files) and self._files[at].startswith(path)

    def text(self, path: str) -> str | None:
        """Return what a file holds now, in the index or on disk; None when it cannot be read."""
        try:
            if self._staged and path in self._known:
                return self._repository.run("cat-file", "blob", f":{path}").decode("utf-8", "replace")
            return (self.top / path).read_text(encoding="utf-8", errors="replace")
        except (GitError, OSError):
            return None

    def find(self, wanted: Sequence[tuple[Reference, Sequence[str]]]) -> list[Lost | None]:
        """Return what became of each reference that is not there under any of its paths.

        None: nothing is known of it, and nothing is to be said, since its spelling does not prove that a file is meant,
        or git ignores files of that name.
        """
        gone = self._deletions({path for reference, paths in wanted if not reference.glob for path in paths})
        renames = self._renames({commit.id for commit in gone.values() if commit})
        unknown = [path for reference, paths in wanted if reference.explicit for path in paths if path not in gone]
        ignored = self._ignored(set(unknown)) if unknown else set()
        found: list[Lost | None] = []
        for reference, paths in wanted:
            path = next((path for path in paths if path in gone), None)
            if path is not None:
                found.append(Lost(path, True, gone[path], self._follow(path, gone[path], renames)))
            elif reference.explicit and not ignored.intersection(paths):
                found.append(Lost(paths[0], False))
            else:
                found.append(None)
        return found

    def _deletions(self, paths: set[str]) -> dict[str, Commit | None]:
        """Return for each path that was there once the commit that removed it; None when that is not committed."""
        found: dict[str, Commit | None] = {path: None for path in paths if path in self._known}
        if self.tip is None or not paths:
            return found
        patterns = [f":(top,literal){path.rstrip('/')}" for path in sorted(paths)]
        found |= {path: None for name in self.uncommitted(patterns) for path in paths if _within(name, path)}
        for commit in log(self._repository, [self.tip], patterns, options=["--diff-filter=D"], files_only=False):
            for change in commit.changes:
                for path in paths:
                    if _within(change.path, path):
                        found.setdefault(path, commit)
        return found

    def _renames(self, commits: set[str]) -> dict[str, dict[str, str]]:
        """Return where each file that a commit renamed went, by commit and old path."""
        found: dict[str, dict[str, str]] = {commit: {} for commit in commits}
        if not commits:
            return found
        answer = self._repository.run(
            "diff-tree", "--stdin", "-r", "-m", "-M", "-z", "--root", "--no-ext-diff", "-O/dev/null", "-l0",
            "--diff-filter=R", stdin="".join(f"{name}\n" for name in sorted(commits)).encode(),
        )  # fmt: skip
        records = [os.fsdecode(record) for record in answer.split(b"\0")]
        commit = ""
        at = 0
        while at < len(records):
            record = records[at].lstrip("\n")
            at += 1
            if record.startswith(":"):
                found[commit][records[at]] = records[at + 1]
                at += 2
            elif record:
                commit = record.split(" ")[0]
        return found

    def _follow(self, path: str, commit: Commit | None, renames: dict[str, dict[str, str]]) -> str:
        """Return where ``path`` went, over as many renames as it takes; empty when the trail ends at nothing."""
        if commit is None:
            return _target(path, self._uncommitted_renames())
        target = _target(path, renames[commit.id])
        for _ in range(_HOPS):
            if not target or self._is_tracked(target):
                return target
            further = self._deletions({target}).get(target)
            if further is None:
                return ""
            target = _target(target, self._renames({further.id})[further.id])
        return ""

    def _uncommitted_renames(self) -> dict[str, str]:
        assert self.tip is not None
        options = ["--cached"] if self._staged else []
        answer = self._repository.run("diff-index", "-M", "-z", "--diff-filter=R", *options, self.tip, "--")
        records = [os.fsdecode(record) for record in answer.split(b"\0")]
        return dict(zip(records[1::3], records[2::3], strict=False))

    def _ignored(self, paths: set[str]) -> set[str]:
        """Return which paths git ignores: they are not there on this machine, and need not be."""
        names = "\0".join(sorted(paths)) + "\0"
        try:
            answer = Repository(self.top, self._repository.environ).run(
                "check-ignore", "--no-index", "-z", "--stdin", stdin=os.fsencode(names)
            )
        except GitError as error:
            if error.message == "git check-ignore: exit 1":  # none is
                return set()
            raise
        return {os.fsdecode(name) for name in answer.split(b"\0") if name}

    def uncommitted(self, patterns: Sequence[str]) -> dict[str, Change]:
        """Return what the index (or the work tree) holds otherwise than the last commit."""
        assert self.tip is not None
        found: dict[str, Change] = {}
        for at in range(0, len(patterns), _AT_ONCE):
            options = ["--cached"] if self._staged else []
            answer = self._repository.run(
                "diff-index",
                "-z",
                "--no-renames",
                "-O/dev/null",
                *options,
                self.tip,
                "--",
                *patterns[at : at + _AT_ONCE],
            )
            records = [os.fsdecode(record) for record in answer.split(b"\0")]
            for record, path in zip(records[::2], records[1::2], strict=False):
                _, _, before, after, status = record.split(" ")
                if self._staged or status != "M" or after.strip("0") or self._differs(path, before):
                    found[path] = Change(path, (before,), after)
        return found

    def _differs(self, path: str, object_id: str) -> bool:
        """Whether a file on disk has other content than ``object_id``: its date alone may have changed."""
        try:
            now = self._repository.run("hash-object", "--path", path, "--", os.fspath(self.top / path))
        except GitError:
            return True
        return now.decode("ascii").strip() != object_id


def _within(name: str, path: str) -> bool:
    """Whether ``name`` is ``path``, or lies in the folder ``path``."""
    return name == path or name.startswith(path.rstrip("/") + "/")


def _target(path: str, renames: dict[str, str]) -> str:
    """Return where a file went, or a folder: where the first file in it went, if it kept its name."""
    if path in renames:
        return renames[path]
    stem = path.rstrip("/") + "/"
    for old, new in sorted(renames.items()):
        if old.startswith(stem) and new.endswith("/" + old[len(stem) :]):
            return new[: -len(old[len(stem) :])]
    return ""
