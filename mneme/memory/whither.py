"""Which file a memory goes into, by the store that is meant."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.errors import UsageError
from mneme.format.vocabulary import MEMORY_SUFFIXES, PERSONAL_SUFFIX
from mneme.memory.draft import Draft, Target
from mneme.memory.target import Wanted, choose_target
from mneme.memory.through import Layers
from mneme.text.files import real_path
from mneme.workspace import Workspace

if TYPE_CHECKING:
    from mneme.memory.memo import Memo


def file_of(draft: Draft, layers: Layers, memo: Memo, today: date, author: Callable[[], str]) -> Target:
    """Return the file for ``memo``: the first of the store's, or for the workspace's store what ``mneme add`` chooses.

    Raises:
        UsageError: the store names no file that could be written.
    """
    bound = layers.bound
    usual = choose_target(draft, Wanted(personal=memo.personal or bound.personal), memo.topic, today, author)
    if usual.personal:
        return usual
    if bound.name in bound.workspace.config.stores:
        return _shared(draft, first_file(bound.workspace, bound.name))
    held = [real_path(path) for path in layers.files]
    if bound.name or not held or real_path(usual.path) in held:
        return usual
    return draft.target(layers.files[0])


def first_file(workspace: Workspace, store: str) -> Path:
    """Return the first file of a store: of its patterns the first that is a name, or that a file there matches.

    Raises:
        UsageError: no pattern names one, and no file matches.
    """
    from pathspec import GitIgnoreSpec

    patterns = workspace.config.stores[store]
    files = workspace.files(personal=False)
    for pattern in patterns:
        plain = pattern.removeprefix("/")
        if not set(plain) & set("*?[!\\") and plain.endswith(MEMORY_SUFFIXES):
            return workspace.root / plain
        spec = GitIgnoreSpec.from_lines([pattern])
        for path in files:
            if spec.match_file(path.relative_to(workspace.root).as_posix()):
                return path
    raise UsageError(
        f"the store {store} has no file yet, and its patterns name none: {', '.join(patterns)}",
        f"name one first: stores.{store}.files = ['{store}.mneme', ...]",
    )


def _shared(draft: Draft, path: Path) -> Target:
    target = draft.target(path)
    if target.personal:
        raise UsageError(f"{target.document.name} is personal: no shared store has it", f"not *{PERSONAL_SUFFIX}")
    return target
