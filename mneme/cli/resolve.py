"""``mneme resolve``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import paths_argument
from mneme.cli.merging import merger_for
from mneme.errors import ExitCode, UnreadableFile

if TYPE_CHECKING:
    from pathlib import Path

    from mneme.cli.app import App
    from mneme.history.repo import Entry, Repository


@click.command("resolve")
@paths_argument
@click.pass_obj
def command(app: App, paths: tuple[str, ...]) -> ExitCode:
    """Merge by cell what git left in conflict, as the merge driver would have done.

    For merges that a forge or a clone without mneme install-git made. With no PATH: every memory file in conflict. The
    versions come from git's index, or from the conflict marks in the file where the index has none, or where somebody
    has begun to resolve it by hand. Nothing is staged: look at it, then git add. Exit code 1: conflicts are left.

    \b
    Example:
      git merge feature || mneme resolve
      mneme resolve project.mneme && git add project.mneme
    """
    import shlex

    from mneme.memory.merging import with_base_shown
    from mneme.memory.resolve import resolve
    from mneme.text.visible import visible

    repository, conflicts = _conflicts(app)
    files = {_real(app.cwd / name): name for name in paths} or {path: app.workspace.display(path) for path in conflicts}
    if not files:
        app.say("mneme: no memory file is in conflict")
    with_base = bool(files) and with_base_shown(app.cwd, app.environ)
    code = ExitCode.OK
    for path, name in files.items():
        shown = visible(name)
        try:
            done = resolve(
                path, name, conflicts.get(path), repository, lambda name=name: merger_for(app, name),  # type: ignore[misc]
                with_base=with_base,
            )  # fmt: skip
        except UnreadableFile as error:
            app.say(f"mneme: error: {error.message}", level=-9)
            code = ExitCode.UNUSABLE
            continue
        for note in done.notes:
            app.say(f"mneme: {shown}: {visible(note)}")
        if done.whole:
            app.say(f"mneme: {shown}: there are no conflict marks in it")
        elif done.refused:
            app.say(f"mneme: {shown}: {done.refused}", level=-9)
        elif done.left:
            places = "one place" if done.left == 1 else f"{done.left} places"
            app.say(f"mneme: {shown}: {places} to decide by hand, between the marks; then git add", level=-9)
        else:
            app.say(f"mneme: {shown}: merged by cell; git add {visible(shlex.quote(name))} when it is right")
        if (done.refused or done.left) and code is ExitCode.OK:
            code = ExitCode.FINDINGS
    return code


def _conflicts(app: App) -> tuple[Repository | None, dict[Path, dict[int, Entry]]]:
    """Return the repository and the files in conflict; nothing outside of git."""
    from mneme.workspace import git_top

    if git_top(app.cwd) is None and "GIT_DIR" not in app.environ:
        return None, {}
    from mneme.history.repo import Repository
    from mneme.memory.resolve import unmerged

    repository = Repository(app.cwd, app.environ)
    return repository, {_real(repository.top / path): entries for path, entries in unmerged(repository).items()}


def _real(path: Path) -> Path:
    """Return ``path`` by one name, whatever links lead to its folder."""
    return path.parent.resolve() / path.name
