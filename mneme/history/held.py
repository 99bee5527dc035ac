"""Every ID that reachable commits ever held, and the last version of the cell that had it.

Reading a long history takes a while, so what was read is kept in the person's cache folder, by the commits it covers:
the next time only newer commits are read. The cache may know of commits that are no longer reachable (another branch, a
rebase); before an answer depends on one, it is checked, and if need be everything is read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from mneme.history.compare import is_ancestor
from mneme.history.guard import Earlier
from mneme.history.log import MEMORY, Commit, log
from mneme.history.pieces import cells_with_id
from mneme.history.repo import GitError, Repository
from mneme.history.versions import Owns
from mneme.text import cachefile

_HEAD = re.compile(rb"^(?:\xef\xbb\xbf)?@[ \t]*([^\s#]+)", re.MULTILINE)
_MAX_TIPS = 16
_VERSION = "held-1"
SHORT = 8
"""Characters of a commit's name that are shown."""


class Holder(NamedTuple):
    """Where an ID stands: the object of the file's version, its path, and the commit that made it or took it away."""

    name: str
    path: str
    commit: str


class HeldIds:
    """IDs by the paths that held them. ``tips``: the commits that are covered, with all that they reach."""

    def __init__(self, repository: Repository, cache: Path | None = None) -> None:
        self._repository = repository
        self._file = cache / f"{cachefile.mark(str(repository.common_dir.resolve()))}.held" if cache else None
        self.tips: list[str] = []
        self.holders: dict[str, dict[str, Holder]] = {}
        if self._file is not None:
            self._load()

    def reach(self, tips: Collection[str]) -> None:
        """Cover ``tips`` too, reading the commits that are new."""
        missing = [tip for tip in tips if tip not in self.tips]
        if not missing:
            return
        try:
            commits = log(self._repository, [*missing, *[f"^{tip}" for tip in self.tips]], MEMORY)
        except GitError:
            if not self.tips:
                raise
            self.tips, self.holders = [], {}  # one of them was rewritten, and is gone
            commits = log(self._repository, missing, MEMORY)
        for cell_id, holder in _found(self._repository, commits):
            self.holders.setdefault(cell_id, {})[holder.path] = holder
        self.tips = [*missing, *self.tips][:_MAX_TIPS]
        self._save()

    def last(self, cell_ids: Collection[str], owns: Owns, tips: Collection[str]) -> dict[str, list[Earlier]]:
        """Return, of ``cell_ids``, those that the commits reachable from ``tips`` ever held in a path that ``owns``.

        With each come the cells that had it last, one a path.
        """
        self.reach(tips)
        found = self._holders(cell_ids, owns)
        commits = {holder.commit for holders in found.values() for holder in holders}
        if not all(self._reachable(commit, tips) for commit in commits):
            anew = HeldIds(self._repository)
            anew.reach(tips)
            found = anew._holders(cell_ids, owns)
        contents = self._repository.contents(holder.name for holders in found.values() for holder in holders)
        return {
            cell_id: [
                Earlier(cell, holder.commit[:SHORT])
                for holder in holders
                for cell in cells_with_id(contents[holder.name], cell_id)
            ]
            for cell_id, holders in found.items()
        }

    def _holders(self, cell_ids: Collection[str], owns: Owns) -> dict[str, list[Holder]]:
        found = {
            cell_id: [holder for path, holder in self.holders[cell_id].items() if owns(path)]
            for cell_id in cell_ids
            if cell_id in self.holders
        }
        return {cell_id: holders for cell_id, holders in found.items() if holders}

    def _reachable(self, commit: str, tips: Collection[str]) -> bool:
        return any(is_ancestor(self._repository, commit, tip) for tip in tips)

    def _load(self) -> None:
        assert self._file is not None
        data = cachefile.read(self._file)
        value = cachefile.unpack(data)[0] if data else None
        if value and value[0] == _VERSION:
            _, self.tips, plain = value
            self.holders = {
                cell_id: {holder[1]: Holder(*holder) for holder in holders} for cell_id, holders in plain.items()
            }

    def _save(self) -> None:
        if self._file is not None:
            plain = {
                cell_id: [tuple(holder) for holder in holders.values()] for cell_id, holders in self.holders.items()
            }
            cachefile.write(self._file, cachefile.pack((_VERSION, self.tips, plain)))


def _found(repository: Repository, commits: Iterable[Commit]) -> Iterator[tuple[str, Holder]]:
    """Yield IDs with where they stand, the newest version of each path first told."""
    wanted: dict[str, Holder] = {}
    for commit in commits:
        for change in commit.changes:
            for name in (change.after, *change.before):
                if name and name not in wanted:
                    wanted[name] = Holder(name, change.path, commit.id)
    told: set[tuple[str, str]] = set()
    last: dict[str, bytes] = {}
    for name, data in repository.stream(wanted):
        holder = wanted[name]
        for token in _HEAD.findall(_differing(last.get(holder.path, b""), data)):
            cell_id = token.decode("utf-8", "replace")
            if (cell_id, holder.path) not in told:
                told.add((cell_id, holder.path))
                yield cell_id, holder
        last[holder.path] = data


def _differing(known: bytes, data: bytes) -> bytes:
    """Return the lines of ``data`` between what it has in common with ``known`` in front and behind."""
    shorter = min(len(known), len(data))
    start = _most(shorter, lambda low, high: known[low:high] == data[low:high])
    if start == len(data) and (data.endswith(b"\n") or start == len(known)):  # else its last line may be another
        return b""
    start = data.rfind(b"\n", 0, start) + 1
    ends = len(known), len(data)
    tail = _most(
        shorter - start,
        lambda low, high: known[ends[0] - high : ends[0] - low] == data[ends[1] - high : ends[1] - low],
    )
    line_end = data.find(b"\n", len(data) - tail)
    return data[start : len(data) if line_end < 0 else line_end]


def _most(length: int, equal: Callable[[int, int], bool]) -> int:
    """Return how many of ``length`` bytes are equal; halving compares each about twice, at the speed of memory."""
    low, high = 0, length
    while low < high:
        middle = (low + high + 1) // 2
        if equal(low, middle):
            low = middle
        else:
            high = middle - 1
    return low
