"""Asks git, where there is one, for the past of what is linted; and remembers what could not be checked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.workspace import Workspace, World, git_top

if TYPE_CHECKING:
    from mneme.format.model import Document
    from mneme.history.guard import Past
    from mneme.history.range import Range
    from mneme.history.repo import Repository
    from mneme.history.witness import Witness


class History:
    """One run's questions to git. ``notes``: what it could not check, in words."""

    def __init__(self, environ: Mapping[str, str], cache: Path | None = None) -> None:
        self._environ = environ
        self._cache = cache
        self.notes: list[str] = []

    def of_world(self, workspace: Workspace, world: World, *, limited: bool, base: str | None = None) -> Past | None:
        """Return the past of the files in ``world``; None where there is no git.

        Args:
            workspace: theirs.
            world: as read from the work tree.
            limited: whether ``world`` is a choice of files.
            base: a revision to compare with instead of ``HEAD``.

        Raises:
            GitError: there is a ``base``, and git cannot compare with it.
        """
        folder = _in_git(workspace, world, limited=limited)
        if folder is None and base is None and "GIT_DIR" not in self._environ:
            if _is_bare(workspace.cwd):
                self.notes.append("a bare repository has no files to check: mneme lint --base OLD..NEW checks commits")
            return None
        from mneme.history.range import parse_range
        from mneme.history.repo import GitError, Repository
        from mneme.history.witness import of_range, of_work_tree

        try:
            repository = Repository(folder or workspace.cwd, self._environ)
            if base is not None:
                between = parse_range(repository, base)
                witness = of_range(repository, between, workspace.config.trunk, self._cache)
            else:
                witness = of_work_tree(repository, self._cache)
            past = witness.past(
                workspace, lambda path: workspace.holds(witness.top / path), world.documents,
                others=lambda: _others(workspace, world), limited=limited, blind=bool(world.unreadable),
            )  # fmt: skip
        except GitError as error:
            if base is not None:
                raise
            self.notes.append(f"nothing was compared with git: {error.message}")
            return None
        self.notes = witness.notes
        return past

    def of_repository(
        self, repository: Repository, *, staged: bool = False, between: Range | None = None, trunk: str = ""
    ) -> Witness:
        """Return what git has of a whole repository: for the index, the work tree, or the end of a range of commits.

        Raises:
            GitError: git refused.
        """
        from mneme.history.witness import of_index, of_range, of_work_tree

        if between is not None:
            witness = of_range(repository, between, trunk, self._cache)
        else:
            witness = (of_index if staged else of_work_tree)(repository, self._cache)
        self.notes = witness.notes
        return witness


def _in_git(workspace: Workspace, world: World, *, limited: bool) -> Path | None:
    """Return the first folder that lies in a git work tree: the workspace, where one stands, a named file's."""
    folders = [workspace.root, workspace.cwd]
    if limited:
        folders += dict.fromkeys([path.resolve().parent for file in world.files if (path := file.path)])
    return next((folder for folder in folders if git_top(folder)), None)


def _others(workspace: Workspace, world: World) -> list[Document]:
    """Read the shared files of the workspace that are not in ``world``."""
    known = {os.path.realpath(path) for file in world.files if (path := file.path)}  # a loop of links is no error there
    names = [str(path) for path in workspace.files(personal=False) if os.path.realpath(path) not in known]
    return workspace.world(names).documents if names else []


def _is_bare(folder: Path) -> bool:
    return any(
        (parent / "HEAD").is_file() and (parent / "objects").is_dir() and (parent / "refs").is_dir()
        for parent in (folder, *folder.parents)
    )
