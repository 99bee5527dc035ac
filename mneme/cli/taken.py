"""What the commands that give out IDs ask git first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.workspace import Workspace


def ids_taken(app: App, workspace: Workspace, other: Workspace | None = None, *, fetch: bool = False) -> frozenset[str]:
    """Return the IDs that git remembers of a workspace, and of an ``other`` one, and say what it could not tell.

    Raises:
        MnemeError: ``fetch``, and there is nothing to fetch from, or it failed.
    """
    from mneme.workspace import git_top

    if not fetch and workspace.config.ids == "random":
        return frozenset()
    ids: frozenset[str] = frozenset()
    for asked in (workspace, other):
        if asked is None or (not fetch and git_top(asked.root) is None):
            continue
        from mneme.memory.taken import taken

        found = taken(asked, app.environ, app.cache, fetch=fetch)
        if found.note:
            app.say(f"mneme: warning: {found.note}")
        ids |= found.ids
    return ids
