"""One projection, and what all of them are made of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mneme.bridge.projection import blocks
from mneme.bridge.projection.hand import same
from mneme.errors import EditError
from mneme.format.entry import MEMORY, USER, Entry, entries, is_nearly_full, read_line
from mneme.memory.privacy import Git
from mneme.text.files import real_path
from mneme.text.source import Source, read_source
from mneme.workspace import MemoryFile, Workspace, World, git_top, is_personal

NAMES = {USER: "USER.md", MEMORY: "MEMORY.md"}


@dataclass
class Projection:
    """One file: what it is to hold, what it holds, and what there is to say about it."""

    path: Path
    name: str
    kind: str
    """``user``, ``memory``, ``block``, ``index`` or ``topic``."""
    source: Source | None
    text: str | None
    """What it is to hold; None: it is to go."""
    used: int = 0
    limit: int = 0
    """Both in bytes; 0 where nothing limits the file."""
    entries: list[str] = field(default_factory=list)
    """IDs, in order."""
    left_out: list[str] = field(default_factory=list)
    hand: int = 0
    """Bytes that somebody else wrote."""
    personal_out: int = 0
    """How many personal cells stay out because the file may be shared."""
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    """Lines that come and go."""
    notes: list[str] = field(default_factory=list)

    @property
    def behind(self) -> bool:
        """Whether the file is not what it is to be."""
        if self.source is None or self.text is None:
            return self.text is not None or self.source is not None
        return not same(self.source.text, self.text)

    @property
    def nearly_full(self) -> bool:
        """Whether people should know how full it is."""
        return self.limit > 0 and is_nearly_full(self.used, self.limit)


@dataclass
class Asked:
    """What a command asks for."""

    names: Sequence[str] = ()
    out: Path | None = None
    check: bool = False
    shared: bool = False
    """Only what others may see: no file that git ignores, nothing outside the workspace."""
    stdin: bytes | None = None


class Material:
    """What the projections of one world are made of, and which files may hold what is personal."""

    def __init__(self, workspace: Workspace, world: World, asked: Asked, environ: Mapping[str, str]) -> None:
        self.workspace = workspace
        self.world = world
        self.asked = asked
        self.environ = environ
        self.private_paths: set[Path] = set()
        cells = [(cell, _is_personal(workspace, file)) for file in world.files for cell in file.document.cells]
        self.targets = {target: entries(cells, workspace.config, target) for target in NAMES}
        self.texts = {entry.text for found in self.targets.values() for entry in found}

    def allowed(self, path: Path, found: list[Entry]) -> tuple[list[Entry], int]:
        """Return the entries that may stand in the file at ``path``, and how many personal ones may not."""
        if not self.asked.shared and not any(entry.personal for entry in found):
            return found, 0
        if self.is_private(path):
            return found, 0
        shared = [entry for entry in found if not entry.personal]
        return shared, len(found) - len(shared)

    def is_private(self, path: Path) -> bool:
        """Whether git will not share what is written to ``path``: it ignores the file, or there is no git."""
        target = real_target(path)
        folder = next(parent for parent in target.parents if os.path.isdir(parent))  # noqa: PTH112 - see workspace
        git = Git(folder, self.environ)
        private = git_top(folder) is None or (git.ignores(target) and not git.tracks(target))
        if private:
            self.private_paths.add(path)
        return private


def changes(before: str, after: str, name: str) -> tuple[list[str], list[str]]:
    """Return which entries a block gets that it has not, and which it loses."""
    return difference(listed(blocks.inside(before, name)), listed(blocks.inside(after, name)))


def listed(lines: list[str]) -> list[str]:
    """Return the entries among the lines of a block."""
    return [line.removeprefix("- ") for line in lines if line.startswith("- [") and read_line(line[2:])]


def difference(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what only ``after`` has, and what only ``before`` has."""
    old, new = set(before), set(after)
    return [line for line in after if line not in old], [line for line in before if line not in new]


def read_there(path: Path, name: str) -> Source | None:
    """Return the file; None when there is none."""
    return read_source(path, name) if os.path.lexists(path) else None


def real_target(path: Path) -> Path:
    """Return the file that writing to ``path`` replaces.

    Raises:
        EditError: a loop of links.
    """
    try:
        return real_path(path)
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}; nothing was written") from None


def _is_personal(workspace: Workspace, file: MemoryFile) -> bool:
    """Whether a file belongs to one person: by its name, that of what it is a link to, or where it lies."""
    path = file.path
    if path is None or file.document.personal:
        return file.document.personal
    own = workspace.user_file
    targets = {path, real_target(path)}
    return any(map(is_personal, targets)) or (own is not None and real_target(own) in targets)
