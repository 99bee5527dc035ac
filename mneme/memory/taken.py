"""Which IDs are taken besides those one sees: what git remembers. Nothing where there is no git."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mneme.errors import UsageError
from mneme.history.repo import GitError, Repository
from mneme.history.taken import ids_ever_held
from mneme.memory.privacy import HOOK_VARIABLES
from mneme.workspace import Workspace, git_top

NO_IDS: frozenset[str] = frozenset()


class Taken(NamedTuple):
    """The IDs that git remembers; and why it may not remember all."""

    ids: frozenset[str] = NO_IDS
    note: str = ""


def taken(workspace: Workspace, environ: Mapping[str, str], cache: Path | None, *, fetch: bool = False) -> Taken:
    """Return the IDs that any commit reachable from any ref ever held; with ``fetch``, ask the remotes first.

    Without ``fetch`` this never fails: what git cannot tell is told as a note.

    Raises:
        UsageError: ``fetch``, and there is no remote to ask.
        GitError: ``fetch``, and it failed.
    """
    if git_top(workspace.root) is None and not fetch:
        return Taken()
    repository = Repository(workspace.root, {key: environ[key] for key in environ if key not in HOOK_VARIABLES})
    if fetch:
        if not repository.run("remote"):
            raise UsageError("this repository has no remote to fetch from", "git remote add origin URL")
        repository.run("fetch", "--quiet", "--all")
    try:
        ids = ids_ever_held(repository, workspace, cache)
        note = "this clone is shallow: IDs that only earlier commits held are not known" if repository.shallow else ""
        return Taken(ids, note)
    except GitError as error:
        if fetch:
            raise
        return Taken(note=f"git could not tell which IDs were used before: {error.message}")
