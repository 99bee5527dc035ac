"""Where stores lie: ``<base>/data/<store>/mnemon.db``, and which of them is meant."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mneme.errors import MnemeError, UsageError

FOLDER = ".mnemon"
"""The base beside a workspace's files."""

FILE = "mnemon.db"
DEFAULT = "default"
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]*")

_SIDES = ("-wal", "-shm")


def valid(name: str) -> bool:
    """Tell whether a store may be called ``name``."""
    return NAME.fullmatch(name) is not None


def base_folder(named: str, environ: Mapping[str, str], workspace: Path) -> Path:
    """Return the base of all stores: as named (``--data-dir``), else MNEMON_DATA_DIR, else beside the workspace."""
    chosen = named or environ.get("MNEMON_DATA_DIR", "")
    return Path(chosen).expanduser() if chosen else workspace / FOLDER


@dataclass(frozen=True)
class Places:
    """The stores below one base."""

    base: Path

    def path(self, name: str) -> Path:
        """Return the file of a store, whether it is there or not.

        Raises:
            UsageError: no store can be called so.
        """
        if not valid(name):
            raise UsageError(f"{name!r} is no name for a store", "a letter or digit, then letters, digits, _ and -")
        return self.base / "data" / name / FILE

    @property
    def usage(self) -> Path:
        """The file of access counts, for all stores of the base."""
        return self.base / "state" / "usage.db"

    def chosen(self, named: str, environ: Mapping[str, str]) -> str:
        """Return which store is meant: as named (``--store``), else MNEMON_STORE, else the active one.

        Raises:
            UsageError: what is named, there or in the environment, is no name for a store.
        """
        name = named or environ.get("MNEMON_STORE", "") or self.active()
        self.path(name)
        return name

    def active(self) -> str:
        """Return the store that commands take when none is named; ``default`` when the file says nothing usable."""
        try:
            name = (self.base / "active").read_bytes().decode("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return DEFAULT
        return name if valid(name) else DEFAULT

    def names(self) -> list[str]:
        """Return the stores that there are, by name."""
        try:
            folders = list((self.base / "data").iterdir())
        except OSError:
            return []
        return sorted(folder.name for folder in folders if valid(folder.name) and folder.is_dir())

    def set_active(self, name: str) -> None:
        """Make an existing store the active one.

        Raises:
            UsageError: there is no such store.
            MnemeError: the file cannot be written.
        """
        self._existing(name)
        temporary = self.base / f".active.{name}.tmp"
        try:
            temporary.write_bytes(name.encode() + b"\n")
            temporary.replace(self.base / "active")
        except OSError as error:
            raise MnemeError(f"{self.base / 'active'}: {error.strerror}; nothing was written") from None

    def remove(self, name: str) -> None:
        """Delete a store's folder.

        Raises:
            UsageError: there is no such store, or it is the active one.
            MnemeError: it cannot be deleted.
        """
        folder = self._existing(name).parent
        if name == self.active():
            raise UsageError(f"store {name} is the active one", "make another one active first: mneme store set NAME")
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise MnemeError(f"{folder}: cannot be removed: {error.strerror}") from None

    def new(self, name: str) -> Path:
        """Return the file for a store that is to be made.

        Raises:
            UsageError: it exists, or none can be called so.
        """
        path = self.path(name)
        if name in self.names():
            raise UsageError(f"store {name} exists already")
        return path

    def _existing(self, name: str) -> Path:
        path = self.path(name)
        if name not in self.names():
            raise UsageError(f"no store is called {name}", f"`mneme store create {name}` makes it")
        return path

    def move_legacy(self) -> Path | None:
        """Move a store of the time before there were several, ``<base>/mnemon.db``, to where the default one lies.

        Only when there is no default one; returns where it lies now, or None when nothing was moved.

        Raises:
            MnemeError: it cannot be moved.
        """
        old, new = self.base / FILE, self.path(DEFAULT)
        if not old.is_file() or new.exists():
            return None
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            # The file last: without it, what lies beside it means nothing yet, and the next attempt goes on.
            for side in (*_SIDES, ""):
                part = old.with_name(old.name + side)
                if part.exists():
                    part.replace(new.with_name(new.name + side))
        except OSError as error:
            raise MnemeError(f"{old}: cannot be moved to {new.parent}: {error.strerror}") from None
        return new
