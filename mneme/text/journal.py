"""Several files replaced in one step: a journal says what belongs where, so that a cut step can be finished.

All new texts lie on disk, as temporary files beside their targets, before the journal is written; the renames follow;
the journal goes last. Whoever locks a folder next finishes what a killed process left there, or takes it back when
nothing had been renamed. A step that spans several locked folders leaves a pointer in the others. Knows no format.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mneme.errors import EditError
from mneme.text.files import new_bytes, sync_folder
from mneme.text.source import digest_bytes

JOURNAL = ".mneme-journal"
_VERSION = 1


class Step(NamedTuple):
    """``temporary`` is to replace ``target``; the digests are of the bytes before (empty: no file) and after."""

    target: Path
    temporary: Path
    old: str
    new: str


def involved(folders: Iterable[Path]) -> set[Path]:
    """Return the folders that the journals in ``folders`` name: they must be locked before anything is recovered."""
    return {other for folder in folders for other in _Journal.read(folder).folders}


def recover(folders: Iterable[Path]) -> None:
    """Finish or take back the cut steps whose journals lie in ``folders``; all folders involved are locked.

    Raises:
        EditError: a journal cannot be read, or a file was changed since, so that half of a step cannot be finished.
    """
    pointers = []
    for folder in folders:
        journal = _Journal.read(folder)
        if journal.see is not None:
            pointers.append(folder)
        elif journal.steps:
            _settle(folder, journal)
    for folder in pointers:  # every step has ended by now, this one too
        (folder / JOURNAL).unlink(missing_ok=True)


def commit(folders: Sequence[Path], steps: Sequence[Step]) -> None:
    """Carry out ``steps`` as one; ``folders`` are those locked for it, the journal lies in the first.

    Raises:
        OSError: nothing was changed.
        EditError: some files were replaced and one could not be; the journal stays, and the next writer goes on.
    """
    first, *others = folders
    for folder in {step.temporary.parent for step in steps}:
        sync_folder(folder)
    try:
        for other in others:
            _write(other, {"see": _relative(first, other)})
        _write(first, {
            "folders": [_relative(other, first) for other in others],
            "steps": [
                {"target": _relative(target, first), "temporary": _relative(temporary, first), "old": old, "new": new}
                for target, temporary, old, new in steps
            ],
        })  # fmt: skip
    except OSError:
        _drop(first, others)
        raise
    for done, step in enumerate(steps):
        try:
            step.temporary.replace(step.target)
        except OSError as error:
            if not done:
                _drop(first, others)
                raise
            raise EditError(
                f"{step.target}: {error.strerror}; {done} of {len(steps)} files were written",
                "once that file can be replaced, the next mneme command that writes finishes this one",
            ) from None
    for folder in {step.target.parent for step in steps}:
        sync_folder(folder)
    _drop(first, others)


class _Journal(NamedTuple):
    folders: tuple[Path, ...] = ()
    steps: tuple[Step, ...] = ()
    see: Path | None = None

    @classmethod
    def read(cls, folder: Path) -> _Journal:
        path = folder / JOURNAL
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise EditError(f"{path}: {error.strerror}; nothing was written") from None
        try:
            return cls._from_json(json.loads(data), folder)
        except (ValueError, TypeError, KeyError):
            raise EditError(
                f"{path} is damaged: it should say how to finish an interrupted write",
                "compare .*.tmp files beside your memory files with them, then delete it",
            ) from None

    @classmethod
    def _from_json(cls, data: dict[str, Any], folder: Path) -> _Journal:
        if data["version"] != _VERSION:
            raise ValueError(data["version"])
        if "see" in data:
            other = _absolute(folder, data["see"])
            return cls((other,) if other.is_dir() else (), (), other)
        steps = tuple(
            Step(
                _absolute(folder, step["target"]), _absolute(folder, step["temporary"]),
                str(step["old"]), str(step["new"]),
            )
            for step in data["steps"]
        )  # fmt: skip
        if not steps or not all(_belongs(step) for step in steps):
            raise ValueError(steps)
        return cls(tuple(_absolute(folder, name) for name in data["folders"]), steps)


def _settle(folder: Path, journal: _Journal) -> None:
    steps, others = journal.steps, journal.folders
    ready, lost = [], []
    for step in steps:
        now, waiting = _digest(step.target), _digest(step.temporary)
        if now == step.old and waiting == step.new:
            ready.append(step)
        elif now != step.new and (waiting or now == step.old):
            lost.append(step)
    if lost and len(ready) + len(lost) < len(steps):
        names = " and ".join(str(step.target) for step in lost)
        raise EditError(
            f"an interrupted write cannot be finished: {names} changed since, or the new text is gone",
            f"look at {' and '.join(str(step.target) for step in steps)}, then delete {folder / JOURNAL}",
        )
    try:
        for step in ready if not lost else ():
            step.temporary.replace(step.target)
            sync_folder(step.target.parent)
        for step in steps:
            step.temporary.unlink(missing_ok=True)
    except OSError as error:
        raise EditError(
            f"{error.filename}: {error.strerror}; an interrupted write is waiting to be finished",
            f"once that file can be replaced, run the command again; or delete {folder / JOURNAL}",
        ) from None
    _drop(folder, others)


def _write(folder: Path, data: dict[str, Any]) -> None:
    path = folder / JOURNAL
    temporary = new_bytes(path, (json.dumps({"version": _VERSION, **data}) + "\n").encode())
    try:
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(folder)


def _drop(first: Path, others: Iterable[Path]) -> None:
    # The journal before its pointers: a pointer to nothing is void. What cannot be removed the next writer removes.
    for folder in (first, *others):
        with contextlib.suppress(OSError):
            (folder / JOURNAL).unlink(missing_ok=True)
            sync_folder(folder)


def _belongs(step: Step) -> bool:
    """Whether ``temporary`` is named as ours for ``target``: a journal moves nothing else."""
    pattern = rf"\.{re.escape(step.target.name)}\.[0-9a-f]{{12}}\.tmp"
    return step.temporary.parent == step.target.parent and re.fullmatch(pattern, step.temporary.name) is not None


def _digest(path: Path) -> str:
    try:
        return digest_bytes(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}; an interrupted write is waiting to be finished") from None


def _relative(path: Path, folder: Path) -> str:
    try:
        return os.path.relpath(path, folder)
    except ValueError:  # another drive
        return str(path)


def _absolute(folder: Path, name: str) -> Path:
    return Path(os.path.normpath(folder / name))
