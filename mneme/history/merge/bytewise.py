"""Merging what is no text: git's own merge by lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mneme.history.repo import GitError, Repository


def merge_bytes(paths: Sequence[Path], marker_size: int, environ: Mapping[str, str]) -> bytes | None:
    """Return git's merge of base, ours and theirs, with its conflict marks; None where it makes none (a NUL in it)."""
    base, ours, theirs = paths
    try:
        return Repository(ours.parent, environ).merged_by_lines(ours, base, theirs, marker_size)
    except GitError:
        return None
