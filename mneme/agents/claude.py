"""Claude Code: where its settings lie, and the entries that show it the spine at the start of a session.

The command stands on its own: it needs no activated environment, prints UTF-8, says in one line when it could not
print everything, and always succeeds, since a failing hook is shown to the person at every start.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mneme.agents.place import Place
from mneme.agents.settings import Wanted
from mneme.agents.skill import ARCHIVE, Settings
from mneme.errors import UsageError
from mneme.text.files import real_path

MATCHER = "startup|resume|clear|compact"
TIMEOUT = 20  # seconds
MAX_BYTES = 8000  # the host cuts what is longer than about 10,000 characters
SPINE = f"spine --format markdown --max-bytes {MAX_BYTES}"
READING = (
    "spine", "show", "why", "find", "history", "at", "blame", "diff", "conflicts", "check-evidence", "rule", "new-id",
    "recall", "search", "related", "status", "log", "receipt", "brief",
)  # fmt: skip
"""Commands that change no file of the project, whatever their options (``new-id --remote`` fetches)."""

CONFIG_VARIABLE = "CLAUDE_CONFIG_DIR"
PROJECT = (
    '"${CLAUDE_PROJECT_DIR:-.}"'  # hosts that read the same file without setting the variable start in the project
)


@dataclass(frozen=True)
class Scope:
    """One settings file: everybody's of a project (``root``), or one person's (``root`` is None)."""

    folder: Path
    root: Path | None
    home: Path | None

    @classmethod
    def of_person(cls, home: Path | None, environ: Mapping[str, str]) -> Scope:
        """Return the scope of all of a person's projects.

        Raises:
            UsageError: there is no home folder.
        """
        named = environ.get(CONFIG_VARIABLE)
        if named:
            # A shell leaves a quoted ~ as it is, and nobody means a folder of that name.
            folder = home / named[2:].lstrip("/") if home and named.partition("/")[0] == "~" else Path(named)
            return cls(folder.absolute(), None, home)
        if home is None:
            raise UsageError("there is no home folder", f"set {CONFIG_VARIABLE}, or install with --project")
        return cls(home / ".claude", None, home)

    @classmethod
    def of_project(cls, root: Path, home: Path | None, environ: Mapping[str, str]) -> Scope:
        """Return the scope of the project in ``root``; the person's own when that is the same folder."""
        folder = root / ".claude"
        if home is not None or environ.get(CONFIG_VARIABLE):
            person = cls.of_person(home, environ)
            if person.folder.resolve() == folder.resolve():
                return person
        return cls(folder, root, home)

    @classmethod
    def around(cls, place: Place, root: Path, home: Path | None, environ: Mapping[str, str]) -> Scope:
        """Return the scope that ``place`` lies in: the person's, else that of the project in ``root``."""
        if home is not None or environ.get(CONFIG_VARIABLE):
            person = cls.of_person(home, environ)
            if place.named.is_relative_to(person.folder):
                return person
        return cls.of_project(root, home, environ)

    @property
    def skills(self) -> Path:
        """Where skills are found."""
        return self.folder / "skills"

    def settings(self, place: Place, interpreter: str) -> Settings:
        """Return the settings file with the entries for the skill at ``place``; a person's run ``interpreter``.

        Raises:
            UsageError: the skill lies outside the project, whose settings may not name this machine's folders.
        """
        if self.root is not None:
            inside = shlex.quote(_inside(place.named, self.root) + f"/{ARCHIVE}")
            tool, shown, named = f"python3 -X utf8 {PROJECT}/{inside}", [f"python3 {inside}"], inside
        else:
            archive = place.named / ARCHIVE
            run = shlex.quote(Path(interpreter).as_posix())
            path = shlex.quote(archive.as_posix())
            tool, shown, named = f"{run} -X utf8 {path}", [f"python3 {path}"], path
            if self.home is not None and path == archive.as_posix() and archive.is_relative_to(self.home):
                shown.append(f"python3 ~/{archive.relative_to(self.home).as_posix()}")  # as an agent may type it
        settings = self.folder / "settings.json"
        return Settings(settings, _wanted(tool, shown, named), self._is_own(place, settings))

    def _is_own(self, place: Place, settings: Path) -> bool:
        """Whether skill and settings are one owner's: a project's manifest has no say on what a person wrote."""
        if self.root is None:
            return any(path.is_relative_to(self.folder.absolute()) for path in (place.named, place.folder))
        return real_path(settings).is_relative_to(self.root.resolve())

    def is_shown_twice(self, cwd: Path, environ: Mapping[str, str]) -> bool:
        """Whether both the project around ``cwd`` and the person have settings that show the spine."""
        files = {Scope.of_project(project_root(cwd), self.home, environ).folder.resolve()}
        if self.home is not None or environ.get(CONFIG_VARIABLE):
            files.add(Scope.of_person(self.home, environ).folder.resolve())
        return len(files) == 2 and all(_shows_spine(folder / "settings.json") for folder in files)


def project_root(cwd: Path) -> Path:
    """Return the folder whose ``.claude`` is the project's: the nearest upward that has one, else the work tree's top.

    Outside a work tree it is ``cwd``: a folder further up may be anything.
    """
    parents = (cwd, *cwd.parents)
    top = next((folder for folder in parents if (folder / ".git").exists()), cwd)
    below = parents[: parents.index(top) + 1]
    return next((folder for folder in below if (folder / ".claude").is_dir()), top)


def _wanted(tool: str, shown: list[str], named: str) -> Wanted:
    note = f"mneme: the project memory could not be shown in full; this says why: {shown[0]} lint"
    most = MAX_BYTES + len(note.encode()) + 1  # the spine keeps its own limit; the note has room after a full one
    command = f"{{ {tool} -C {PROJECT} {SPINE} 2>/dev/null || echo {shlex.quote(note)}; }} | head -c {most}"
    rules = [f"Bash({run} {name}:*)" for run in ("mneme", *shown) for name in READING]
    # Options of lint write; without any it only reads.
    rules += [f"Bash({run} lint)" for run in ("mneme", *shown)]
    return Wanted(command, tuple(rules), MATCHER, TIMEOUT, named)


def _shows_spine(settings: Path) -> bool:
    try:
        return SPINE in settings.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _inside(path: Path, root: Path) -> str:
    for one, other in ((path, root), (path.parent.resolve() / path.name, root.resolve())):
        if one.is_relative_to(other):
            return one.relative_to(other).as_posix()
    raise UsageError(
        f"{path} lies outside the project {root}, whose settings must hold on every machine",
        "choose a folder inside the project, or --global",
    )
