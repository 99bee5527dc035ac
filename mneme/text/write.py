"""Writing files: under a lock, whole or not at all. Nobody else writes memory text. Knows no format.

The lock is an exclusive ``flock`` on the folder itself: nothing is left lying about, it needs no writable place beside
the text, and it is the same lock however the process names its temporary folder. Where folders cannot be locked
(Windows, some network file systems) ``filelock`` keeps a lock file instead.

Several files change together through a journal: all new contents are on disk before the first rename, the journal
says what belongs where, and whoever locks the folder next finishes a sequence that was cut.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.errors import EditError, StaleSource
from mneme.text.source import Source, digest_bytes

if TYPE_CHECKING:
    from filelock import BaseFileLock

JOURNAL = ".mneme-journal"
_LOCKFILE = ".mneme-lock"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the exclusive lock of ``folder`` (waits for it), after finishing what a killed writer left half done.

    Raises:
        EditError: the folder cannot be locked.
    """
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise EditError(f"{folder}: {error.strerror}") from None
    try:
        lock_file = _lock_handle(handle, folder)
        try:
            recover(folder)
            yield
        finally:
            if lock_file is not None:
                lock_file.release()
    finally:
        os.close(handle)


def _lock_handle(handle: int, folder: Path) -> BaseFileLock | None:
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:  # a file system that cannot lock folders
            return _lock_file(folder)
        return None
    return _lock_file(folder)


def _lock_file(folder: Path) -> BaseFileLock:
    from filelock import FileLock

    lock = FileLock(folder / _LOCKFILE)
    try:
        lock.acquire()
    except OSError as error:
        raise EditError(f"{folder}: cannot be locked: {error.strerror}") from None
    return lock


def write_new(path: Path, data: bytes) -> None:
    """Write a file that must not exist yet.

    Raises:
        EditError: it exists, or cannot be written.
    """
    if path.exists() or path.is_symlink():
        raise EditError(f"{path} exists already; nothing was written")
    _replace(path, data)


def replace_file(path: Path, data: bytes) -> None:
    """Replace or make ``path`` atomically; a link stays a link and its target is replaced; the mode is kept.

    Raises:
        EditError: it cannot be written; the old content is still there.
    """
    _replace(path, data)


def _replace(path: Path, data: bytes) -> None:
    target, temporary = _stage(path, data)
    try:
        os.replace(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise EditError(f"{path}: {error.strerror}; nothing was written") from None
    _sync_folder(target.parent)


def write_sources(folder: Path, changes: Mapping[Path, tuple[Source | None, str]]) -> None:
    """Write new texts for several files in one step, ``folder`` being locked by the caller.

    Each value is the source the new text was made from (None: the file is new) and the new text. Either all files
    get their new text, or none; after a crash in between, the next :func:`locked` finishes the step.

    Raises:
        StaleSource: a file is no longer what was read.
        EditError: a file cannot be written.
    """
    for path, (source, _) in changes.items():
        _refuse_stale(path, source)
    staged: list[tuple[Path, Path]] = []
    try:
        for path, (_, text) in changes.items():
            staged.append(_stage(path, text.encode("utf-8")))
        if len(staged) == 1:
            os.replace(staged[0][1], staged[0][0])
        else:
            _commit_many(folder, staged)
    except OSError as error:
        raise EditError(f"{error.filename or folder}: {error.strerror}; nothing was written") from None
    finally:
        if not (folder / JOURNAL).exists():
            for _, temporary in staged:
                temporary.unlink(missing_ok=True)
    for target, _ in staged:
        _sync_folder(target.parent)


def _refuse_stale(path: Path, source: Source | None) -> None:
    if source is None:
        if path.exists():
            raise StaleSource(f"{path} appeared while it was to be made; nothing was written", "run the command again")
        return
    try:
        now = digest_bytes(path.read_bytes())
    except OSError as error:
        raise StaleSource(f"{path}: {error.strerror}; nothing was written") from None
    if now != source.digest:
        raise StaleSource(f"{path} changed since it was read; nothing was written", "run the command again")


def _commit_many(folder: Path, staged: list[tuple[Path, Path]]) -> None:
    journal = folder / JOURNAL
    lines = [
        {"target": str(target), "temporary": str(temporary), "digest": digest_bytes(temporary.read_bytes())}
        for target, temporary in staged
    ]
    _replace(journal, (json.dumps(lines) + "\n").encode())
    _finish(journal, lines)


def _finish(journal: Path, lines: list[dict[str, str]]) -> None:
    for line in lines:
        temporary, target = Path(line["temporary"]), Path(line["target"])
        if temporary.exists():
            os.replace(temporary, target)
            _sync_folder(target.parent)
    journal.unlink(missing_ok=True)
    _sync_folder(journal.parent)


def recover(folder: Path) -> None:
    """Finish the multi-file write that a killed process left in ``folder``, which the caller has locked.

    Raises:
        EditError: the journal does not make sense; it is left for a person to look at.
    """
    journal = folder / JOURNAL
    try:
        data = journal.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise EditError(f"{journal}: {error.strerror}") from None
    try:
        lines = json.loads(data)
        for line in lines:
            temporary, target = Path(line["temporary"]), Path(line["target"])
            ours = temporary.parent == target.parent and temporary.name.startswith(f".{target.name}.")
            if not ours or (temporary.exists() and digest_bytes(temporary.read_bytes()) != line["digest"]):
                raise ValueError(line)
    except (ValueError, TypeError, KeyError):
        raise EditError(
            f"{journal} is damaged: it should say how to finish an interrupted write",
            "compare the .tmp files it names with their targets, then delete it",
        ) from None
    _finish(journal, lines)


def _stage(path: Path, data: bytes) -> tuple[Path, Path]:
    """Write ``data`` beside the real target of ``path`` and return (target, temporary file)."""
    try:
        target = path.resolve() if path.is_symlink() else path
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
        mode = _mode(target)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
        try:
            with os.fdopen(handle, "wb") as stream:
                if mode is not None:
                    os.chmod(temporary, mode)  # noqa: PTH101 - the handle's own file, not a path to be followed
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        reason = error.strerror if isinstance(error, OSError) else "a loop of links"
        raise EditError(f"{path}: {reason}; nothing was written") from None
    return target, temporary


def _mode(target: Path) -> int | None:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return None


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # a file system without it: the rename still happened
        return
    finally:
        os.close(handle)
