"""Which merge driver git's attributes give to memory files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from mneme.history.repo import Repository


def merge_attributes(repository: Repository, paths: Sequence[str]) -> dict[str, str]:
    """Return the value of ``merge`` for each of ``paths`` (from the top), asked of one process.

    Raises:
        GitError: git refused.
    """
    if not paths:
        return {}
    names = [os.path.relpath(repository.top / path, repository.cwd) for path in paths]
    asked = "".join(f"{name}\0" for name in names)
    answer = repository.run("check-attr", "-z", "--stdin", "merge", stdin=os.fsencode(asked))
    values = [os.fsdecode(word) for word in answer.split(b"\0")[2::3]]
    return dict(zip(paths, values, strict=True))


def merged_by_union(repository: Repository, top: Path, paths: Iterable[Path]) -> list[Path]:
    """Return those of ``paths`` that git merges by union. Git is asked only where an attributes file speaks of it.

    Raises:
        GitError: git refused.
    """
    inside = {path: name for path in paths if (name := _below(path, top)) is not None}
    folders = {parent for name in inside.values() for parent in Path(name).parents}
    own = top / ".git"
    files = [*(top / folder / ".gitattributes" for folder in folders)]
    files.append((own if own.is_dir() else repository.common_dir) / "info" / "attributes")
    if not any(b"union" in _bytes(file) for file in files):
        return []
    values = merge_attributes(repository, list(inside.values()))
    return [path for path, name in inside.items() if values[name] == "union"]


def _below(path: Path, top: Path) -> str | None:
    """Return ``path`` as seen from ``top``; None when it is not below."""
    try:
        return (Path(os.path.realpath(path.parent)) / path.name).relative_to(top).as_posix()
    except ValueError:
        return None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
