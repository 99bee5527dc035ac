"""What a repository holds, workspace by workspace: as the next commit would have it, or as it lies on disk.

A repository may hold several workspaces (a folder with a configuration of its own is one); a hook judges them all.
Configuration comes from the same place as the memory: a staged ``mneme.toml`` counts as it is staged. What git does
not know (a personal file, an untracked configuration) is read from disk.
"""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

from mneme.config import CONFIG_FILE, PROJECT_FILE, Config, find_config, load_config, read_disk
from mneme.errors import UnreadableFile
from mneme.format.parser import parse
from mneme.format.vocabulary import MEMORY_SUFFIXES
from mneme.history.repo import LINK, SUBMODULE, Entry, Repository
from mneme.text.source import Source, decode, digest_bytes, read_source
from mneme.workspace import MemoryFile, Workspace, World

MAX_LINKS = 8
"""Links in a row before we say that they lead nowhere."""


class Tree(Protocol):
    """Where files are taken from. Relative paths are from the repository's top, with ``/``."""

    memory: list[str]

    def config(self, path: Path) -> bytes | None:
        """Return the bytes of a configuration file, None where there is none."""

    def source(self, path: str, name: str) -> Source:
        """Return a memory file's text under the name ``name``.

        Raises:
            UnreadableFile: it is no text, or cannot be had.
        """


class DiskTree:
    """The work tree: what git tracks or does not ignore; or, when a commit is to be judged, what it tracks alone."""

    def __init__(self, repository: Repository, *, tracked_only: bool = False) -> None:
        self._top = repository.top
        names = repository.tracked() if tracked_only else repository.present()
        self.memory = [path for path in names if _is_no_folder(self._top / path)]

    def config(self, path: Path) -> bytes | None:
        """Return what is on disk."""
        return read_disk(path)

    def source(self, path: str, name: str) -> Source:
        """Return what is on disk."""
        return read_source(self._top / path, name)


def _is_no_folder(path: Path) -> bool:
    """Whether something stands there that is no folder (a submodule may be called ``x.mneme``), or may not be seen."""
    try:
        mode = path.lstat().st_mode
    except PermissionError:
        return True  # reading it says why
    except OSError:
        return False
    return not stat.S_ISDIR(mode)


class StagedTree:
    """The index: what the next commit would hold."""

    def __init__(self, repository: Repository) -> None:
        self._top = repository.top
        self._entries: dict[str, Entry] = {
            entry.path: entry for entry in repository.staged((CONFIG_FILE, PROJECT_FILE)) if entry.mode != SUBMODULE
        }
        self.memory = [path for path in self._entries if path.endswith(MEMORY_SUFFIXES)]
        self._contents = repository.contents(entry.object_id for entry in self._entries.values())

    def config(self, path: Path) -> bytes | None:
        """Return what is staged; what is on disk where git knows of no such file."""
        try:
            entry = self._entries.get(path.relative_to(self._top).as_posix())
        except ValueError:  # above the repository
            entry = None
        return read_disk(path) if entry is None or entry.mode == LINK else self._contents[entry.object_id]

    def source(self, path: str, name: str) -> Source:
        """Return what is staged."""
        at = path
        for _ in range(MAX_LINKS):
            entry = self._entries.get(at)
            if entry is None:  # a link that leaves what git holds
                return read_source(self._top / path, name)
            if entry.stage:
                raise UnreadableFile(name, "a merge conflict is not resolved", line=0, hint="resolve it, then git add")
            data = self._contents[entry.object_id]
            if entry.mode != LINK:
                return Source(name, decode(data, name), None, digest_bytes(data))
            at = posixpath.normpath(posixpath.join(posixpath.dirname(at), os.fsdecode(data)))
        raise UnreadableFile(name, "a loop of links", line=0)


class Holding(NamedTuple):
    """A workspace, and its memory files in the repository; nothing is parsed yet."""

    workspace: Workspace
    tree: Tree
    top: Path
    paths: list[str]
    owners: _Owners

    def owns(self, path: str) -> bool:
        """Whether a file of this name is, or would be, one of the workspace's."""
        full = self.top / path
        return self.owners.of(full.parent) == self.workspace.root and self.workspace.includes(full)

    def world(self) -> World:
        """Read and parse what the repository holds."""
        world = World([], [])
        for path in self.paths:
            try:
                source = self.tree.source(path, self.workspace.display(self.top / path))
            except UnreadableFile as error:
                world.unreadable.append(error)
                continue
            world.files.append(MemoryFile(source, parse(source.text, name=source.name)))
        return world

    def personal(self) -> World:
        """Read and parse the personal files, which the repository does not hold."""
        root = self.workspace.root
        below = root if root == self.top or self.top in root.parents else self.top  # a workspace may be the wider one
        known = {self.top / path for path in self.tree.memory}
        names = [str(path) for path in self.workspace.personal_files(below) if path not in known]
        return self.workspace.world(names) if names else World([], [])


def holdings(
    repository: Repository,
    tree: Tree,
    *,
    home: Path | None = None,
    config_file: Path | None = None,
    gone: Iterable[str] = (),
) -> list[Holding]:
    """Return every workspace of ``repository`` that holds memory files, or held the ``gone`` ones, in path order.

    Raises:
        ConfigError: a configuration cannot be used.
        GitError: git is missing, or there is no repository.
    """
    top = repository.ground
    owners = _Owners(top, tree)
    members: dict[Path, list[str]] = {}
    for path in sorted(tree.memory, key=lambda path: path.split("/")):
        members.setdefault(owners.of((top / path).parent), []).append(path)
    for path in gone:
        members.setdefault(owners.of((top / path).parent), [])
    found = []
    for root, paths in sorted(members.items()):
        own = config_file or find_config(root, tree.config)
        config = load_config(own, read_disk if config_file else tree.config) if own else Config()
        workspace = Workspace(root, config, home=home, cwd=repository.cwd)
        found.append(Holding(workspace, tree, top, [path for path in paths if workspace.includes(top / path)], owners))
    return found


class _Owners:
    """Which workspace a folder belongs to: the nearest folder upward with a configuration, else the top."""

    def __init__(self, top: Path, tree: Tree) -> None:
        self._top = top
        self._tree = tree
        self._known: dict[Path, bool] = {}

    def of(self, folder: Path) -> Path:
        for parent in (folder, *folder.parents):
            if parent not in self._known:
                self._known[parent] = find_config(parent, self._tree.config) is not None
            if self._known[parent]:
                return parent
        return self._top
