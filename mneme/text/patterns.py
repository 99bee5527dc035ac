"""Patterns as in ``.gitignore``, whatever somebody wrote as one. Knows no format."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def compiled(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Return ``patterns`` ready to match; one that cannot be matched with (a lone backslash) matches nothing."""
    from pathspec import GitIgnoreSpec

    given = list(patterns)
    with warnings.catch_warnings():  # of what a later version of ``re`` may read into a pattern
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return GitIgnoreSpec.from_lines(given)
        except (ValueError, re.error):
            return GitIgnoreSpec.from_lines([pattern for pattern in given if _has_meaning(pattern)])


def _has_meaning(pattern: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error):
        return False
    return True


def ignore_lines(data: bytes) -> list[str]:
    """Return the patterns in the bytes of an ignore file: lines end at LF or CRLF, a byte order mark says nothing."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")  # as file names are decoded
    return [line.removesuffix("\r") for line in text.split("\n")]


def ignore_file(path: Path) -> GitIgnoreSpec:
    """Return the patterns of the ignore file ``path``; none where it cannot be read, or is no file: git goes on too."""
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError:
        data = b""
    return compiled(ignore_lines(data))
