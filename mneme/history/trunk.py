"""The trunk: the branch that the others go back to, and that has the last word where two branches took one number."""

from __future__ import annotations

from typing import NamedTuple

from mneme.history.compare import peek, resolve
from mneme.history.repo import GitError, Repository

CANDIDATES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""What is taken for the trunk where nothing is configured, the first that is there."""


class Branch(NamedTuple):
    """A branch and the commit it ends in."""

    name: str
    commit: str


def find_trunk(repository: Repository, configured: str = "") -> Branch | None:
    """Return the trunk: what is ``configured`` (with or without its remote), else the first of CANDIDATES there is."""
    names = (f"origin/{configured}", configured) if configured else CANDIDATES
    return _first(repository, names)


def find_upstream(repository: Repository, configured: str = "") -> Branch | None:
    """Return what the current branch is pushed to, else the trunk's remote branch; None where there is no remote."""
    try:
        return Branch("@{upstream}", resolve(repository, "@{upstream}"))
    except GitError:
        remote = (f"origin/{configured}", configured) if configured else CANDIDATES[:3]
        return _first(repository, remote)


def _first(repository: Repository, names: tuple[str, ...]) -> Branch | None:
    wanted = {f"{name}^{{commit}}": name for name in names}
    found = peek(repository, wanted)
    return next((Branch(name, found[asked].id) for asked, name in wanted.items() if asked in found), None)
