"""Merging a memory file with what the repository knows: whose the numbers are, and which are taken."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.format.model import Cell
from mneme.history.content import content_key
from mneme.history.merge.identity import Known
from mneme.history.merge.result import Merged
from mneme.history.merge.three_way import merge
from mneme.workspace import Workspace, git_top

if TYPE_CHECKING:
    from mneme.history.merge.given import GivenNumbers
    from mneme.history.repo import Repository


class Merger:
    """Merges one file. Git is asked only when two cells took one number; what speaks to it is imported then.

    Git starts a process for each file that it merges.
    """

    def __init__(self, path: Path, workspace: Workspace, environ: Mapping[str, str], cache: Path | None) -> None:
        self._path = path
        self._workspace = workspace
        self._environ = environ
        self._cache = cache
        self.notes: list[str] = []
        """What could not be asked."""

    def merge(self, base: str, ours: str, theirs: str, *, sure: bool = True) -> Merged:
        """Merge three texts; numbers that are given are remembered in git's folder. ``sure``: the base is known."""
        merged = merge(base, ours, theirs, Known(self._holds, lambda: self._taken, self._given, self._reserved, sure))
        if not merged.clashes or self._numbers is None or self._repository is None:
            return merged
        from mneme.history.versions import owned_by
        from mneme.memory.elsewhere import mentioned_elsewhere

        self._numbers.remember(merged.clashes)
        owns = owned_by(self._workspace, self._repository)
        told = mentioned_elsewhere(merged.clashes, self._numbers.path, self._repository, owns, self._environ)
        return merged._replace(notes=(*merged.notes, *told))

    def _holds(self, cell: Cell) -> bool:
        return (cell.id, content_key(cell)) in self._trunk

    @cached_property
    def _taken(self) -> frozenset[str]:
        from mneme.memory.taken import taken

        found = taken(self._workspace, self._environ, self._cache)
        if found.note:
            self.notes.append(found.note)
        return found.ids

    def _given(self, cell: Cell) -> str:
        given = self._numbers.of(cell) if self._numbers is not None else ""
        if given not in self._taken:
            return given
        return given if self._repository and self._only_held_by(cell, given, self._repository) else ""

    def _only_held_by(self, cell: Cell, cell_id: str, repository: Repository) -> bool:
        """Whether no commit ever held another cell under an ID."""
        from mneme.history.held import HeldIds
        from mneme.history.repo import GitError
        from mneme.history.versions import owned_by

        owns = owned_by(self._workspace, repository)
        try:
            tips = os.fsdecode(repository.run("rev-parse", "HEAD", "--branches", "--remotes")).split()
            found = HeldIds(repository, self._cache).last([cell_id], owns, sorted(set(tips)))
        except GitError:
            return False
        return all(content_key(earlier.cell) == content_key(cell) for earlier in found.get(cell_id, ()))

    def _reserved(self) -> set[str]:
        return self._numbers.all if self._numbers is not None else set()

    @cached_property
    def _trunk(self) -> frozenset[tuple[str, str]]:
        from mneme.memory.trunk import trunk_cells

        cells = trunk_cells(self._workspace, self._environ)
        return frozenset((cell.id, content_key(cell)) for cell in cells or ())

    @cached_property
    def _repository(self) -> Repository | None:
        """The repository of the workspace, whatever one git runs us for; None outside of git."""
        if git_top(self._workspace.root) is None:
            return None
        from mneme.history.repo import Repository
        from mneme.memory.privacy import HOOK_VARIABLES

        environ = {key: self._environ[key] for key in self._environ if key not in HOOK_VARIABLES}
        return Repository(self._workspace.root, environ)

    @cached_property
    def _numbers(self) -> GivenNumbers | None:
        """What was given in this clone."""
        if self._repository is None:
            return None
        from mneme.history.merge.given import GivenNumbers
        from mneme.history.repo import GitError
        from mneme.history.versions import owned_by

        try:
            path = os.path.relpath(self._path, self._repository.top).replace(os.sep, "/")
            return GivenNumbers(self._repository.common_dir, path, owned_by(self._workspace, self._repository))
        except (GitError, OSError, ValueError):
            return None


def with_base_shown(cwd: Path, environ: Mapping[str, str]) -> bool:
    """Whether the person wants to see the base in conflicts (``merge.conflictStyle``)."""
    from mneme.history.repo import GitError, Repository

    try:
        answer = Repository(cwd, environ).run("config", "--get", "merge.conflictStyle")
    except GitError:  # not set, or no git
        return False
    return os.fsdecode(answer).strip() in ("diff3", "zdiff3")
