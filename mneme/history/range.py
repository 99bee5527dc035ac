"""A range of commits, for judging a pull request: where it began, what its own commits made first, what it merged in.

``REV``: from where the present branch and REV parted to the work tree. ``A..B``: from A to B. ``A...B``: from where A
and B parted to B. What the commits of a range made counts from the commit on that made it, as it does while one works.
"""

from __future__ import annotations

from typing import NamedTuple

from mneme.errors import UsageError
from mneme.format.model import Cell
from mneme.history.compare import is_ancestor, merge_base, resolve
from mneme.history.content import content_key
from mneme.history.log import MEMORY, log
from mneme.history.repo import GitError, Repository
from mneme.history.trunk import Branch
from mneme.history.versions import Owns, versions


class Range(NamedTuple):
    """``base``: what the present is held against. ``other``: the branch it will go to. ``tip``: its last commit.

    ``on_disk``: whether the present is the work tree, else it is ``tip``.
    """

    name: str
    base: str
    other: str
    tip: str
    on_disk: bool


def parse_range(repository: Repository, text: str) -> Range:
    """Return what ``REV``, ``A..B`` or ``A...B`` means here; a missing side is ``HEAD``.

    Raises:
        UsageError: nothing is named.
        GitError: a revision names no commit here, or the two have no common ancestor here.
    """
    if not text:
        raise UsageError("--base names nothing", "a revision, A..B or A...B")
    dots = "..." if "..." in text else ".." if ".." in text else ""
    left, _, right = text.partition(dots) if dots else (text, "", "")
    name = left or "HEAD"
    other, tip = resolve(repository, name), resolve(repository, right or "HEAD")
    if dots == "..":
        return Range(name, other, other, tip, on_disk=False)
    base = merge_base(repository, other, tip)
    if not base:
        hint = "this clone is shallow: git fetch --unshallow" if repository.shallow else "A..B compares any two commits"
        raise GitError(f"{name} and {right or 'HEAD'} have no common ancestor here", hint)
    return Range(name, base, other, tip, on_disk=not dots)


class Made(NamedTuple):
    """A cell as a commit of the range made it, and the file it stood in."""

    path: str
    cell: Cell


def made_in(repository: Repository, base: str, tip: str, owns: Owns) -> tuple[list[Made], int]:
    """Return the cells that the commits between made, each as it was first, and how many commits touched memory.

    Of a number that two branches took, there are both.
    """
    commits = log(repository, [tip, f"^{base}"], MEMORY)[::-1]
    by_commit: dict[str, tuple[list[Cell], list[Made]]] = {}
    for version in versions(repository, commits, owns):
        gone, came = version.cells()
        old, new = by_commit.setdefault(version.commit.id, ([], []))
        old += gone
        new += [Made(version.change.path, cell) for cell in came]
    found: dict[str, dict[str, Made]] = {}
    deleted: set[str] = set()
    for old, new in by_commit.values():
        before, after = {cell.id for cell in old}, {made.cell.id for made in new}
        saying = {content_key(made.cell) for made in new} if before - after else set()
        deleted |= {cell.id for cell in old if cell.id not in after and content_key(cell) not in saying}
        for made in new:
            if made.cell.id not in before and made.cell.id not in deleted:
                found.setdefault(made.cell.id, {}).setdefault(content_key(made.cell), made)
    return [made for by_content in found.values() for made in by_content.values()], len(commits)


def merged_trunk(repository: Repository, between: Range, trunk: Branch | None) -> str:
    """Return the newest commit of the trunk that was merged in; empty without one, or when the tip is on the trunk.

    What the trunk brought was judged there, and is not judged again.
    """
    if trunk is None:
        return ""
    answer = repository.run("rev-list", "--merges", "--parents", between.tip, f"^{between.base}").decode("ascii")
    merges = [line.split()[2:] for line in answer.splitlines()]
    if not merges or is_ancestor(repository, between.tip, trunk.commit):
        return ""
    parents = [parent for others in merges for parent in others if parent != between.base]
    return next((parent for parent in parents if is_ancestor(repository, parent, trunk.commit)), "")
