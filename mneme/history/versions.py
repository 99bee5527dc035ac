"""Every change of memory files in a list of commits, with the contents before and after, read by one process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from mneme.format.model import Cell
from mneme.history.log import Change, Commit
from mneme.history.pieces import differing
from mneme.history.repo import Repository
from mneme.workspace import Workspace

Owns = Callable[[str], bool]
"""Whether a path, from the repository's top, is one of the memory files in question."""


def owned_by(workspace: Workspace, repository: Repository) -> Owns:
    """Return which paths are memory files of ``workspace``, as it is configured now."""
    top = repository.top
    return lru_cache(maxsize=None)(lambda path: workspace.holds(top / path))


_RECENT = 64
"""Contents held at once: a file's next version is usually compared with its last."""


class Version(NamedTuple):
    """One change of one file: the contents in each parent (empty where there is no file), and after it."""

    commit: Commit
    change: Change
    before: tuple[bytes, ...]
    after: bytes

    def cells(self) -> tuple[list[Cell], list[Cell]]:
        """Return the cells that are gone or were changed, as they stood, and those that came or are changed.

        What a merge took over unchanged from one of its parents is neither.
        """
        gone: list[Cell] = []
        came: list[Cell] | None = None
        for data in self.before:
            old, new = differing(data, self.after)
            gone += old
            came = new if came is None else [cell for cell in came if cell in new]
        return gone, came or []


def versions(repository: Repository, commits: Iterable[Commit], owns: Owns) -> Iterator[Version]:
    """Yield the versions of memory files, in the order of ``commits``.

    Raises:
        GitError: an object is missing.
    """
    wanted = [(commit, change) for commit in commits for change in commit.changes if owns(change.path)]
    planned: list[str] = []
    recent = _Recent()
    for _, change in wanted:
        for name in (*change.before, change.after):
            if name and recent.get(name) is None:
                recent.put(name, b"planned")
                planned.append(name)
    stream = repository.stream(planned)
    recent = _Recent()

    def content(name: str) -> bytes:
        if not name:
            return b""
        data = recent.get(name)
        if data is None:
            data = next(stream)[1]
            recent.put(name, data)
        return data

    for commit, change in wanted:
        before = tuple([content(name) for name in change.before])
        yield Version(commit, change, before, content(change.after))


class _Recent:
    """The contents used last, a bounded number of them; forgets the same whatever they are."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, bytes] = OrderedDict()

    def get(self, name: str) -> bytes | None:
        data = self._held.get(name)
        if data is not None:
            self._held.move_to_end(name)
        return data

    def put(self, name: str, data: bytes) -> None:
        self._held[name] = data
        if len(self._held) > _RECENT:
            self._held.popitem(last=False)
