"""Writing files: under a lock, whole or not at all. Nobody else writes memory text. Knows no format."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from mneme.errors import EditError, StaleSource
from mneme.text import journal
from mneme.text.files import make_folders, new_bytes, real_path, remove_folders, sync_folder
from mneme.text.journal import JOURNAL, Step
from mneme.text.lock import PATIENCE, held
from mneme.text.source import Source, digest_bytes

Changes = Mapping[Path, tuple[Source | None, str]]
"""For each file the source that its new text was made from (None: the file is new), and the new text."""


@contextlib.contextmanager
def locked(*folders: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the exclusive locks of ``folders``, after finishing what a killed writer left half done there.

    Raises:
        EditError: a folder cannot be locked in ``patience`` seconds, or an interrupted write cannot be finished.
    """
    wanted = {folder.resolve() for folder in folders}
    while True:
        with held(wanted, patience):
            missing = journal.involved(wanted) - wanted
            if not missing:
                journal.recover(wanted)
                yield
                return
        wanted |= missing  # a cut step spans more folders than these; all are locked in order


def write_new(path: Path, data: bytes) -> None:
    """Write a file that must not exist yet; its folder does.

    Raises:
        EditError: it exists, or cannot be written.
    """
    with _told(path):
        temporary = new_bytes(_absent(path), data)
        try:
            _link(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)


def _absent(path: Path) -> Path:
    if os.path.lexists(path):
        raise FileExistsError(0, "exists already", str(path))
    return path


def _link(temporary: Path, path: Path) -> None:
    """Give ``temporary`` the name ``path`` unless that is taken: a rename would replace what has just appeared."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        temporary.replace(_absent(path))


def replace_file(path: Path, data: bytes) -> None:
    """Replace or make ``path`` atomically; a link stays a link and its target is replaced; the mode is kept.

    Raises:
        EditError: it cannot be written; the old content is still there.
    """
    with _told(path):
        target = real_path(path)
        temporary = new_bytes(target, data)
        try:
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)


def write_sources(folder: Path, changes: Changes, *, also: tuple[Path, ...] = ()) -> None:
    """Write new texts for several files in one step; ``folder`` and the folders ``also`` are locked by the caller.

    Either all files get their new text, or none; after a crash in between, the next :func:`locked` finishes the step.
    Folders that are missing above a new file are made. A text that is the file's already is not written.

    Raises:
        StaleSource: a file is no longer what was read.
        EditError: a file cannot be written.
    """
    changes = {
        path: (source, text) for path, (source, text) in changes.items() if source is None or source.text != text
    }
    folders = [folder.resolve(), *(other.resolve() for other in also)]
    made: list[Path] = []
    steps: list[Step] = []
    with _told(folder):
        try:
            for path, (source, text) in changes.items():
                target = real_path(path)
                made[:0] = make_folders(target.parent)
                steps.append(_staged(target, source, text))
            for step, (path, (source, _)) in zip(steps, changes.items(), strict=True):
                _refuse_stale(path, step, source)
            if len(steps) == 1:
                steps[0].temporary.replace(steps[0].target)
                sync_folder(steps[0].target.parent)
            elif steps:
                journal.commit(folders, steps)
        except BaseException:
            if not (folders[0] / JOURNAL).exists():
                for step in steps:
                    step.temporary.unlink(missing_ok=True)
                remove_folders(made)
            raise


def _staged(target: Path, source: Source | None, text: str) -> Step:
    data = text.encode("utf-8")
    return Step(target, new_bytes(target, data), source.digest if source else "", digest_bytes(data))


def _refuse_stale(path: Path, step: Step, source: Source | None) -> None:
    again = "run the command again"
    if source is None:
        if os.path.lexists(step.target):
            raise StaleSource(f"{path} appeared while it was to be made; nothing was written", again)
        return
    try:
        now = digest_bytes(step.target.read_bytes())
    except FileNotFoundError:
        raise StaleSource(f"{path} is gone since it was read; nothing was written", again) from None
    if now != step.old:
        raise StaleSource(f"{path} changed since it was read; nothing was written", again)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what the system refuses into a message: the file it names, else ``path``."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise EditError(f"{error.filename2 or error.filename or path}: {reason}; nothing was written") from None
