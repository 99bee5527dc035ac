"""The memory files that a store is compiled from: found, read, and held against what the store knows of them."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from mneme.bridge.arrivals import Member
from mneme.errors import UnreadableFile
from mneme.format.model import Document
from mneme.format.parser import parse
from mneme.text.source import Source, read_source
from mneme.workspace import Workspace


class Text:
    """Files as read at one moment. They are parsed when a cell is asked for: often the digests are all that matters."""

    def __init__(self, root: Path, sources: Sequence[Source], unreadable: Sequence[UnreadableFile]) -> None:
        self.root = root
        self.unreadable = list(unreadable)
        self._sources = list(sources)
        self._documents: dict[str, Document] = {}

    @classmethod
    def read(cls, workspace: Workspace, paths: Iterable[Path], *, root: Path | None = None) -> Text:
        """Read ``paths``, each once; ``root`` is the folder from which their names in a store count."""
        sources: list[Source] = []
        unreadable: list[UnreadableFile] = []
        for path in dict.fromkeys(paths):
            before = _facts(path)
            try:
                source = read_source(path, workspace.display(path))
                _storable(file_name(root or workspace.root, path), source.name)
            except UnreadableFile as error:
                unreadable.append(error)
                continue
            sources.append(source)
            _remember(path, before, source.digest)
        return cls(root or workspace.root, sources, unreadable)

    @cached_property
    def digests(self) -> dict[str, str]:
        """For each file, by its name in a store, the digest of its bytes."""
        return {self._name(source): source.digest for source in self._sources}

    @property
    def documents(self) -> list[Document]:
        """The parsed files, in order."""
        return self.documents_but(())

    def documents_but(self, names: Container[str]) -> list[Document]:
        """Return the parsed files, in order, without those of ``names`` (as a store names them)."""
        return [self._parsed(source) for source in self._sources if self._name(source) not in names]

    @property
    def members(self) -> list[Member]:
        """The cells with their places, file by file; cells without an ID are none."""
        return self.members_but(())

    def members_but(self, names: Container[str]) -> list[Member]:
        """Return the cells of all files but those of ``names`` (as a store names them)."""
        return [
            Member(cell, name, place)
            for source in self._sources
            for name in (self._name(source),)
            if name not in names
            for place, cell in enumerate(self._parsed(source).cells)
            if cell.id
        ]

    def _parsed(self, source: Source) -> Document:
        name = self._name(source)
        known = self._documents.get(name)
        if known is None:
            known = self._documents[name] = parse(source.text, name=source.name)
        return known

    def without(self, names: Container[str]) -> Text:
        """Return the text without the files that people call by one of ``names``."""
        sources = [source for source in self._sources if source.name not in names]
        return Text(self.root, sources, [error for error in self.unreadable if error.path not in names])

    def _name(self, source: Source) -> str:
        assert source.path is not None
        return file_name(self.root, source.path)


_Facts = tuple[int, int, int, int, int]
"""Device, inode, size, and when the content and the file's facts were last changed, in nanoseconds."""

_RACY_NS = 2_000_000_000
"""A file changed less than this long ago may be changed again without looking younger."""

_remembered: dict[Path, tuple[_Facts, str]] = {}


def remembered(root: Path, paths: Iterable[Path]) -> dict[str, str] | None:
    """Return what :attr:`Text.digests` would, if this process has read all of ``paths`` and none changed; else None."""
    found: dict[str, str] = {}
    for path in paths:
        facts, digest = _remembered.get(path, (None, ""))
        if facts is None or facts != _facts(path):
            return None
        found[file_name(root, path)] = digest
    return found


def _remember(path: Path, before: _Facts | None, digest: str) -> None:
    if before is not None and before == _facts(path) and time.time_ns() - max(before[3:]) > _RACY_NS:
        _remembered[path] = before, digest
    else:
        _remembered.pop(path, None)


def _facts(path: Path) -> _Facts | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


def _storable(name: str, shown: str) -> None:
    if any("\ud800" <= character <= "\udfff" for character in name):
        raise UnreadableFile(shown, "a store cannot hold this name: it is no UTF-8", hint="rename the file")


def file_name(root: Path, path: Path) -> str:
    """Return what a store calls a file: its path below ``root`` with ``/`` between the parts, else its whole path."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()
