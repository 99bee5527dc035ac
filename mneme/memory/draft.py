"""One change of a memory: read under the lock, planned against what was read, written in one step or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

from mneme.errors import EditError, UnreadableFile, UsageError
from mneme.format.edits import append_cell, perform
from mneme.format.model import Cell, Document, Placed
from mneme.format.parser import parse
from mneme.format.vocabulary import MEMORY_SUFFIXES
from mneme.memory.links import LinkIndex
from mneme.memory.show import resolve
from mneme.text.files import make_folders, real_path, sweep
from mneme.text.journal import JOURNAL
from mneme.text.patch import Patch
from mneme.text.source import Source, read_source
from mneme.text.visible import quote, visible
from mneme.text.write import locked, write_sources
from mneme.workspace import Workspace, World, is_personal

Result = TypeVar("Result")

FOLDER = "memory"
"""Where files are that the configuration names: one a topic, an author, a month."""


class Target(NamedTuple):
    """A file that takes part in a draft: what was read, or an empty document for a file that is still to be made."""

    path: Path
    source: Source | None
    document: Document
    personal: bool


class Draft:
    """New texts for files, computed from one reading of all of them."""

    def __init__(
        self, workspace: Workspace, targets: list[Target], unreadable: list[UnreadableFile],
        elsewhere: Sequence[Cell] = (),
    ) -> None:  # fmt: skip
        self.workspace = workspace
        self.targets = targets
        self.unreadable = unreadable
        self.elsewhere = elsewhere
        """The cells of another workspace that is written to: their IDs are in use, and nothing else is done to them."""
        self._by_path = {real_path(target.path): target for target in targets}
        self._listed = frozenset(self._by_path)
        self._patches: dict[Path, list[Patch]] = {}
        self._appended: dict[Path, list[Patch]] = {}
        self._after: dict[Path, Document] = {}
        self._rewritten: set[Path] = set()

    @classmethod
    def read(cls, workspace: Workspace, other: Workspace | None = None) -> Draft:
        """Read the workspace, personal files included; a file that is there under two names is read once.

        Of an ``other`` workspace the cells are only known, not changed.
        """
        world = workspace.world()
        targets: dict[Path, Target] = {}
        for file in world.files:
            assert file.path is not None
            personal = _belongs_to_one(workspace, file.path)
            targets.setdefault(real_path(file.path), Target(file.path, file.source, file.document, personal))
        beyond = World([], []) if other is None else other.world()
        elsewhere = [cell for document in beyond.documents for cell in document.cells]
        return cls(workspace, list(targets.values()), [*world.unreadable, *beyond.unreadable], elsewhere)

    # --- what is there ----------------------------------------------------------------------------------

    @cached_property
    def links(self) -> LinkIndex:
        """Every cell by ID, and who links to whom."""
        return LinkIndex([place for target in self.targets for place in target.document.placed])

    def place(self, token: str) -> Placed:
        """Return the one cell with the ID ``token``.

        Raises:
            UsageError: there is none (the nearest is named), or it stands twice (both places are named).
        """
        places = self.links.by_id.get(token, [])
        if len(places) == 1:
            return places[0]
        if places:
            where = " and ".join(self.where(place) for place in places)
            new = token.partition("-")[0]
            raise UsageError(
                f"{visible(token)} stands twice: {where}", f"give one of them a number of its own: mneme new-id {new}"
            )
        hint = nearest_hint(token, self.links)
        if not hint:
            bad = ", ".join(error.path for error in self.unreadable)
            hint = f"not read: {bad}" if bad else "mneme spine --all lists them"
        raise UsageError(f"no cell has the ID {quote(token)}", hint)

    @staticmethod
    def where(place: Placed) -> str:
        """Return file and line of a cell's header."""
        return f"{place.document.name}:{place.document.lines.position(place.start)[0]}"

    def target(self, path: Path) -> Target:
        """Return the file at ``path``, read, or new when there is none.

        Raises:
            UsageError: it is no memory file by its name.
            UnreadableFile: it is there and cannot be read.
        """
        try:
            real = real_path(path)
        except OSError as error:
            raise UnreadableFile(self.workspace.display(path), str(error.strerror), line=0) from None
        known = self._by_path.get(real)
        if known is not None:
            return known
        name = self.workspace.display(path)
        if not path.name.endswith(MEMORY_SUFFIXES):
            raise UsageError(f"{name} is no memory file by its name", "it ends in .mneme")
        source = read_source(path, name) if os.path.lexists(path) else None
        document = parse(source.text if source else "", name=name)
        target = Target(path, source, document, _belongs_to_one(self.workspace, path))
        self._by_path[real] = target
        self.targets.append(target)
        self.__dict__.pop("links", None)
        return target

    def lists(self, target: Target) -> bool:
        """Whether a file was found in the workspace, so that other commands find it too."""
        return real_path(target.path) in self._listed

    def target_of(self, place: Placed) -> Target:
        """Return the file that holds a cell of this draft."""
        return next(target for target in self.targets if target.document is place.document)

    def require_all_read(self) -> None:
        """Refuse to go on when a file could not be read: the IDs in it are in use, and unknown.

        Raises:
            UnreadableFile: names the first.
        """
        if self.unreadable:
            raise self.unreadable[0]

    # --- what is to change ------------------------------------------------------------------------------

    def edit(self, target: Target, patches: list[Patch]) -> None:
        """Add patches for the cells of a file."""
        self._add(self._patches, target, patches)

    def append(self, target: Target, rendered: str) -> None:
        """Add a new cell at the end of a file, after whatever is done to the cells that are there."""
        self._add(self._appended, target, append_cell(target.document, rendered))

    def _add(self, to: dict[Path, list[Patch]], target: Target, patches: list[Patch]) -> None:
        real = real_path(target.path)
        to.setdefault(real, []).extend(patches)
        self._after.pop(real, None)

    def rewrite(self, target: Target, document: Document) -> None:
        """Give a file another text; whoever made it has checked that no cell is lost or changed."""
        real = real_path(target.path)
        assert not self._patches.get(real)
        assert not self._appended.get(real)
        self._after[real] = document
        self._rewritten.add(real)

    def after(self, target: Target) -> Document:
        """Return what a file will be."""
        real = real_path(target.path)
        if real not in self._after:
            patches = self._patches.get(real, []) + self._appended.get(real, [])
            self._after[real] = perform(target.document, patches) if patches else target.document
        return self._after[real]

    def place_after(self, target: Target, cell_id: str) -> Placed:
        """Return the cell ``cell_id`` where it will stand in a file."""
        return next(place for place in self.after(target).placed if place.cell.id == cell_id)

    def changes(self) -> dict[Path, tuple[Source | None, str]]:
        """Return what is to be written."""
        return {
            target.path: (target.source, self.after(target).text)
            for real, target in self._by_path.items()
            if self._patches.get(real) or self._appended.get(real) or real in self._rewritten
        }


def change(workspace: Workspace, plan: Callable[[Draft], Result], other: Workspace | None = None) -> Result:
    """Read the workspace under its lock, let ``plan`` say what is to change, write that, and return what it returned.

    ``plan`` may run more than once: files that lie elsewhere have locks of their own, which are taken in one order.
    Of an ``other`` workspace that is written to, the cells are known to the draft.

    Raises:
        MnemeError: as ``plan`` does, or the step could not be written; then nothing was.
    """
    folders = {workspace.root.resolve()}
    if other is not None:
        folders.add(other.root)
    while True:
        with locked(*folders):
            draft = Draft.read(workspace, other)
            result = plan(draft)
            changes = draft.changes()
            needed = _folders_elsewhere(workspace, changes)
            if needed <= folders:
                _write(workspace, changes, folders, [target.path for target in draft.targets])
                return result
        folders |= needed


def write_texts(workspace: Workspace, changes: Mapping[Path, tuple[Source | None, str]]) -> None:
    """Write texts that were made without holding the lock, in one step; refused when a file changed since.

    Raises:
        StaleSource: a file is no longer what was read.
        EditError: a file cannot be written.
    """
    if not changes:
        return
    folders = {workspace.root.resolve(), *_folders_elsewhere(workspace, changes)}
    with locked(*folders):
        _write(workspace, changes, folders, list(changes))


def _write(
    workspace: Workspace, changes: Mapping[Path, tuple[Source | None, str]], folders: set[Path], known: list[Path]
) -> None:
    if changes:
        root = workspace.root.resolve()
        covered = {parent for path in known if _covered(parent := real_path(path).parent, root, folders)}
        sweep({*folders, *covered, root / FOLDER}, (*MEMORY_SUFFIXES, JOURNAL))
        write_sources(root, changes, also=tuple(sorted(folders - {root})))


def _covered(folder: Path, root: Path, folders: set[Path]) -> bool:
    return any(one == folder or one in folder.parents for one in (root, *folders))


def _folders_elsewhere(workspace: Workspace, changes: Mapping[Path, object]) -> set[Path]:
    """Return the folders whose locks hold for files of other workspaces; the person's own one is made, and has its own.

    That is the root of the workspace to which the file belongs: its writers lock that.
    """
    folders = set()
    for path in changes:
        try:
            folder = real_path(path).parent
            own = folder.name == ".mneme" and _belongs_to_one(workspace, path)
            if own and not folder.exists():
                made = make_folders(folder)
                made[0].chmod(0o700)
            owner = workspace.owner(real_path(path))
        except OSError as error:
            raise EditError(f"{path.parent}: {error.strerror}; nothing was written") from None
        if own:
            folders.add(folder)
        elif owner is not workspace:
            folders.add(owner.root)
    return folders


def _belongs_to_one(workspace: Workspace, path: Path) -> bool:
    real, own = real_path(path), workspace.user_file
    return is_personal(path) or is_personal(real) or (own is not None and real == real_path(own))


def nearest_hint(token: str, links: LinkIndex) -> str:
    """Return ``did you mean …?`` with the ID that ``token`` was probably meant to be; nothing when none is near."""
    found = resolve(token, links)
    near = visible(found.places[0].cell.id) if found.places else found.nearest
    return f"did you mean {near}?" if near else ""
