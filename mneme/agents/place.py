"""Where a skill lies: folders are reached by links, and a host's folder may be another host's."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mneme.errors import UsageError
from mneme.text.files import real_path

NAME = "mneme"


@dataclass(frozen=True)
class Place:
    """A skill's folder: as it was named, where it really lies, and by which link (``.``: none) it was reached."""

    named: Path
    folder: Path
    use: str

    @classmethod
    def below(cls, directory: Path) -> Place:
        """Return the place of our skill in a host's skills folder ``directory``.

        Raises:
            UsageError: it cannot be followed to a folder.
        """
        named = Path(os.path.abspath(directory)) / NAME  # noqa: PTH100 - links stay in the name
        try:
            folder = real_path(named)
        except OSError as error:
            raise UsageError(f"{directory}: {error.strerror}") from None
        link = next((path for path in (named.parent.parent, named.parent, named) if path.is_symlink()), None)
        if link is None:
            return cls(named, folder, ".")
        name = link.parent.resolve() / link.name / named.relative_to(link)
        return cls(named, folder, relative(name, folder))


def own_path(path: Path) -> Path:
    """Return ``path`` with the links above it followed; if it is one itself, it stays one."""
    return path.parent.resolve() / path.name


def relative(path: Path, folder: Path) -> str:
    """Return ``path`` as seen from ``folder``, written with ``/``."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()
