"""Writing projections: USER.md, MEMORY.md, marked blocks, Claude Code's auto-memory folder; or looking who is behind.

Everything is worked out before anything is written, then written file by file, each whole or not at all. An
interrupted run is completed by the next one: what a file is to hold depends on the cells and on what people wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mneme.errors import EditError
from mneme.memory.project_hosts import HostFiles
from mneme.memory.project_hot import HotFiles
from mneme.memory.projection import Asked, Material, Projection, real_target
from mneme.text.files import make_folders, refuse_unwritable, remove_folders, sweep
from mneme.text.write import locked, write_sources
from mneme.workspace import Workspace, World


def project(workspace: Workspace, asked: Asked, environ: Mapping[str, str]) -> list[Projection]:
    """Bring the projections up to date, or with ``check`` only look; return them in the order of writing.

    Raises:
        UnreadableFile: a memory file or a projection cannot be read; nothing was written.
        EditError: marks do not pair up, a file holds conflict markers, or something cannot be written.
        ConfigError: a configured file lies outside the workspace.
    """
    if asked.check:
        return _planned(workspace, asked, environ)
    folder = _folder(workspace, asked)
    made: list[Path] = []
    try:
        if folder is not None:
            made = _make(folder)
        with locked(workspace.root, *([folder] if folder else [])):
            planned = _planned(workspace, asked, environ)
            _refuse_unwritable(planned)
            for one in planned:
                _write(workspace.root, one)
    except BaseException:
        remove_folders(made)
        raise
    return planned


def _refuse_unwritable(planned: list[Projection]) -> None:
    """Refuse before anything is written what could not be written later."""
    targets: dict[Path, str] = {}
    for one in planned:
        other = targets.setdefault(real_target(one.path), one.name)
        if other != one.name:
            raise EditError(f"{one.name} and {other} are one file; nothing was written", "keep one of the two")
        try:
            if one.behind:
                refuse_unwritable(one.path)
        except OSError as error:
            raise EditError(f"{one.name}: {error.strerror}; nothing was written") from None


def _make(folder: Path) -> list[Path]:
    try:
        return make_folders(folder)
    except OSError as error:
        raise EditError(f"{error.filename or folder}: {error.strerror}; nothing was written") from None


def _write(root: Path, one: Projection) -> None:
    sweep([one.path.parent, real_target(one.path).parent], (one.path.name,))
    if not one.behind:
        return
    if one.text is None:
        try:
            one.path.unlink(missing_ok=True)
        except OSError as error:
            raise EditError(f"{one.path}: {error.strerror}") from None
        return
    write_sources(root, {one.path: (one.source, one.text)})


def _folder(workspace: Workspace, asked: Asked) -> Path | None:
    """Return where USER.md and MEMORY.md go; None when nobody wants them."""
    settings = workspace.config.projections
    folder = asked.out
    if folder is None and settings.out:
        folder = workspace.root / Path(settings.out).expanduser()
    if folder is not None:
        if folder.is_file():
            raise EditError(f"{workspace.display(folder)} is a file; nothing was written", "name a folder")
        return folder
    return None if (settings.blocks or settings.claude_memory) and not asked.names else workspace.root


def _planned(workspace: Workspace, asked: Asked, environ: Mapping[str, str]) -> list[Projection]:
    world = workspace.world(asked.names, stdin=asked.stdin)
    refuse_partial(world)
    material = Material(workspace, world, asked, environ)
    planned = HotFiles(material).planned(_folder(workspace, asked))
    if not asked.names:
        hosts = HostFiles(material)
        planned += [*hosts.blocks(), *hosts.claude()]
    if asked.shared:
        planned = [one for one in planned if one.path not in material.private_paths]
    return planned


def refuse_partial(world: World) -> None:
    """Refuse to leave out cells only because a file cannot be read."""
    if world.unreadable:
        raise world.unreadable[0]
    for file in world.files:
        for oddity in (*file.document.strays, *(odd for cell in file.document.cells for odd in cell.oddities)):
            if oddity.name == "conflict-marker":
                raise EditError(
                    f"{file.source.name} holds conflict markers; nothing was projected",
                    "settle the conflict first: mneme resolve",
                )
