"""What the trunk holds of a workspace."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from mneme.errors import UnreadableFile
from mneme.format.model import Cell
from mneme.format.parser import parse
from mneme.format.vocabulary import PERSONAL_SUFFIX
from mneme.history.moments import CommitTree
from mneme.history.repo import GitError, Repository
from mneme.history.trunk import find_trunk
from mneme.history.versions import owned_by
from mneme.memory.privacy import HOOK_VARIABLES
from mneme.workspace import Workspace, git_top


def trunk_cells(workspace: Workspace, environ: Mapping[str, str]) -> list[Cell] | None:
    """Return the shared cells that the trunk holds of a workspace; None where there is no trunk."""
    if git_top(workspace.root) is None:
        return None
    repository = Repository(workspace.root, {key: environ[key] for key in environ if key not in HOOK_VARIABLES})
    try:
        trunk = find_trunk(repository, workspace.config.trunk)
        if trunk is None:
            return None
        tree, owns = CommitTree(repository, trunk.commit), owned_by(workspace, repository)
    except GitError:
        return None
    cells: list[Cell] = []
    for path in tree.memory:
        if owns(path) and not path.endswith(PERSONAL_SUFFIX):
            with contextlib.suppress(UnreadableFile):
                cells += parse(tree.source(path, path).text).cells
    return cells
