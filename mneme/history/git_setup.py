"""Telling git to merge and show memory files by cell: two attributes for everybody, a few settings for one clone."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from mneme.format.vocabulary import MEMORY_SUFFIXES
from mneme.history.attributes import merge_attributes
from mneme.history.hook_script import Launcher
from mneme.history.repo import GitError, Repository
from mneme.text.write import locked, replace_file

ATTRIBUTES = ".gitattributes"
_ABOUT = "# Memory files are merged and shown by cell. Once in each clone: mneme install-git"
_LINES = (_ABOUT, *(f"*{suffix} merge=mneme diff=mneme" for suffix in MEMORY_SUFFIXES))

_ARGUMENTS = "merge-driver --marker-size=%L -- %O %A %B %P"
_XFUNCNAME = "^(@[[:space:]].*)$"
"""What ``git diff`` shows behind ``@@``: the header of the cell that a change is in."""

_DRIVER = (
    "( if [ -x {python} ] && {probe}; then {run} {arguments}; "
    "elif command -v mneme >/dev/null 2>&1; then mneme {arguments}; else exit 127; fi ); code=$?; "
    "if [ $code -le 1 ]; then exit $code; fi; "
    "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; why='failed'; "
    "if [ $code -eq 127 ]; then why='not found'; fi; "
    "echo \"mneme: $why, so \"%P' was merged by lines: look at it, then git add' >&2; exit 1"
)
"""Where mneme is gone, or fails, an ordinary merge is made, and never taken for a good one."""


def install(repository: Repository, launcher: Launcher) -> list[str]:
    """Write the attributes, unless they are there, and this clone's settings; return what to say.

    Raises:
        GitError: there is no repository with a work tree, or git refused.
        MnemeError: the launcher does not start, or a file cannot be written.
    """
    top = repository.top
    launcher.check(repository.common_dir)
    path = top / ATTRIBUTES
    said = []
    with locked(top):
        before = _read(path)
        missing = [line for line in _LINES if line not in _lines(before)]
        if missing == list(_LINES[:1]):
            missing = []  # somebody wrote it without our comment
        if missing:
            replace_file(path, _with_lines(before, missing))
            said.append(f"wrote {ATTRIBUTES}: commit it, so that it holds for everybody")
    for key, value in _settings(launcher).items():
        repository.run("config", "--local", key, value)
    said.append("this clone merges memory files by cell, and git diff names the cell of each change")
    said.append("a teammate runs once in each clone: mneme install-git (without it, git merges by lines)")
    said += _overruled(repository)
    return said


def uninstall(repository: Repository) -> list[str]:
    """Take away the attributes and this clone's settings, exactly what :func:`install` writes; return what to say.

    Raises:
        GitError: there is no repository with a work tree, or git refused.
        MnemeError: a file cannot be written.
    """
    top = repository.top
    path = top / ATTRIBUTES
    said = []
    with locked(top):
        before = _read(path)
        kept = _without_lines(before)
        if kept != before:
            if kept:
                replace_file(path, kept)
            else:
                path.unlink()
            said.append(f"took our lines out of {ATTRIBUTES}" if kept else f"removed {ATTRIBUTES}")
    removed = [
        key for key in ("merge.mneme.name", "merge.mneme.driver", "diff.mneme.xfuncname") if _unset(repository, key)
    ]
    if removed:
        said.append(f"took {', '.join(removed)} out of this clone's configuration")
    return said or ["nothing of ours is installed here"]


def _with_lines(before: bytes, lines: Sequence[str]) -> bytes:
    """Return ``before`` with our lines at the end; the last one has a line end if the last one of ``before`` has."""
    newline = "\r\n" if b"\r\n" in before else "\n"
    ours = newline.join(lines).encode()
    if before and not before.endswith(b"\n"):
        return before + newline.encode() + ours
    return before + ours + newline.encode()


def _without_lines(data: bytes) -> bytes:
    """Return ``data`` without our lines, and without the line end that went before them, if it was ours too."""
    lines = data.split(b"\n")
    ours = [line for line in lines if line.removesuffix(b"\r").decode("utf-8", "replace") in _LINES]
    kept = b"\n".join(line for line in lines if line not in ours)
    crlf = any(line.endswith(b"\r") for line in ours)
    return kept.removesuffix(b"\r") if lines[-1] in ours and crlf else kept


def _settings(launcher: Launcher) -> dict[str, str]:
    python = shlex.quote(_plain(launcher.python))
    probe = (
        f"[ -f {shlex.quote(_plain(launcher.archive))} ]"
        if launcher.archive
        else f"{python} -E -P -c 'import mneme' 2>/dev/null"
    )
    run = shlex.join([_plain(word) for word in launcher.command])
    return {
        "merge.mneme.name": "memory files, by cell",
        "merge.mneme.driver": _DRIVER.format(python=python, probe=probe, run=run, arguments=_ARGUMENTS),
        "diff.mneme.xfuncname": _XFUNCNAME,
    }


def _plain(path: str) -> str:
    """Return a path as git's shell takes it, and git itself, which reads ``%`` as the start of a placeholder."""
    return (path.replace("\\", "/") if os.name == "nt" else path).replace("%", "%%")


def _unset(repository: Repository, key: str) -> bool:
    try:
        repository.run("config", "--local", "--unset-all", key)
    except GitError:  # it is not set
        return False
    return True


def _overruled(repository: Repository) -> list[str]:
    """Name the memory files for which other attributes win: those of a folder below, or of ``.git/info``."""
    found = merge_attributes(repository, repository.present())
    others = {path: value for path, value in found.items() if value != "mneme"}
    return [f"{path}: merge={value} in other git attributes wins over ours" for path, value in sorted(others.items())]


def _lines(data: bytes) -> Sequence[str]:
    return data.decode("utf-8", "replace").splitlines()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise GitError(f"{path}: {error.strerror}") from None
