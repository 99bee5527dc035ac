"""The memory as it was: the files of a commit, and which commit a revision or a day means."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from typing import NamedTuple

from mneme.config import CONFIG_FILE, PROJECT_FILE, read_disk
from mneme.errors import UnreadableFile, UsageError
from mneme.format.dates import parse_date
from mneme.format.vocabulary import MEMORY_SUFFIXES
from mneme.history.log import head
from mneme.history.repo import LINK, SUBMODULE, GitError, Repository
from mneme.history.worlds import MAX_LINKS, Holding, holdings
from mneme.text.source import Source, decode, digest_bytes
from mneme.workspace import Workspace


class CommitTree:
    """The files of one commit."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self._top = repository.ground
        answer = repository.run("ls-tree", "-r", "-z", "--full-tree", commit)
        wanted = (*MEMORY_SUFFIXES, CONFIG_FILE, PROJECT_FILE)
        self._files: dict[str, tuple[str, str]] = {}
        for record in answer.split(b"\0"):
            facts, _, name = os.fsdecode(record).partition("\t")
            if name.endswith(wanted):
                mode, _, object_id = facts.split(" ")
                if mode != SUBMODULE:
                    self._files[name] = mode, object_id
        self.memory = [path for path in self._files if path.endswith(MEMORY_SUFFIXES)]
        self._contents = repository.contents(object_id for _, object_id in self._files.values())

    def config(self, path: Path) -> bytes | None:
        """Return what was committed; above the repository, what is on disk."""
        try:
            name = path.relative_to(self._top).as_posix()
        except ValueError:
            return read_disk(path)
        mode, object_id = self._files.get(name, ("", ""))
        return None if mode in ("", LINK) else self._contents[object_id]

    def source(self, path: str, name: str) -> Source:
        """Return what was committed."""
        at = path
        for _ in range(MAX_LINKS):
            mode, object_id = self._files.get(at, ("", ""))
            if not mode:
                raise UnreadableFile(name, "a link to a file that the commit does not hold", line=0)
            data = self._contents[object_id]
            if mode != LINK:
                return Source(name, decode(data, name), None, digest_bytes(data))
            at = posixpath.normpath(posixpath.join(posixpath.dirname(at), os.fsdecode(data)))
        raise UnreadableFile(name, "a loop of links", line=0)


class Moment(NamedTuple):
    """A commit, and the day to judge by: the day asked for, else the day of the commit."""

    commit: str
    day: str


def moment(repository: Repository, text: str) -> Moment:
    """Return what a revision or a day means.

    A day means the last commit made on or before it (by the clock of whoever committed) on the first-parent line of
    ``HEAD``: what this branch held at the end of that day.

    Raises:
        UsageError: there is no such revision, or nothing was committed by that day.
        GitError: there is no repository.
    """
    if parse_date(text) is not None:
        return _of_day(repository, text)
    try:
        answer = repository.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{text}^{{commit}}")
    except GitError as error:
        if not error.message.startswith("git rev-parse:"):
            raise
        hint = "a revision as git knows it (HEAD~5, v1.2, a branch), or a day: YYYY-MM-DD"
        if repository.shallow:
            hint += "; this clone is shallow: git fetch --unshallow"
        raise UsageError(f"{text!r} is no commit and no day", hint) from None
    commit = os.fsdecode(answer).strip()
    day = os.fsdecode(repository.run("log", "-1", "--no-show-signature", "--format=%cs", commit)).strip()
    return Moment(commit, day)


def _of_day(repository: Repository, day: str) -> Moment:
    tip = head(repository)
    if tip is None:
        raise UsageError("nothing is committed here yet", "mneme spine shows what is on disk")
    answer = repository.run("log", "--first-parent", "--no-show-signature", "--no-decorate", "--format=%H %cs", tip)
    oldest = ""
    for line in os.fsdecode(answer).splitlines():
        commit, _, oldest = line.partition(" ")
        if oldest <= day:
            return Moment(commit, day)
    hint = "this clone is shallow: git fetch --unshallow" if repository.shallow else ""
    raise UsageError(f"nothing was committed by {day}: the first commit here is of {oldest}", hint)


def holding_at(
    repository: Repository, commit: str, workspace: Workspace, *, config_file: Path | None = None
) -> Holding | None:
    """Return what a commit held of a workspace, by the configuration of that time (or the one named here).

    None when it held no such memory.
    """
    found = holdings(repository, CommitTree(repository, commit), home=workspace.home, config_file=config_file)
    return next((holding for holding in found if holding.workspace.root == workspace.root), None)
