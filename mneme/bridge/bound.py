"""A store bound to its text: which file it is, and which memory files it is compiled from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.graph.places import DEFAULT, Places, base_folder
from mneme.workspace import Workspace

if TYPE_CHECKING:
    from mneme.graph.store import Reader

PERSONAL = "personal"
"""The store of personal cells."""

ROOT = "root"
"""The key under which a store notes the top of the workspace that it was compiled from."""


@dataclass(frozen=True)
class BoundStore:
    """A store, and where its text comes from.

    ``name`` is empty for a file named by ``--db``: that one must exist to be read, nothing is written beside it, and
    it is held against the files that it was compiled from alone. ``given`` are files named on the command line.
    """

    workspace: Workspace
    path: Path
    name: str = ""
    usage: Path | None = None
    given: tuple[Path, ...] | None = None

    @classmethod
    def named(cls, workspace: Workspace, path: Path, given: Sequence[Path] | None = None) -> BoundStore:
        """Return the store in the file ``path``."""
        return cls(workspace, path, given=None if given is None else tuple(given))

    @classmethod
    def chosen(
        cls, workspace: Workspace, environ: Mapping[str, str], *, data_dir: str = "", store: str = ""
    ) -> BoundStore:
        """Return the store that options and environment mean.

        Raises:
            UsageError: no store can be called so.
        """
        places = Places(base_folder(data_dir, environ, workspace.root))
        name = places.chosen(store, environ)
        return cls(workspace, places.path(name), name, places.usage)

    @property
    def personal(self) -> bool:
        """Whether it holds personal cells."""
        return self.name == PERSONAL

    def sibling(self) -> BoundStore | None:
        """Return the store of the personal cells that belongs to the default one; None for any other."""
        if self.name != DEFAULT or self.given is not None:
            return None
        path = self.path.parent.parent / PERSONAL / self.path.name
        return BoundStore(self.workspace, path, PERSONAL, self.usage)

    def has_text(self, reader: Reader | None) -> bool:
        """Whether there is text that the store is compiled from: a store without is another program's."""
        if self.given is not None or self.name in (DEFAULT, PERSONAL) or self.name in self.workspace.config.stores:
            return True
        return not self.name and (reader is None or bool(reader.meta(ROOT)))

    def files(self, reader: Reader | None) -> list[Path]:
        """Return the memory files that the store is compiled from; ``reader`` is the store as it is, if it is."""
        if self.given is not None:
            return list(self.given)
        if not self.name and reader is not None and (root := reader.meta(ROOT)):
            return [Path(root) / name for name in reader.files()]
        if self.personal:
            return self.workspace.personal_files()
        shared = self.workspace.files(personal=False)
        if self.name in self.workspace.config.stores:
            from pathspec import GitIgnoreSpec

            spec = GitIgnoreSpec.from_lines(self.workspace.config.stores[self.name])
            return [path for path in shared if spec.match_file(path.relative_to(self.workspace.root).as_posix())]
        return shared if self.has_text(reader) else []

    def root(self, reader: Reader | None) -> Path:
        """Return the folder from which the store's names of files count."""
        known = reader.meta(ROOT) if reader is not None and not self.name and self.given is None else ""
        return Path(known) if known else self.workspace.root

    def belongs_elsewhere(self, reader: Reader) -> str:
        """Return the workspace that a store by name was compiled from, when it is another that is still there."""
        if self.workspace.root in self.path.parents:
            return ""  # it lies in this one: the whole folder was copied
        root = reader.meta(ROOT)
        elsewhere = bool(root) and bool(self.name) and not self.personal and Path(root) != self.workspace.root
        return root if elsewhere and Path(root).is_dir() else ""
