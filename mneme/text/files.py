"""One file replaced whole or not at all. Knows no format."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

_STRAY = re.compile(r"\.(.+)\.[0-9a-f]{12}\.tmp")


def real_path(path: Path) -> Path:
    """Return the file that writing to ``path`` replaces: links followed, absolute.

    Raises:
        OSError: a loop of links.
    """
    try:
        return path.resolve()
    except RuntimeError:  # Python 3.12 and older
        raise OSError(0, "a loop of links", str(path)) from None


def new_bytes(target: Path, data: bytes) -> Path:
    """Write ``data`` to disk beside ``target``, ready to be renamed to it, and return the temporary file.

    It gets the mode of ``target``, or that of any new file when there is none.

    Raises:
        OSError: it cannot be written, or ``target`` may not be; no temporary file is left.
    """
    mode = _mode(target)
    if mode is not None and not _may_write(target):
        raise PermissionError(0, "the file is read-only", str(target))
    temporary = target.with_name(f".{target.name}.{os.urandom(6).hex()}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            if mode is not None and stat.S_IMODE(os.fstat(handle).st_mode) != mode:
                temporary.chmod(mode)
            os.fsync(handle)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(target)
        raise
    return temporary


def refuse_unwritable(path: Path) -> None:
    """Refuse a file that :func:`new_bytes` would refuse, before anything else is written.

    Raises:
        OSError: ``path``, or what it is a link to, may not be written, or its folder takes no new files.
    """
    target = real_path(path)
    if _mode(target) is not None and not _may_write(target):
        raise PermissionError(0, "the file is read-only", str(path))
    if target.parent.exists() and not _may_write(target.parent):
        raise PermissionError(0, "its folder is read-only", str(path))


def _may_write(target: Path) -> bool:
    return os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _mode(target: Path) -> int | None:
    try:
        facts = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(facts.st_mode):
        raise IsADirectoryError(0, "a folder, not a file", str(target))
    return stat.S_IMODE(facts.st_mode)


def sync_folder(folder: Path) -> None:
    """Make renames in ``folder`` last, where the system can."""
    if sys.platform == "win32":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # a folder that may be written to and not listed
        return
    try:
        os.fsync(handle)
    except OSError:  # a file system without it: the rename has happened all the same
        return
    finally:
        os.close(handle)


def sweep(folders: Iterable[Path], suffixes: tuple[str, ...]) -> None:
    """Remove what killed writers left in ``folders``, which are locked: temporary files of names with ``suffixes``."""
    for folder in folders:
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            match = _STRAY.fullmatch(entry.name)
            if match and match[1].endswith(suffixes) and entry.is_file(follow_symlinks=False):
                Path(entry.path).unlink(missing_ok=True)


def make_folders(folder: Path) -> list[Path]:
    """Make ``folder`` and what is missing above it; return what was made, innermost first.

    Raises:
        OSError: it cannot be made; nothing of it is left.
    """
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    made: list[Path] = []
    try:
        for one in reversed(missing):
            one.mkdir(exist_ok=True)
            made.insert(0, one)
    except OSError:
        remove_folders(made)
        raise
    return made


def remove_folders(folders: Iterable[Path]) -> None:
    """Remove folders that :func:`make_folders` made and that stayed empty."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:  # somebody put something there
            return
