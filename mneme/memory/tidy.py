"""Canonical spacing for files: what would change, and writing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mneme.format.layout import formatted
from mneme.memory.draft import write_texts
from mneme.text.source import Source
from mneme.workspace import MemoryFile, Workspace


class Tidied(NamedTuple):
    """A file as it was read, and its text in canonical spacing."""

    source: Source
    text: str

    @property
    def changed(self) -> bool:
        """Whether the two differ."""
        return self.text != self.source.text


def tidy(files: Sequence[MemoryFile]) -> list[Tidied]:
    """Return ``files`` in canonical spacing."""
    return [Tidied(file.source, formatted(file.document).text) for file in files]


def write_tidied(workspace: Workspace, files: Sequence[Tidied]) -> list[Tidied]:
    """Write the files that changed and have a path, all or none, and return them.

    Raises:
        EditError: a file changed since it was read, or cannot be written.
    """
    changed = [file for file in files if file.changed and file.source.path is not None]
    write_texts(workspace, {file.source.path: (file.source, file.text) for file in changed if file.source.path})
    return changed
