"""Starting a memory in a project: files that explain themselves, nothing overwritten."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mneme import __version__
from mneme.config import CONFIG_FILE, FILE_LAYOUTS
from mneme.errors import EditError, UsageError
from mneme.format.vocabulary import MEMORY_SUFFIXES
from mneme.graph.places import FOLDER
from mneme.memory.privacy import PATTERN, with_line
from mneme.memory.target import PROJECT_FILE, nearest_first
from mneme.text.files import make_folders, remove_folders
from mneme.text.patterns import compiled, ignore_lines
from mneme.text.write import locked, replace_file, write_new
from mneme.workspace import Workspace, is_personal

TEAM_LAYOUT = "author"
"""Of the layouts the one in which two people never add to one file, so that their additions merge by themselves."""

IGNORED = {PATTERN: "memory/x.local.mneme", f"{FOLDER}/": f"{FOLDER}/data/default/mnemon.db"}
"""What git is not to see, and of each line a file that is left out by it: personal cells, and compiled stores."""

PRE_COMMIT_FILE = ".pre-commit-config.yaml"

PRE_COMMIT_HOOK = f"""\
default_install_hook_types: [pre-commit, pre-merge-commit]
repos:
  - repo: URL-OF-THE-MNEME-REPOSITORY
    rev: v{__version__}   # a release's tag, or the commit you trust
    hooks:
      - id: mneme-lint
"""

MEMORY_HEADER = """\
# What this project remembers: one cell a belief, in plain text. `mneme lint` checks it, `mneme spine` sums it up.
#
#   @ DEC-0001  area/part                  a new ID (mneme new-id DEC), and the topic
#   gist  One line that can be understood by itself: what is true.
#   state live   conf high   since 2026-01-31   seen 2026-01-31
#   cue   words that bring it / to mind
#   > Why, cost, context: prose, as many lines as it needs.
#   link  supersedes DEC-0000
#
# States: proposed, live, stale, superseded, retired. Content never changes, state does:
#   mneme add DEC "..." --topic area/part --cue "..."     a new cell
#   mneme supersede DEC-0001 "..."                        the belief changed: a new cell, the old one marked
#   mneme seen DEC-0001                                   checked: it still holds
"""

_CONFIG_HEAD = """\
# Configuration of mneme. Every key has a default; those that stand here as comments show theirs.

"""
_CONFIG_ALONE = """\
# How mneme add numbers cells: "sequential", or "random" for writers who cannot coordinate.
# ids = "sequential"

# Where mneme add puts a cell: one file a "project", "topic", "author" or "month".
{file_per}
"""
_CONFIG_TEAM = """\
# Random suffixes: two branches never take the same number.
ids = "random"

# One file a topic, author or month: people rarely add to the same file, so additions merge by themselves.
{file_per}
"""
_CONFIG_TAIL = """
# A live cell that nobody has confirmed for longer than this many days is due: verify it, or mark it stale.
# decay-days = 45

# Files that are no memory of this project, as patterns in the manner of .gitignore.
# extend-exclude = []

# Prefixes of your own, with what they mean.
# [prefixes]
# RISK = "something that may go wrong"
"""


class Started(NamedTuple):
    """What was written, what was there and left as it is (both as a person names them), and what else there is to say.

    ``snippet`` is what to add for the pre-commit framework; empty when it stands there.
    """

    written: tuple[str, ...]
    left: tuple[str, ...]
    notes: tuple[str, ...]
    snippet: str


def start(
    workspace: Workspace, *, file: Path | None = None, team: bool = False, file_per: str | None = None
) -> Started:
    """Write the memory file, the configuration and the ignore line, each unless it is there.

    Without ``file``, a memory file of any name that is there is the one.

    Raises:
        UsageError: ``file`` is no name for a shared memory file, or lies outside the workspace.
        EditError: something cannot be written; nothing was written then.
    """
    root = workspace.root
    memory = _memory(workspace) if file is None else _checked(workspace, file)
    layout = file_per or (TEAM_LAYOUT if team else "")
    written: list[Path] = []
    left: list[Path] = []
    notes: list[str] = []
    folders: list[Path] = []
    with locked(root), _all_or_none(written, folders):
        folders += _make(memory.parent)
        _write_unless_there(memory, MEMORY_HEADER, written, left)
        config = workspace.config.source
        if config is not None:
            left.append(config)
            notes += _missing_settings(workspace, config, team=team, layout=layout)
        else:
            _write_unless_there(root / CONFIG_FILE, config_text(team=team, layout=layout), written, left)
        ignore = root / ".gitignore"
        missing = [line for line, example in IGNORED.items() if not _ignores(ignore, example)]
        if not missing:
            left.append(ignore)
        else:
            data = _bytes(ignore)
            for line in missing:
                data = with_line(data, line)
            replace_file(ignore, data)
            lines = f"the line {missing[0]}" if len(missing) == 1 else f"the lines {' and '.join(missing)}"
            notes.append(f"added {lines} to {workspace.display(ignore)}")
    hook = "" if _has_hook(root / PRE_COMMIT_FILE) else PRE_COMMIT_HOOK
    return Started(tuple(map(workspace.display, written)), tuple(map(workspace.display, left)), tuple(notes), hook)


def config_text(*, team: bool, layout: str) -> str:
    """Return a configuration that says what is asked for and shows the other defaults as comments."""
    file_per = f'file-per = "{layout}"' if layout else f'# file-per = "{FILE_LAYOUTS[0]}"'
    middle = _CONFIG_TEAM if team else _CONFIG_ALONE
    return _CONFIG_HEAD + middle.format(file_per=file_per) + _CONFIG_TAIL


def _memory(workspace: Workspace) -> Path:
    """Return the shared memory file that new cells would go to, else the usual one."""
    usual = workspace.root / PROJECT_FILE
    there = workspace.files(personal=False, archive=False)
    if not there or os.path.lexists(usual):
        return usual
    return min(there, key=nearest_first)


def _checked(workspace: Workspace, file: Path) -> Path:
    name = workspace.display(file)
    if not file.name.endswith(MEMORY_SUFFIXES):
        raise UsageError(f"{name} is no memory file by its name", "it ends in .mneme")
    if is_personal(file):
        raise UsageError(f"{name} would be personal", "mneme add --personal makes that file when it is needed")
    folder = Path(os.path.normpath(file)).parent
    if folder != workspace.root and workspace.root not in folder.parents:
        raise UsageError(f"{name} is not in the workspace {workspace.root}", "run mneme init there: -C DIR")
    return file


@contextlib.contextmanager
def _all_or_none(written: list[Path], folders: list[Path]) -> Iterator[None]:
    """Take away the new files ``written``, and the ``folders`` made for them, when something else cannot be written."""
    try:
        yield
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        remove_folders(folders)
        raise


def _make(folder: Path) -> list[Path]:
    try:
        return make_folders(folder)
    except OSError as error:
        raise EditError(f"{folder}: {error.strerror}; nothing was written") from None


def _write_unless_there(path: Path, text: str, written: list[Path], left: list[Path]) -> None:
    if os.path.lexists(path):
        left.append(path)
        return
    write_new(path, text.encode("utf-8"))
    written.append(path)


def _missing_settings(workspace: Workspace, config: Path, *, team: bool, layout: str) -> list[str]:
    wanted = [] if not team or workspace.config.ids == "random" else ['ids = "random"']
    if layout and workspace.config.file_per != layout:
        wanted.append(f'file-per = "{layout}"')
    return [f"add to {workspace.display(config)}: {', '.join(wanted)}"] if wanted else []


def _ignores(path: Path, example: str) -> bool:
    return compiled(ignore_lines(_bytes(path))).match_file(example)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes() if os.path.lexists(path) else b""
    except FileNotFoundError:
        raise EditError(f"{path} is a link that leads nowhere; nothing was written", "remove it, or mend it") from None
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}; nothing was written") from None


def _has_hook(path: Path) -> bool:
    try:
        return b"mneme-lint" in path.read_bytes()
    except OSError:
        return False
