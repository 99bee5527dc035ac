"""Which commit gave each cell the date it was last seen.

Read from the past of the memory files, as far back as it takes, and kept in the person's cache folder: the next call
reads what was committed since. The cache never changes an answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path

from mneme.format.digest import anonymous_digest
from mneme.format.model import Cell
from mneme.history.log import MEMORY, Commit, log
from mneme.history.repo import GitError, Repository
from mneme.history.versions import Owns, owned_by, versions
from mneme.text import cachefile
from mneme.workspace import Workspace

SLACK = timedelta(days=2)
"""What clocks and time zones may differ."""


def since_option(day: date) -> str:
    """Return the option of ``git log`` that leaves out what is certainly older than ``day``."""
    return f"--since={day - SLACK}T00:00:00+00:00"


def confirming_commits(
    repository: Repository,
    workspace: Workspace,
    tip: str,
    cells: Iterable[Cell],
    oldest: date,
    *,
    cache: Path | None = None,
) -> dict[str, str]:
    """Return for each of ``cells`` (by :func:`key`) the commit that gave it its date; not for one no commit has so.

    Args:
        repository: where.
        workspace: whose files count.
        tip: the commit whose past is read.
        cells: as they stand now.
        oldest: no later than the oldest of their dates.
        cache: the folder to keep what was found in.

    Raises:
        GitError: git refused, or an object is missing.
    """
    path = cache / f"{cachefile.mark(os.fspath(workspace.root))}.seen" if cache else None
    config = workspace.config
    patterns = repr((config.include, config.exclude, config.extend_exclude))
    mark = cachefile.mark(cachefile.program_mark(), patterns, str(repository.shallow))
    known: dict[str, str] = {}
    revisions = [tip]
    kept = cachefile.unpack(cachefile.read(path))[0] if path else None
    start = oldest
    if kept is not None and kept[0] == mark and kept[2] <= oldest.isoformat() and _stands_on(repository, tip, kept[1]):
        known = kept[3]
        revisions.append(f"^{kept[1]}")
        start = date.fromisoformat(kept[2])
    if kept is None or kept[1] != tip or not known:
        commits = log(repository, revisions, MEMORY, options=[since_option(start)] if len(revisions) == 1 else [])
        _read(repository, commits[::-1], owned_by(workspace, repository), known)
        if path:
            cachefile.write(path, cachefile.pack((mark, tip, start.isoformat(), known)))
    wanted = {key(cell) for cell in cells}
    return {name: commit for name, commit in known.items() if name in wanted}


def key(cell: Cell) -> str:
    """Return what a cell is known by: its content and the date it was seen."""
    return f"{anonymous_digest(cell)} {cell.status.seen}"


def _stands_on(repository: Repository, tip: str, old: str) -> bool:
    if tip == old:
        return True
    try:
        repository.run("merge-base", "--is-ancestor", old, tip)
    except GitError:  # rewritten, or gone
        return False
    return True


def _read(repository: Repository, commits: Iterable[Commit], owns: Owns, known: dict[str, str]) -> None:
    """Add the commits, oldest first, that gave cells new dates."""
    for commit, group in groupby(versions(repository, commits, owns), lambda version: version.commit):
        sides = [version.cells() for version in group]
        gone = {cell.id: cell for before, _ in sides for cell in before}
        for _, after in sides:
            for cell in after:
                before = gone.get(cell.id)
                if before is None or before.status.seen != cell.status.seen:
                    known.setdefault(key(cell), commit.id)
                elif key(before) in known:  # its content was edited
                    known.setdefault(key(cell), known[key(before)])
