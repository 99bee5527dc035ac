"""Every ID that any commit of any branch, tag or remote ever held, so that none is given twice.

Reading them costs a walk over the whole past, so the answer is kept in the person's cache folder beside the tips it was
made from. New commits are added to it; where history was rewritten it is made anew. The cache never changes an answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from mneme.format.ids import used_ids
from mneme.history.log import MEMORY, log
from mneme.history.repo import GitError, Repository
from mneme.history.versions import owned_by, versions
from mneme.text import cachefile
from mneme.workspace import Workspace


def ids_ever_held(repository: Repository, workspace: Workspace, cache: Path | None) -> frozenset[str]:
    """Return the IDs of cells, and those links named, in every version of the workspace's memory that a ref reaches.

    Args:
        repository: where.
        workspace: whose files count, as it is configured now.
        cache: the folder to keep the answer in; None keeps nothing.

    Raises:
        GitError: git refused, or an object is missing.
    """
    tips = _tips(repository)
    if not tips:
        return frozenset()
    config = workspace.config
    patterns = repr((config.include, config.exclude, config.extend_exclude))
    key = cachefile.mark(cachefile.program_mark(), patterns, str(repository.shallow))
    path = cache / f"{cachefile.mark(os.fspath(workspace.root))}.ids" if cache else None
    old_tips, known_before = _load(path, key) if path else (set(), [])
    if old_tips == tips:
        return frozenset(known_before)
    known: set[str] = set()
    revisions = sorted(tips)
    if old_tips and _all_reached(repository, old_tips - tips, tips):
        known.update(known_before)
        revisions += [f"^{tip}" for tip in sorted(old_tips)]
    commits = log(repository, revisions, MEMORY)[::-1]
    for version in versions(repository, commits, owned_by(workspace, repository)):
        known.update(used_ids(version.cells()[1]))
    known.discard("")
    if path:
        cachefile.write(path, cachefile.pack((key, sorted(tips), sorted(known))))
    return frozenset(known)


def _tips(repository: Repository) -> set[str]:
    """Return the commits that refs and ``HEAD`` name, tags followed."""
    try:
        answer = repository.run("show-ref", "--head", "--dereference")
    except GitError as error:
        if error.message == "git show-ref: exit 1":  # it found none
            return set()
        raise
    refs = {name: object_id for object_id, _, name in (line.partition(" ") for line in os.fsdecode(answer).split("\n"))}
    refs.pop("", None)
    tips = {object_id for name, object_id in refs.items() if f"{name}^{{}}" not in refs}
    if not any(name.startswith("refs/tags/") for name in refs):
        return tips
    # A tag may name a file or a tree; nothing but commits has a past.
    kinds = repository.run(
        "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin="".join(f"{tip}\n" for tip in tips).encode()
    )
    return {line.split(" ")[0] for line in kinds.decode("ascii").splitlines() if line.endswith(" commit")}


def _all_reached(repository: Repository, old: Iterable[str], tips: Iterable[str]) -> bool:
    """Whether every commit in ``old`` is still there and reached from ``tips``: nothing was taken back."""
    wanted = [*old, *[f"^{tip}" for tip in tips]]
    try:
        return not repository.run("rev-list", "--max-count=1", "--stdin", stdin="\n".join([*wanted, ""]).encode())
    except GitError:  # a commit is gone
        return False


def _load(path: Path, key: str) -> tuple[set[str], list[str]]:
    value, _ = cachefile.unpack(cachefile.read(path))
    if value is None or value[0] != key:
        return set(), []
    return set(value[1]), value[2]
