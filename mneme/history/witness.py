"""Git as the witness: what it had of a workspace's memory, ready to be held against what is there.

Two processes in the usual case: git compares the work tree (or the index, or a commit) with ``HEAD`` and names the
files that differ; the old versions of those, and whatever is being merged, are read in one batch. Nothing else is read
until an answer hangs on it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mneme.errors import UnreadableFile
from mneme.format.model import Document, Placed
from mneme.format.parser import parse
from mneme.format.vocabulary import MEMORY_SUFFIXES, PERSONAL_SUFFIX
from mneme.history.changes import many_steps, one_step
from mneme.history.compare import (
    PSEUDO,
    Compared,
    Peeked,
    commit_parents,
    merge_base,
    merge_heads,
    merging_with,
    peek,
    status,
    with_commit,
    with_index,
    with_work_tree,
)
from mneme.history.guard import Earlier, Parent, Past
from mneme.history.held import SHORT, HeldIds
from mneme.history.log import MEMORY, log
from mneme.history.moments import CommitTree
from mneme.history.pieces import cells_with_id
from mneme.history.range import Range, made_in, merged_trunk
from mneme.history.repo import GitError, Repository
from mneme.history.trunk import find_trunk, find_upstream
from mneme.history.versions import Owns
from mneme.text.source import decode
from mneme.workspace import Workspace

if TYPE_CHECKING:
    from mneme.history.doubt import Judged
    from mneme.history.would_be import WouldBe

STDIN_NAME = "<stdin>"

MAX_VERSIONS = 400
"""How many commits, newest first, are looked through for an earlier version of an edited cell."""


class Snapshot(NamedTuple):
    """One earlier state of the whole repository, as far as the present one differs from it."""

    name: str
    commit: str
    compared: Compared
    whole: bool = True


@dataclass
class Witness:
    """What git said about a repository; :meth:`past` is one workspace's part of it."""

    repository: Repository
    top: Path
    snapshots: list[Snapshot]
    contents: dict[str, bytes]
    on_disk: bool = False
    """Whether the present is the work tree."""
    cache: Path | None = None
    """Where to keep what takes long to find out."""
    range: Range | None = None
    """The commits that are judged, when there are any besides the present state."""
    notes: list[str] = field(default_factory=list)
    """What could not be checked, in words."""

    @property
    def gone(self) -> list[str]:
        """The paths that some earlier state has, and the present one has otherwise or not at all."""
        return [path for snapshot in self.snapshots for path, name in snapshot.compared.held.items() if name]

    def past(
        self,
        workspace: Workspace,
        owns: Owns,
        documents: Sequence[Document],
        *,
        others: Callable[[], Sequence[Document]] = tuple,
        limited: bool = False,
        blind: bool = False,
    ) -> Past:
        """Return what was, for the guard to judge ``documents`` by.

        Args:
            workspace: whose memory this is.
            owns: which paths of the repository are, or would be, files of the workspace.
            documents: the files that are judged, with the names that people know them by.
            others: reads the other files of the workspace.
            limited: whether ``documents`` are a choice of files.
            blind: whether some present file could not be read.
        """
        names = _Names(workspace, self.top, documents, exact=self.on_disk and limited)
        if self.on_disk:
            below = workspace.root == self.top or self.top in workspace.root.parents
            self._tell_of_strangers(workspace, documents, anywhere=limited or not below)
        parents = [self._parent(snapshot, owns, names) for snapshot in self.snapshots]
        steps = 1
        if self.range is not None:
            made, steps = self._made(owns, names)
            parents += made
        return Past(
            parents, others, self._lapsed(owns), self._versions(owns), self._forked(owns, names),
            self._unpublished(workspace, parents), many_steps if steps > 1 else one_step,
            merging=self.range is None and len(parents) > 1, limited=limited, blind=blind,
            evidence=self._evidence(workspace) if self.range is None or self.on_disk else None,
            unions=self._unions(workspace),
            would_be=self._would_be(workspace, owns, names, documents, others, blind=blind),
        )  # fmt: skip

    def _would_be(
        self, workspace: Workspace, owns: Owns, names: _Names, documents: Sequence[Document],
        others: Callable[[], Sequence[Document]], *, blind: bool,
    ) -> Callable[[], WouldBe | None] | None:  # fmt: skip
        """Return what merges the end of the range with the branch it will go to, when that has moved on meanwhile."""
        between = self.range
        if between is None or between.base == between.other:
            return None

        @cache
        def ask() -> WouldBe | None:
            from mneme.history.would_be import WouldBe

            what = f"what a merge with {between.name} would bring"
            if blind:
                self.notes.append(f"{what}: a file cannot be read")
                return None
            present = [document for document in [*documents, *others()] if not document.personal]
            shapes = {document.name: document for document in present}
            try:
                base, target = (self._all_at(commit, owns, names, shapes) for commit in (between.base, between.other))
            except UnreadableFile as error:
                self.notes.append(f"{what}: {error.message}")
                return None
            trunk = find_trunk(self.repository, workspace.config.trunk)
            is_trunk = trunk is not None and trunk.commit == between.other
            found = WouldBe(between.name, is_trunk, base, target, present)
            if found.undecided:
                self.notes.append(f"{what} to {', '.join(found.undecided)}: a person must merge that")
            return found

        return ask

    def _unions(self, workspace: Workspace) -> Callable[[Sequence[Document]], Collection[str]]:
        def ask(documents: Sequence[Document]) -> Collection[str]:
            from mneme.history.attributes import merged_by_union

            paths = {workspace.cwd / document.name: document.name for document in documents if not document.personal}
            try:
                return [paths[path] for path in merged_by_union(self.repository, self.top, paths)]
            except GitError as error:
                self.notes.append(f"how git merges: {error.message}")
                return ()

        return ask

    def _evidence(self, workspace: Workspace) -> Callable[[Sequence[Placed]], Judged]:
        def judge(placed: Sequence[Placed]) -> Judged:
            from mneme.history.doubt import Judged
            from mneme.history.evidence import EvidenceWatch

            watch = EvidenceWatch(self.repository, workspace, staged=not self.on_disk, dirty=True, cache=self.cache)
            try:
                return watch.judge(placed)
            except GitError as error:
                self.notes.append(f"the code that cells lean on: {error.message}")
                return Judged([], [])

        return judge

    def _made(self, owns: Owns, names: _Names) -> tuple[list[Parent], int]:
        """Return what the commits of the range made as one more parent, and how many commits there are.

        From its first commit on, a new cell is bound as all the others are.
        """
        assert self.range is not None
        texts: dict[str, list[str]] = {}
        cells, commits = made_in(self.repository, self.range.base, self.range.tip, owns)
        for path, cell in cells:
            if not path.endswith(PERSONAL_SUFFIX):
                texts.setdefault(names.of(path), []).append(cell.text)
        made = [parse("".join(own), name=name) for name, own in texts.items()]
        return [Parent("an earlier commit", made, None, recent=True)] if made else [], commits

    def _unpublished(self, workspace: Workspace, parents: Sequence[Parent]) -> Callable[[Collection[str]], set[str]]:
        def unpublished(cell_ids: Collection[str]) -> set[str]:
            if not workspace.config.amend_window or not self.snapshots:
                return set()
            if self.range is not None:
                published = {cell.id for document in parents[0].documents for cell in document.cells}
                return set(cell_ids) - published
            upstream = find_upstream(self.repository, workspace.config.trunk)
            if upstream is None:
                self.notes.append("amend-window has no effect: this branch has no upstream branch")
                return set()
            tree = CommitTree(self.repository, upstream.commit)
            published = set()
            for path in tree.memory:
                with contextlib.suppress(UnreadableFile):
                    published |= {cell.id for cell in parse(tree.source(path, path).text).cells}
            return set(cell_ids) - published

        return unpublished

    def first(self, workspace: Workspace, owns: Owns, documents: Sequence[Document]) -> Parent:
        """Return what the first earlier state has otherwise than ``documents``: all files of the workspace."""
        return self._parent(self.snapshots[0], owns, _Names(workspace, self.top, documents, exact=False))

    def _tell_of_strangers(self, workspace: Workspace, documents: Iterable[Document], *, anywhere: bool) -> None:
        """Tell of documents whose past git does not know: links that lead out, and where there may be, strangers."""
        for document in documents:
            if document.personal:
                continue
            path = workspace.cwd / document.name
            if document.name == STDIN_NAME:
                self.notes.append("standard input has no past: it was not compared with git")
            elif path.is_symlink():
                target = path.resolve()
                if not (self.top in target.parents and target.name.endswith(MEMORY_SUFFIXES)):
                    self.notes.append(f"{document.name} is a link to what git does not hold: it was not compared")
            elif anywhere and self.top not in path.resolve().parents:
                self.notes.append(f"{document.name} lies outside of this repository: it was not compared with git")

    def _parent(self, snapshot: Snapshot, owns: Owns, names: _Names) -> Parent:
        documents: list[Document] = []
        fresh: set[str] = set()
        for path, name in snapshot.compared.held.items():
            if path.endswith(PERSONAL_SUFFIX) or not owns(path):
                continue
            shown = names.of(path)
            text = self._text(name, shown, snapshot.name) if name else None
            present = names.documents.get(shown)
            if text is not None:
                text = _as_ended(text, present)
                if present is not None and text == present.text:
                    continue  # only its line ends differ, or the day it was touched
                documents.append(parse(text, name=shown))
            fresh.add(shown)
        return Parent(snapshot.name, documents, fresh, snapshot.whole)

    # --- asked when an answer hangs on it ---------------------------------------------------------------------

    @property
    def _tips(self) -> list[str]:
        if self.range is not None:
            return list(dict.fromkeys([self.range.base, self.range.other]))
        return [snapshot.commit for snapshot in self.snapshots]

    def _lapsed(self, owns: Owns) -> Callable[[Collection[str]], Mapping[str, Sequence[Earlier]]]:
        def lapsed(cell_ids: Collection[str]) -> Mapping[str, Sequence[Earlier]]:
            if self.repository.shallow:
                self.notes.append(
                    "this clone is shallow: whether new IDs were in use before its oldest commit could not be checked"
                    " (git fetch --unshallow)"
                )
            return HeldIds(self.repository, self.cache).last(cell_ids, owns, self._tips)

        return lapsed

    def _versions(self, owns: Owns) -> Callable[[Collection[str]], Mapping[str, Sequence[Earlier]]]:
        def versions(cell_ids: Collection[str]) -> Mapping[str, Sequence[Earlier]]:
            commits = log(self.repository, self._tips, MEMORY, options=[f"--max-count={MAX_VERSIONS}"])
            wanted = {
                name: commit.id[:SHORT]
                for commit in commits
                for change in commit.changes
                if owns(change.path)
                for name in (*change.before, change.after)
                if name
            }
            found: dict[str, list[Earlier]] = {}
            for name, data in self.repository.stream(wanted):
                for cell_id in cell_ids:
                    found.setdefault(cell_id, []).extend(
                        Earlier(cell, wanted[name]) for cell in cells_with_id(data, cell_id)
                    )
            return found

        return versions

    def _forked(self, owns: Owns, names: _Names) -> Callable[[], Sequence[Document]]:
        def forked() -> Sequence[Document]:
            one, *others = [snapshot.commit for snapshot in self.snapshots if snapshot.whole]
            documents: list[Document] = []
            for other in others:
                base = merge_base(self.repository, one, other)
                documents += self._documents_at(base, owns, names) if base else []
            return documents

        return forked

    def _all_at(self, commit: str, owns: Owns, names: _Names, shapes: Mapping[str, Document]) -> list[Document]:
        """Return the shared files that a commit holds, with the line ends of the present ones.

        Raises:
            UnreadableFile: one is no text.
        """
        tree = CommitTree(self.repository, commit)
        found = []
        for path in tree.memory:
            if owns(path) and not path.endswith(PERSONAL_SUFFIX):
                shown = names.of(path)
                text = _as_ended(tree.source(path, f"{shown} as of {commit[:SHORT]}").text, shapes.get(shown))
                found.append(parse(text, name=shown))
        return found

    def _documents_at(self, commit: str, owns: Owns, names: _Names) -> list[Document]:
        tree = CommitTree(self.repository, commit)
        found = []
        for path in tree.memory:
            if owns(path) and not path.endswith(PERSONAL_SUFFIX):
                with contextlib.suppress(UnreadableFile):
                    found.append(parse(tree.source(path, path).text, name=names.of(path)))
        return found

    def _text(self, object_name: str, shown: str, when: str) -> str | None:
        data = self.contents.get(object_name)
        if data is None:
            if object_name.startswith("HEAD:"):
                return None
            raise GitError(f"git object {object_name} of {shown} is not here", "try git fsck")
        try:
            return decode(data, shown)
        except UnreadableFile as error:
            self.notes.append(f"{shown} as of {when} is no text ({error.reason}): its cells could not be compared")
            return None


class _Names:
    """What people call the files: as the documents are named, else as the workspace would name them."""

    def __init__(self, workspace: Workspace, top: Path, documents: Iterable[Document], *, exact: bool) -> None:
        self.documents = {document.name: document for document in documents}
        self._workspace = workspace
        self._top = top
        self._by_path: dict[Path, str] = {}
        if exact:  # named by hand, perhaps through a link to a folder
            paths = {name: workspace.cwd / name for name in self.documents}
            self._by_path = {path.resolve(): name for name, path in paths.items() if not path.is_symlink()}

    def of(self, path: str) -> str:
        full = self._top / path
        return self._by_path.get(full) or self._workspace.display(full)


def _as_ended(text: str, present: Document | None) -> str:
    """Return ``text`` with the line ends of the present version, so that equal cells are equal texts."""
    if present is None:
        return text
    here, there = "\r\n" in present.text, "\r\n" in text
    if here and not there:
        return text.replace("\n", "\r\n")
    return text.replace("\r\n", "\n") if there and not here else text


def of_work_tree(repository: Repository, cache: Path | None = None) -> Witness:
    """Return what git has of the files in the work tree.

    Raises:
        GitError: there is no repository, or none with a work tree.
    """
    now = status(repository)
    held = now.compared.held | dict.fromkeys(now.untracked - now.compared.held.keys(), "")
    snapshots = [Snapshot("HEAD", now.head, now.compared._replace(held=held))] if now.head else []
    found = peek(repository, [*held.values(), *PSEUDO]) if now.head else {}
    contents = {name: peeked.data for name, peeked in found.items()}
    witness = Witness(repository, repository.top, snapshots, contents, on_disk=True, cache=cache)
    _add_others(witness, found, lambda commit: with_work_tree(repository, commit, now.untracked))
    return witness


def of_index(repository: Repository, cache: Path | None = None) -> Witness:
    """Return what git has of the files in the index.

    Raises:
        GitError: there is no repository.
    """
    found = peek(repository, ["HEAD", *PSEUDO])
    head = found.pop("HEAD", None)
    snapshots = [Snapshot("HEAD", head.id, with_index(repository, head.id))] if head else []
    contents = repository.contents(name for name in _names(snapshots) if name)
    witness = Witness(repository, repository.top, snapshots, contents, cache=cache)
    _add_others(witness, found, lambda commit: with_index(repository, commit))
    return witness


def of_range(repository: Repository, between: Range, trunk: str = "", cache: Path | None = None) -> Witness:
    """Return what git has of the files at the end of a range of commits: at its base, and in what it merged in.

    Raises:
        GitError: git refused.
    """
    untracked = status(repository).untracked if between.on_disk else frozenset()

    def compare(commit: str) -> Compared:
        if between.on_disk:
            return with_work_tree(repository, commit, untracked)
        return with_commit(repository, commit, between.tip)

    snapshots = [Snapshot(between.base[:SHORT], between.base, compare(between.base))]
    merged = merged_trunk(repository, between, find_trunk(repository, trunk))
    if merged:
        snapshots.append(Snapshot(f"the merged {merged[:SHORT]}", merged, compare(merged), whole=False))
    contents = repository.contents(_names(snapshots))
    return Witness(repository, repository.ground, snapshots, contents, between.on_disk, cache, between)


def _names(snapshots: Iterable[Snapshot]) -> list[str]:
    return [name for snapshot in snapshots for name in snapshot.compared.held.values() if name]


def _add_others(witness: Witness, found: Mapping[str, Peeked], compare: Callable[[str], Compared]) -> None:
    """Add what is being merged, picked, rebased or reverted: each is something that a cell may come from."""
    repository = witness.repository
    if not witness.snapshots:
        return
    others: dict[str, tuple[str, bool]] = {}
    for commit in merging_with(repository.environ):
        others.setdefault(commit, ("the branch that is merged", True))
    for name in PSEUDO:
        peeked = found.get(name)
        if peeked is None:
            continue
        if name == "MERGE_HEAD":
            for commit in merge_heads(repository):
                others.setdefault(commit, (name, True))
        elif name == "REVERT_HEAD":
            for commit in commit_parents(peeked.data):
                others.setdefault(commit, (f"{name}^", False))
        else:
            others.setdefault(peeked.id, (name, False))
    others.pop(witness.snapshots[0].commit, None)
    added = [Snapshot(name, commit, compare(commit), whole) for commit, (name, whole) in others.items()]
    if added:
        witness.snapshots += added
        witness.contents |= repository.contents(_names(added))
