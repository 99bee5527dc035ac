"""What the commands that merge share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mneme.errors import ConfigError

if TYPE_CHECKING:
    from mneme.cli.app import App
    from mneme.memory.merging import Merger


def merger_for(app: App, name: str) -> Merger:
    """Return what merges the file ``name``. A configuration that cannot be read (it is merged too) is left out."""
    from mneme.memory.merging import Merger

    path = app.cwd / name
    try:
        return Merger(path, app.workspace_of((name,)), app.environ, app.cache)
    except ConfigError as error:
        from mneme.config import Config
        from mneme.workspace import Workspace, git_top

        workspace = Workspace(git_top(app.cwd) or app.cwd, Config(), home=app.home, cwd=app.cwd)
        merger = Merger(path, workspace, app.environ, app.cache)
        merger.notes.append(f"the configuration is not used: {error.message}")
        return merger
