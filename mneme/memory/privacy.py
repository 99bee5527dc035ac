"""Git and the person: who is writing, and that a personal file stays out of what is shared."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mneme.errors import EditError
from mneme.history.repo import GitError, Repository
from mneme.text.write import replace_file
from mneme.workspace import git_top, is_personal

PATTERN = "*.local.mneme"
"""The line that keeps personal files out of git."""


HOOK_VARIABLES = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


class Git:
    """Git at one folder; every question has an answer where there is no git."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder = folder
        # Inside a hook git points at the repository being committed to, which need not be this folder's.
        self._repository = Repository(folder, {key: environ[key] for key in environ if key not in HOOK_VARIABLES})

    def author(self) -> str:
        """Return the configured name of the person, else the part of the mail address before ``@``; or nothing."""
        name = self._ask("config", "--get", "user.name").strip()
        return name or self._ask("config", "--get", "user.email").strip().partition("@")[0]

    def tracks(self, path: Path) -> bool:
        """Whether git tracks the file."""
        return bool(self._ask("ls-files", "-z", "--", os.fspath(path)))

    def ignores(self, path: Path) -> bool:
        """Whether an ignore rule covers the file."""
        return bool(self._ask("check-ignore", "--no-index", "--", os.fspath(path)))

    def exclude_file(self) -> Path | None:
        """Return the ignore file of this clone, which is never shared."""
        name = self._ask("rev-parse", "--git-path", "info/exclude").removesuffix("\n")
        return self.folder / name if name else None

    def _ask(self, *arguments: str) -> str:
        try:
            return os.fsdecode(self._repository.run(*arguments))
        except GitError:
            return ""


class Kept(NamedTuple):
    """What there is to say about a personal file: that it was made private just now, or that it is not."""

    note: str = ""
    hint: str = ""


def keep_private(path: Path, environ: Mapping[str, str]) -> Kept:
    """Make sure that git ignores a personal file: where no rule does yet, add one to this clone's own ignore file."""
    if git_top(path.parent) is None:
        return Kept()
    git = Git(path.parent, environ)
    if git.tracks(path):
        return Kept(f"{path.name} is tracked by git: others will see it", f"git rm --cached {path.name}")
    if git.ignores(path):
        return Kept()
    line = PATTERN if is_personal(path) else f"**/{path.parent.name}/{path.name}"
    by_hand = Kept(f"{path.name} is not ignored by git", f"add the line {line} to .gitignore")
    exclude = git.exclude_file()
    if exclude is None:
        return by_hand
    try:
        exclude.parent.mkdir(exist_ok=True)
        before = exclude.read_bytes() if exclude.exists() else b""
        replace_file(exclude, with_line(before, line))
    except (OSError, EditError):
        return by_hand
    return Kept(f"added {line} to {exclude}: git ignores {path.name} in this clone")


def with_line(data: bytes, line: str) -> bytes:
    """Return the text file ``data`` with ``line`` at its end, in its own line ends."""
    end = b"\r\n" if b"\r\n" in data else b"\n"
    gap = b"" if not data or data.endswith(b"\n") else end
    return data + gap + line.encode() + end
