"""Which file a new cell goes into."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mneme.errors import UsageError
from mneme.memory.draft import FOLDER, Draft, Target
from mneme.workspace import Workspace

PROJECT_FILE = "project.mneme"
PERSONAL_FILE = "project.local.mneme"

_NO_TOPIC = "general"
_DEVICES = re.compile(r"con|prn|aux|nul|com\d|lpt\d")


class Wanted(NamedTuple):
    """What was asked for: a file by name, or a personal one, or whatever the configuration says.

    ``owner`` is the other workspace that the named file belongs to: the IDs there are in use too.
    """

    file: Path | None = None
    personal: bool = False
    owner: Workspace | None = None


def choose_target(
    draft: Draft, wanted: Wanted, topic: str, today: date, author: Callable[[], str], *, beside: Target | None = None
) -> Target:
    """Return the file for a new cell.

    A file named wins; then the personal file, if that is asked for; then what ``file-per`` says. With one file for the
    project, that is the one ``beside`` which the cell belongs, else ``project.mneme``, else the shared file there is.

    Args:
        draft: the workspace as read.
        wanted: what was asked for.
        topic: the cell's topic, for one file a topic.
        today: for one file a month.
        author: gives the person's name, for one file a person; asked only then.
        beside: the file of the cell that the new one replaces.

    Raises:
        UsageError: the named file is no memory file, or not personal where that is asked for.
    """
    workspace = draft.workspace
    if wanted.file is not None:
        target = draft.target(wanted.file)
        if wanted.personal and not target.personal:
            raise UsageError(
                f"{target.document.name} is not a personal file",
                f"personal files end in .local.mneme, like {PERSONAL_FILE}; or leave one of the two options out",
            )
        return target
    if wanted.personal or (beside is not None and beside.personal):
        return beside if beside is not None and beside.personal else _personal(draft)
    match workspace.config.file_per:
        case "topic":
            name = slug(topic.partition("/")[0]) or _NO_TOPIC
        case "author":
            name = slug(author())
            if not name:
                raise UsageError("git does not know who you are, and file-per is author", "git config user.name NAME")
        case "month":
            name = today.isoformat()[:7]
        case _:
            return beside or _project(draft)
    return draft.target(workspace.root / FOLDER / f"{name}.mneme")


def _personal(draft: Draft) -> Target:
    """The personal file at the workspace's root, else the first personal file in the workspace, else a new one."""
    root = draft.workspace.root
    usual = root / PERSONAL_FILE
    own = [target for target in draft.targets if target.personal and root in target.path.parents]
    if any(target.path == usual for target in own) or os.path.lexists(usual) or not own:
        return draft.target(usual)
    return own[0]


def _project(draft: Draft) -> Target:
    """``project.mneme``, else the shared file nearest to the root, first in path order."""
    usual = draft.workspace.root / PROJECT_FILE
    shared = [target for target in draft.targets if not (target.personal or draft.workspace.is_archive(target.path))]
    if any(target.path == usual for target in shared) or os.path.lexists(usual) or not shared:
        return draft.target(usual)
    return min(shared, key=lambda target: nearest_first(target.path))


def nearest_first(path: Path) -> tuple[int, tuple[str, ...]]:
    """Return the key that sorts files of a workspace by how near its root they lie, then by path."""
    return len(path.parts), path.parts


def slug(name: str) -> str:
    """Return ``name`` as a file name that every system takes: lower case, letters and digits of any script, ``-``."""
    plain = unicodedata.normalize("NFC", name).casefold()
    made = re.sub(r"[\W_]+", "-", plain).strip("-")[:60].strip("-")
    return f"{made}-" if _DEVICES.fullmatch(made) else made
