"""Finds a project's memory files, and reads them with their places.

The workspace is the nearest folder upward with a configuration of its own, else git's top level, else the folder one
stands in (of ``/`` and the home folder only what lies in it directly). Files named on a command line are that
command's whole world; with none named, the workspace is.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.config import Config, find_config, load_config
from mneme.errors import UnreadableFile, UsageError
from mneme.format.model import Document
from mneme.format.parser import parse
from mneme.format.vocabulary import MEMORY_SUFFIXES, PERSONAL_SUFFIX
from mneme.text.files import real_path
from mneme.text.patterns import compiled, ignore_file
from mneme.text.source import Source, decode, digest_bytes, read_source

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

STDIN = "-"

ARCHIVE = "archive"
"""The folder of a workspace for cells of the past."""

_YEAR = re.compile(r"[0-9]{4}\.mneme")


@dataclass(frozen=True)
class MemoryFile:
    """A file as read: source and parse."""

    source: Source
    document: Document

    @property
    def path(self) -> Path | None:
        """Where it lies; None for standard input."""
        return self.source.path


@dataclass
class World:
    """What one command sees: files, and the ones that could not be read."""

    files: list[MemoryFile]
    unreadable: list[UnreadableFile]

    @property
    def documents(self) -> list[Document]:
        """The parsed files, in order."""
        return [file.document for file in self.files]


class Workspace:
    """A root folder with its configuration."""

    def __init__(self, root: Path, config: Config, *, home: Path | None = None, cwd: Path | None = None) -> None:
        self.root = root
        self.config = config
        self.home = home
        self.cwd = cwd or root

    @classmethod
    def find(
        cls, cwd: Path, *, config_file: Path | None = None, home: Path | None = None, near: Path | None = None
    ) -> Workspace:
        """Return the workspace of the folder ``near`` (default ``cwd``); ``config_file`` overrules what lies there.

        Raises:
            ConfigError: its configuration cannot be used.
        """
        start = (near or cwd).resolve()
        folder = next((parent for parent in (start, *start.parents) if find_config(parent)), None)
        found = find_config(folder) if folder else None
        if folder is None:
            folder = git_top(start) or start
        path = config_file or found
        default = _ALONE if not path and _is_wide(folder, home) else Config()
        return cls(folder, load_config(path) if path else default, home=home, cwd=cwd)

    @cached_property
    def user_file(self) -> Path | None:
        """The person's own memory file, whether it exists or not."""
        return self.home / ".mneme" / "user.mneme" if self.home else None

    def display(self, path: Path) -> str:
        """Return ``path`` as a person standing in the working folder would name it."""
        try:
            relative = os.path.relpath(path, self.cwd)
        except ValueError:  # another drive
            return str(path)
        return str(path) if relative.startswith(f"..{os.sep}..{os.sep}..") else relative.replace(os.sep, "/")

    # --- finding files --------------------------------------------------------------------------------

    def files(self, *, personal: bool = True, archive: bool = True) -> list[Path]:
        """Return the memory files in path order, with personal ones and the archive unless told otherwise."""
        found = {path for path in self._walk(self.root) if archive or not self.is_archive(path)}
        if not personal:
            return sorted((path for path in found if not is_personal(path)), key=_path_key)
        return _with_last(self.user_file, sorted(found | set(self._personal_below(self.root)), key=_path_key))

    def personal_files(self, folder: Path | None = None) -> list[Path]:
        """Return the personal files below ``folder`` (default: the root) in path order, and the person's own one."""
        return _with_last(self.user_file, sorted(self._personal_below(folder or self.root), key=_path_key))

    def includes(self, path: Path) -> bool:
        """Whether the configuration's include and exclude patterns let a memory file take part."""
        try:
            relative = path.relative_to(self.root).as_posix()
        except ValueError:
            relative = path.name
        return self._include.match_file(relative) and not self._exclude.match_file(relative)

    def is_archive(self, path: Path) -> bool:
        """Whether a file holds cells of the past by its name: ``archive/YYYY.mneme`` at the root."""
        return path.parent == self.root / ARCHIVE and _YEAR.fullmatch(path.name) is not None

    def holds(self, path: Path) -> bool:
        """Whether a memory file of this name is, or once was, one of this workspace's: it need not exist now."""
        return self.root in path.parents and self.includes(path) and not self._foreign(path)

    def owner(self, path: Path) -> Workspace:
        """Return the workspace that a memory file of this name belongs to, whether it exists or not: mostly this one.

        A file outside the root, or in a folder below with a configuration of its own, belongs to the workspace there.
        Where there is neither a configuration nor git, that is the folder alone, without what lies below.

        Raises:
            ConfigError: the configuration there cannot be used.
        """
        try:
            here = real_path(path.parent) / path.name
        except OSError:  # nothing can be there
            return self
        inside = here.parent == self.root or (self.root in here.parents and self.config is not _ALONE)
        if (inside and not self._foreign(here)) or path == self.user_file:
            return self
        near = next(parent for parent in here.parents if os.path.isdir(parent))  # noqa: PTH112 - see world
        found = Workspace.find(self.cwd, home=self.home, near=near)
        if found.config.source is None and git_top(near) is None:
            return Workspace(near, _ALONE, home=self.home, cwd=self.cwd)
        return found

    def _walk(self, folder: Path) -> Iterator[Path]:
        listed = _git_files(folder)
        candidates: Iterable[Path] = _walk_files(folder, self._skip) if listed is None else listed
        for path in candidates:
            if self.includes(path) and not self._foreign(path):
                yield path

    def _personal_below(self, folder: Path) -> Iterator[Path]:
        """Personal files are ignored by git, and seen all the same."""
        for path in _walk_files(folder, self._skip, ignore=False):
            if is_personal(path) and not self._foreign(path):
                yield path

    @cached_property
    def _include(self) -> GitIgnoreSpec:
        return compiled(self.config.include)

    @cached_property
    def _exclude(self) -> GitIgnoreSpec:
        return compiled((*self.config.exclude, *self.config.extend_exclude))

    def _skip(self, folder: Path) -> bool:
        """Whether not to look into ``folder``."""
        try:
            relative = folder.relative_to(self.root).as_posix()
        except ValueError:
            relative = folder.name
        return self._exclude.match_file(f"{relative}/")

    def _foreign(self, path: Path) -> bool:
        """Whether a folder between the root and ``path`` is a workspace of its own."""
        for parent in path.parents:
            if parent == self.root:
                return False
            if parent not in self._owners:
                self._owners[parent] = find_config(parent) is not None
            if self._owners[parent]:
                return self.root in parent.parents
        return False

    @cached_property
    def _owners(self) -> dict[Path, bool]:
        return {}

    # --- reading ----------------------------------------------------------------------------------------

    def world(
        self, names: Sequence[str] = (), *, stdin: bytes | None = None, personal: bool = True, archive: bool = True
    ) -> World:
        """Read the named files and folders, or the workspace when none is named, its archive too unless told otherwise.

        Raises:
            UsageError: standard input is named and was not given.
        """
        if not names:
            return self._read(self.files(personal=personal, archive=archive))
        paths: list[Path | str] = []
        for name in names:
            paths += [STDIN] if name == STDIN else self.named_files([name])
        return self._read(list(dict.fromkeys(paths)), stdin)

    def named_files(self, names: Sequence[str]) -> list[Path]:
        """Return the files that ``names`` mean, each once: themselves, or of a folder the memory files in it."""
        paths: list[Path] = []
        for name in names:
            path = self.cwd / name
            if os.path.isdir(path):  # noqa: PTH112 - pathlib raises where a folder may not be entered
                inside = self._folder(path)
                paths += inside if inside or _may_list(path) else [path]  # reading the folder itself says why
            else:
                paths.append(path)
        return list(dict.fromkeys(paths))

    def _folder(self, folder: Path) -> list[Path]:
        inside = Workspace(self.root if _within(folder, self.root) else folder, self.config, cwd=self.cwd)
        found = set(inside._walk(folder.absolute()))
        found |= {path for path in _walk_files(folder.absolute(), inside._skip, ignore=False) if is_personal(path)}
        return sorted(found, key=_path_key)

    def _read(self, paths: Sequence[Path | str], stdin: bytes | None = None) -> World:
        files: list[MemoryFile] = []
        unreadable: list[UnreadableFile] = []
        for path in paths:
            try:
                if isinstance(path, str):
                    if stdin is None:
                        raise UsageError("standard input is named twice, or cannot be read here")
                    source = Source("<stdin>", decode(stdin, "<stdin>"), None, digest_bytes(stdin))
                else:
                    source = read_source(path, self.display(path))
            except UnreadableFile as error:
                unreadable.append(error)
                continue
            files.append(MemoryFile(source, parse(source.text, name=source.name)))
        return World(files, unreadable)


_ALONE = Config(exclude=("*/",))
"""Only what lies in the folder itself."""


def _is_wide(folder: Path, home: Path | None) -> bool:
    """Whether ``folder`` holds a whole machine or person: the top of a file system, the home folder, one above it."""
    own = home.resolve() if home else None
    wide = folder.parent == folder or (own is not None and (folder == own or folder in own.parents))
    return wide and git_top(folder) is None


def is_personal(path: Path) -> bool:
    """Whether a memory file belongs to one person by its name."""
    return path.name.endswith(PERSONAL_SUFFIX)


def git_top(folder: Path) -> Path | None:
    """Return the top folder of the git work tree around ``folder``, by looking for ``.git``; None outside one."""
    for parent in (folder, *folder.parents):
        if os.path.exists(parent / ".git"):  # noqa: PTH110 - pathlib raises where a folder may not be entered
            return parent
    return None


def _within(path: Path, root: Path) -> bool:
    resolved = path.resolve()
    return resolved == root or root in resolved.parents


def _with_last(user: Path | None, paths: list[Path]) -> list[Path]:
    # Not pathlib: it raises when the home folder may not be entered, and that of another account may not.
    there = user is not None and os.path.isfile(user)  # noqa: PTH113
    return [*paths, user] if user is not None and there and user not in paths else paths


def _may_list(folder: Path) -> bool:
    return os.access(folder, os.R_OK, effective_ids=os.access in os.supports_effective_ids)


def _path_key(path: Path) -> list[str]:
    return list(path.parts)


def _git_files(folder: Path) -> list[Path] | None:
    """Return the memory files below ``folder`` that git tracks or does not ignore; None where git cannot tell."""
    if git_top(folder) is None:
        return None
    import subprocess

    command = ["git", "-C", str(folder), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."]
    environment = {key: value for key, value in os.environ.items() if key not in ("GIT_DIR", "GIT_WORK_TREE")}
    try:
        result = subprocess.run(command, capture_output=True, check=False, env=environment)
    except OSError:
        return None
    if result.returncode:
        return None
    names = [os.fsdecode(name) for name in result.stdout.split(b"\0") if name]
    return [path for name in names if name.endswith(MEMORY_SUFFIXES) and _is_there(path := folder / name)]


def _is_there(path: Path) -> bool:
    """Whether a file or a link is at ``path``, or is not to be seen by us: then reading it says why."""
    try:
        mode = path.lstat().st_mode
    except PermissionError:
        return True
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _walk_files(folder: Path, skip: object, *, ignore: bool = True) -> Iterator[Path]:
    """Yield memory files below ``folder``, honouring ``.gitignore`` files on the way unless ``ignore`` is off."""
    specs: dict[str, GitIgnoreSpec] = {}
    for parent, folders, names in os.walk(folder):
        here = Path(parent)
        if ignore and ".gitignore" in names:
            specs[parent] = ignore_file(here / ".gitignore")
        folders[:] = sorted(
            name
            for name in folders
            if not skip(here / name) and not _ignored(here / name, specs, "/")  # type: ignore[operator]
        )
        for name in names:
            path = here / name
            if name.endswith(MEMORY_SUFFIXES) and not _ignored(path, specs, ""):
                yield path


def _ignored(path: Path, specs: dict[str, GitIgnoreSpec], suffix: str) -> bool:
    return any(
        spec.match_file(f"{path.relative_to(base).as_posix()}{suffix}")
        for base, spec in specs.items()
        if Path(base) in path.parents
    )
