"""The past of cells: when each was established, confirmed, changed, moved, and by whom.

A cell is followed by its ID through every commit that ``HEAD`` reaches, over files and folders, and, where it was
renumbered, under the number it had before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from mneme.format.digest import anonymous_digest
from mneme.format.model import Cell
from mneme.history.log import MEMORY, Change, Commit, log
from mneme.history.pieces import all_cells, cells_with_id
from mneme.history.repo import Repository
from mneme.history.versions import Owns, versions

REDACTED = "[redacted]"
_SHOWN = ("topic", "gist", "since")
"""Content fields that are short enough to be told whole."""


class Event(NamedTuple):
    """One thing that happened to a cell. ``commit`` is None for what no commit holds yet.

    ``kind`` is one of established, restored, confirmed, changed, edited, moved, renumbered, deleted; ``what`` says it
    in words, one text a fact.
    """

    commit: Commit | None
    path: str
    kind: str
    what: tuple[str, ...]
    cell_id: str


def cell_history(repository: Repository, tips: Sequence[str], cell_id: str, owns: Owns) -> list[Event]:
    """Return what happened to ``cell_id`` in the commits that ``tips`` reach, oldest first.

    Raises:
        GitError: git refused, or an object is missing.
    """
    commits = log(repository, tips, MEMORY)[::-1]
    found = _find(repository, commits, cell_id, owns)
    if not any(found.values()):
        return []
    events: list[Event] = []
    for commit in commits:
        gone, came = _sides(commit, found, owns)
        if gone or came:
            events += _events(repository, commit, cell_id, gone, came, owns, known=events)
    return events


def uncommitted(cell_id: str, before: Held | None, after: Held | None) -> list[Event]:
    """Return what the work tree holds of a cell beyond the last commit."""
    if before is None or after is None:
        if before is after:
            return []
        kind = "established" if before is None else "deleted"
        return [Event(None, (before or after).path, kind, (kind,), cell_id)]  # type: ignore[union-attr]
    what = [*_moved(before.path, after.path, renamed=False), *describe(before.cell, after.cell)]
    return [Event(None, after.path, _kind(before.cell, after.cell), tuple(what), cell_id)] if what else []


class Held(NamedTuple):
    """A cell in a file, by its path from the repository's top."""

    path: str
    cell: Cell


def _find(repository: Repository, commits: Iterable[Commit], cell_id: str, owns: Owns) -> dict[str, Cell | None]:
    """Return the cell in each version of each memory file, by the version's object name."""
    names = {
        name: None
        for commit in commits
        for change in commit.changes
        if owns(change.path)
        for name in (*change.before, change.after)
        if name
    }
    found: dict[str, Cell | None] = {"": None}
    for name, data in repository.stream(names):
        cells = cells_with_id(data, cell_id)
        found[name] = cells[0] if cells else None
    return found


def _sides(commit: Commit, found: dict[str, Cell | None], owns: Owns) -> tuple[list[Held], list[Held]]:
    """Return where the cell stood otherwise before a commit, and where it stands otherwise after it."""
    gone, came = [], []
    for change in commit.changes:
        if not owns(change.path):
            continue
        new = found[change.after]
        olds = [found[name] for name in change.before]
        if any(_same(old, new) for old in olds):
            continue
        old = next((old for old in olds if old is not None), None)
        if old is not None and (new is not None or all(olds)):
            gone.append(Held(change.path, old))
        if new is not None:
            came.append(Held(change.path, new))
    return gone, came


def _events(
    repository: Repository, commit: Commit, cell_id: str, gone: list[Held], came: list[Held], owns: Owns,
    known: list[Event],
) -> list[Event]:  # fmt: skip
    if came:
        new = came[0]
        if not gone:
            twin = _twin(repository, commit, new.cell, owns)
            if twin is not None:
                parents, old_id = twin
                earlier = cell_history(repository, parents, old_id, owns)
                return [*earlier, Event(commit, new.path, "renumbered", (f"renumbered from {old_id}",), cell_id)]
            again = bool(known) and known[-1].kind == "deleted"
            elsewhere = bool(known) and not again
            kind = "restored" if again else "established"
            how = "added again after it was deleted" if again else "added on another branch too" if elsewhere else kind
            status = ", ".join(filter(None, (new.cell.status.state, new.cell.status.conf)))
            return [Event(commit, new.path, kind, (f"{how} ({status})" if status else how,), cell_id)]
        old = next((held for held in gone if held.path == new.path), gone[0])
        what = (
            *_moved(old.path, new.path, renamed=_renamed(commit, old.path, new.path)),
            *describe(old.cell, new.cell),
        )
        return [Event(commit, new.path, _kind(old.cell, new.cell), what, cell_id)] if what else []
    twin = _twin(repository, commit, gone[0].cell, owns, backwards=False)
    if twin is not None:
        return [Event(commit, gone[0].path, "renumbered", (f"renumbered to {twin[1]}",), cell_id)]
    return [Event(commit, gone[0].path, "deleted", ("deleted",), cell_id)]


def _twin(
    repository: Repository, commit: Commit, cell: Cell, owns: Owns, *, backwards: bool = True
) -> tuple[Sequence[str], str] | None:
    """Return under which other ID a commit had (or with ``backwards`` off: left) the same content, and its parents."""
    wanted = anonymous_digest(cell)
    changes = [change for change in commit.changes if owns(change.path)]
    contents = repository.contents([name for change in changes for name in (*change.before, change.after) if name]) | {
        "": b""
    }
    after = {other.id: other for change in changes for other in all_cells(contents[change.after])}
    for number in range(max((len(change.before) for change in changes), default=0)):
        before = {other.id: other for change in changes for other in all_cells(contents[change.before[number]])}
        here, there = (before, after) if backwards else (after, before)
        for other in here.values():
            elsewhere = there.get(other.id)
            stays = elsewhere is not None and anonymous_digest(elsewhere) == wanted
            if other.id != cell.id and not stays and anonymous_digest(other) == wanted:
                return commit.parents[number : number + 1], other.id
    return None


def _renamed(commit: Commit, old: str, new: str) -> bool:
    changes: dict[str, Change] = {change.path: change for change in commit.changes}
    return old in changes and new in changes and not changes[old].after and not any(changes[new].before)


def _moved(old: str, new: str, *, renamed: bool) -> list[str]:
    if old == new:
        return []
    return [f"file renamed from {old} to {new}" if renamed else f"moved from {old} to {new}"]


def _plain(cell: Cell) -> tuple[object, ...]:
    return cell.topic, cell.gist, cell.since, cell.cues, cell.body, cell.origin, cell.links, cell.status


def _same(old: Cell | None, new: Cell | None) -> bool:
    return old is new or (old is not None and new is not None and _plain(old) == _plain(new))


def _content(cell: Cell) -> tuple[object, ...]:
    return cell.topic, cell.gist, cell.since, cell.cues, cell.body, cell.origin


def _kind(old: Cell, new: Cell) -> str:
    if _content(old) != _content(new) or not set(old.links) <= set(new.links):
        return "edited"
    if old.status != new.status or old.links != new.links:
        seen_only = old.links == new.links and old.status._replace(seen=new.status.seen) == new.status
        return "confirmed" if seen_only else "changed"
    return "moved"


def describe(old: Cell, new: Cell) -> list[str]:
    """Return in words what differs between two states of a cell; nothing when only blanks and comments do."""
    said = []
    for name in ("state", "conf", "seen", "imp", "hot"):
        before, after = getattr(old.status, name), getattr(new.status, name)
        if before != after:
            said.append(f"{name} {before or 'unset'} -> {after or 'unset'}")
    said += _sets("ref", old.status.refs, new.status.refs)
    said += _sets("link", [_link(link) for link in old.links], [_link(link) for link in new.links])
    for name in _SHOWN:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            said.append(f"{name} redacted" if after == REDACTED else f'{name} edited: "{before}" -> "{after}"')
    for name, before, after in (
        ("cue", old.cues, new.cues), ("body", old.body, new.body), ("origin", old.origin, new.origin),
    ):  # fmt: skip
        if before != after:
            said.append(f"{name} redacted" if REDACTED in after else f"{name} edited")
    return said


def _link(link: tuple[str, str, tuple[tuple[str, str], ...]]) -> str:
    relation, target, attributes = link
    return " ".join([relation, target, *[f"{key} {value}" for key, value in attributes]])


def _sets(name: str, old: Iterable[str], new: Iterable[str]) -> list[str]:
    old, new = list(old), list(new)
    return [f"{name} added: {entry}" for entry in new if entry not in old] + [
        f"{name} removed: {entry}" for entry in old if entry not in new
    ]


# --- blame -----------------------------------------------------------------------------------------------------


class Origin(NamedTuple):
    """The commits that established a cell and that confirmed it last; None where no commit did."""

    established: Commit | None
    confirmed: Commit | None


class Blame:
    """Who established each cell, and who gave it each of the dates it was seen.

    Cells are known by their content, which never changes, so that a renumbered or moved one is the one it was.
    """

    def __init__(self, repository: Repository, tips: Sequence[str], owns: Owns) -> None:
        self._first: dict[str, Commit] = {}
        self._seen: dict[tuple[str, str], Commit] = {}
        commits = log(repository, tips, MEMORY)[::-1]
        for commit, group in groupby(versions(repository, commits, owns), lambda version: version.commit):
            sides = [version.cells() for version in group]
            gone = {cell.id: cell for before, _ in sides for cell in before}
            for _, after in sides:
                for cell in after:
                    self._take(commit, cell, gone.get(cell.id))

    def _take(self, commit: Commit, cell: Cell, before: Cell | None) -> None:
        key = anonymous_digest(cell)
        if key not in self._first:
            edited = None if before is None else self._first.get(anonymous_digest(before))
            self._first[key] = edited or commit
            if before is not None and edited and before.status.seen == cell.status.seen:
                self._seen[key, cell.status.seen] = self._seen.get((anonymous_digest(before), cell.status.seen), commit)
        self._seen.setdefault((key, cell.status.seen), commit)

    def of(self, cell: Cell) -> Origin:
        """Return who established a cell as it stands, and who confirmed it last."""
        key = anonymous_digest(cell)
        return Origin(self._first.get(key), self._seen.get((key, cell.status.seen)))
