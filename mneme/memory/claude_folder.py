"""Where Claude Code keeps its own memory of a project."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from mneme.errors import UsageError
from mneme.history.repo import GitError, Repository
from mneme.memory.privacy import HOOK_VARIABLES
from mneme.workspace import git_top

VARIABLE = "CLAUDE_CONFIG_DIR"
LONGEST = 200
"""Characters of a folder's name; what the host calls a longer one is not known."""


def memory_folder(root: Path, home: Path | None, environ: Mapping[str, str]) -> Path:
    """Return Claude Code's auto-memory folder of the project at ``root``; all work trees of a repository share one.

    Raises:
        UsageError: it cannot be told.
    """
    named = environ.get(VARIABLE)
    if not named and home is None:
        raise UsageError("there is no home folder", f"set {VARIABLE}, or give projections.claude-memory a path")
    base = Path(named).expanduser() if named else (home or Path()) / ".claude"
    name = re.sub(r"[^a-zA-Z0-9]", "-", str(_main_tree(root, environ)))
    if len(name) > LONGEST:
        raise UsageError(
            f"the path of {root} is too long to tell what Claude Code calls its folder",
            "give projections.claude-memory the path of that folder",
        )
    return base / "projects" / name / "memory"


def _main_tree(root: Path, environ: Mapping[str, str]) -> Path:
    """Return the top of the repository's first work tree, else ``root``."""
    top = git_top(root)
    if top is None:
        return root
    repository = Repository(root, {key: environ[key] for key in environ if key not in HOOK_VARIABLES})
    try:
        common = Path(os.fsdecode(repository.run("rev-parse", "--git-common-dir")).removesuffix("\n"))
    except GitError:
        return top
    common = (root / common).resolve()
    return common.parent if common.name == ".git" else top
