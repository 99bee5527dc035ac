"""Installing our git hooks beside whatever is there, and taking away exactly ours."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mneme.history.hook_reading import goes_by_name, is_lefthook, runs_our_line, runs_pre_commit
from mneme.history.hook_script import (
    FRAMEWORK,
    HOOKS,
    LINT,
    SAVED,
    Launcher,
    is_intact,
    is_ours,
    line_to_add,
    made_folder,
    render,
)
from mneme.history.repo import GitError, Repository
from mneme.text.lock import held

_TEMPORARY = ".mneme-"
"""What the name of a script that is being written ends with, before the number of the process."""

_FRAMEWORK_MOVES, _LEFTHOOK_MOVES = ".legacy", ".old"
"""Endings of the names to which these tools move a hook of ours. Only the first one is still run."""

_LEFTHOOK_ENDINGS = (".yml", ".yaml", ".toml", ".json", ".jsonc", "-local.yml", "-local.yaml")


@dataclass
class Outcome:
    """What was done, as sentences; the line a person must add, if any; whether commits are guarded now."""

    said: list[str] = field(default_factory=list)
    line: str = ""
    guarded: bool = True


def install(repository: Repository, launcher: Launcher) -> Outcome:
    """Write our hooks, keep and chain to hooks that exist; doing it twice changes nothing.

    Where hooks live in a folder that is not this repository's own (``core.hooksPath``), nothing is written: the
    outcome has the line to add there.

    Raises:
        GitError: no repository, a bare one, or something stands where it cannot be handled; nothing was written.
        MnemeError: the launcher does not start.
    """
    launcher.check(repository.common_dir)
    if _lives_elsewhere(repository):
        return _by_hand(repository, launcher)
    with _alone(repository):
        return _install(repository, launcher)


@contextlib.contextmanager
def _alone(repository: Repository) -> Iterator[None]:
    """Let nobody else install meanwhile (linked worktrees share the hooks), and tell what the system refuses."""
    with held([repository.common_dir]):
        try:
            _sweep(repository.default_hooks_dir)
            yield
        except OSError as error:
            place = error.filename or repository.default_hooks_dir
            raise GitError(
                f"{place}: {error.strerror}: the hooks could not be changed", "make that place writable, then try again"
            ) from None


def _sweep(folder: Path) -> None:
    """Remove what an install that was killed left behind; no other one runs now."""
    for hook in HOOKS:
        for stray in folder.glob(f".{hook}*{_TEMPORARY}*"):
            if stray.name.rpartition(_TEMPORARY)[2].isdigit():
                stray.unlink()


def _install(repository: Repository, launcher: Launcher) -> Outcome:
    folder = repository.default_hooks_dir
    made = not folder.is_dir()
    if made and os.path.lexists(folder):
        raise GitError(f"{folder} is no folder; nothing was written", "move it away")
    if any(is_lefthook(_bytes(folder / hook)) for hook in HOOKS):
        return _by_lefthook(repository.top)
    plan = [step for hook in HOOKS if (step := _Step.plan(folder, hook)) is not None]
    for step in plan:
        if step.moves and goes_by_name(_bytes(step.path)):
            return Outcome(
                [
                    f"{step.path} may go by its own file name, so it is not kept under another: nothing was written",
                    "make it run this line:",
                ],
                line_to_add(launcher),
                guarded=False,
            )
    folder.mkdir(parents=True, exist_ok=True)
    outcome = Outcome()
    changed = [step.carry_out(launcher, made=made) for step in plan]
    places = {step.hook: step.path for step in plan}
    paths = ", ".join(str(places.get(hook, folder / hook)) for hook in HOOKS)
    outcome.said.append(f"commits are guarded by {paths}" if any(changed) else f"already installed: {paths}")
    outcome.said += [_about_saved(step) for step in plan if step.keeps]
    if (repository.top / ".pre-commit-config.yaml").exists():
        outcome.said.append("this guards one clone; the hook mneme-lint in .pre-commit-config.yaml guards everybody's")
    return outcome


def uninstall(repository: Repository) -> Outcome:
    """Take away our hooks, and put back what stood there, byte for byte.

    Raises:
        GitError: no repository, or a hook of ours was edited by hand; nothing was changed.
    """
    with _alone(repository):
        return _uninstall(repository)


def _uninstall(repository: Repository) -> Outcome:
    outcome = Outcome()
    folder = repository.default_hooks_dir
    ours = [
        (place, folder / f"{hook}{SAVED}")
        for hook in HOOKS
        for place in (*_places(folder, hook), folder / f"{hook}{_LEFTHOOK_MOVES}")
        if _is_ours(place)
    ]
    for place, _ in ours:
        _refuse_edited(place)
    was_made = any(made_folder(_bytes(place)) for place, _ in ours)
    for place, saved in ours:
        if not os.path.lexists(saved):
            place.unlink()
            outcome.said.append(f"removed {place}")
        elif _is_moved(place) and (FRAMEWORK.encode() in _bytes(saved) or is_lefthook(_bytes(saved))):
            place.unlink()  # their own script has taken our place; a second one would call the first
            saved.unlink()
            outcome.said.append(f"removed {place}")
        else:
            saved.replace(place)
            outcome.said.append(f"put back the hook that stood at {place}")
    for hook in HOOKS:
        path, saved = folder / hook, folder / f"{hook}{SAVED}"
        if os.path.lexists(saved) and not os.path.lexists(path):  # our script was deleted by hand
            saved.rename(path)
            outcome.said.append(f"put back the hook that stood at {path}")
    if was_made and not any(folder.iterdir()):
        folder.rmdir()
    if not outcome.said:
        outcome.said.append("no hook of ours is installed here")
    outcome.said += [
        f"{saved} is a hook that was kept for {hook}; what stands there now is not ours, so both were left alone"
        for hook in HOOKS
        if os.path.lexists(saved := folder / f"{hook}{SAVED}")
    ]
    elsewhere = repository.hooks_dir
    outcome.said += [
        f"take the line with {LINT!r} out of {path}"
        for hook in HOOKS
        for path in dict.fromkeys((folder / hook, elsewhere / hook, elsewhere.parent / hook))
        if not is_ours(_bytes(path)) and runs_our_line(_bytes(path))
    ]
    return outcome


@dataclass(frozen=True)
class _Step:
    """One hook to write at ``path``; what stands there is kept as ``saved`` first when ``moves``.

    ``finds``: a hook is kept there already, and our script that ran it is gone.
    """

    hook: str
    path: Path
    saved: Path
    moves: bool
    finds: bool = False

    @classmethod
    def plan(cls, folder: Path, hook: str) -> _Step | None:
        """Return what to do for ``hook``; None when another hook covers it."""
        saved = folder / f"{hook}{SAVED}"
        for place in _places(folder, hook):
            if _is_ours(place):
                _refuse_edited(place)
                return cls(hook, place, saved, moves=False)
        path = folder / hook
        if not os.path.lexists(path):
            return cls(hook, path, saved, moves=False, finds=os.path.lexists(saved))
        if path.is_dir():
            raise GitError(f"{path} is a folder; nothing was written", "move it away")
        if os.access(path, os.X_OK) and _guards(path, hook):
            return None
        if os.path.lexists(saved) and not _same(path, saved):
            raise GitError(
                f"{path} and {saved} both exist, and neither is ours; nothing was written", "keep one of them"
            )
        return cls(hook, path, saved, moves=True)

    @property
    def keeps(self) -> bool:
        """Whether a hook of others is kept."""
        return self.moves or self.finds

    def carry_out(self, launcher: Launcher, *, made: bool) -> bool:
        """Write the hook; returns whether anything changed. At no moment is there no hook at all."""
        before = b"" if self.moves else _bytes(self.path)
        script = render(self.hook, launcher, made_folder=made or made_folder(before))
        if before == script:
            return False
        temporary = self.path.with_name(f".{self.path.name}{_TEMPORARY}{os.getpid()}")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o777)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(script)
            if self.moves:
                _keep(self.path, self.saved)
            temporary.replace(self.path)
        finally:
            temporary.unlink(missing_ok=True)
        return True


def _guards(path: Path, hook: str) -> bool:
    """Whether a hook of others runs our line, or the hook that does."""
    if hook == HOOKS[0]:
        return runs_our_line(_bytes(path))
    first = path.with_name(HOOKS[0])
    is_first = path.is_symlink() and first.exists() and path.samefile(first)  # whatever will stand there
    return is_first or runs_our_line(_bytes(path)) or runs_pre_commit(_bytes(path))


def _is_ours(path: Path) -> bool:
    """Whether a script of ours stands there; a link to one is somebody else's."""
    return not path.is_symlink() and is_ours(_bytes(path))


def _is_moved(place: Path) -> bool:
    return place.suffix in (_FRAMEWORK_MOVES, _LEFTHOOK_MOVES)


def _places(folder: Path, hook: str) -> tuple[Path, Path]:
    """Return where a hook of ours may stand: in its place, or where the pre-commit framework moved it."""
    return folder / hook, folder / f"{hook}{_FRAMEWORK_MOVES}"


def _keep(path: Path, saved: Path) -> None:
    """Keep the hook at ``path`` under the name ``saved``; never over a hook that is kept already."""
    if _same(path, saved):
        return
    if os.path.lexists(saved) or _is_ours(path):
        raise GitError(f"{path} has just been changed by another program", "run the command again")
    try:
        os.link(path, saved, follow_symlinks=False)
    except FileExistsError:
        raise GitError(f"{saved} has just been written by another program", "run the command again") from None
    except (OSError, NotImplementedError):  # no hard links here
        path.rename(saved)


def _same(one: Path, other: Path) -> bool:
    return os.path.lexists(other) and os.path.samestat(one.lstat(), other.lstat())


def _refuse_edited(path: Path) -> None:
    if not is_intact(_bytes(path)):
        raise GitError(
            f"{path} is ours and was edited by hand; nothing was changed",
            "put your own lines elsewhere, delete that file, and run the command again",
        )


def _about_saved(step: _Step) -> str:
    if os.access(step.saved, os.X_OK):
        return f"the {step.hook} hook that stood there runs first, as {step.saved.name}"
    return f"the {step.hook} hook that stood there is kept as {step.saved.name}; it is not executable, and does not run"


def _lives_elsewhere(repository: Repository) -> bool:
    """Whether git takes hooks from a folder that others may share."""
    folder, default = repository.hooks_dir, repository.default_hooks_dir
    return default.is_symlink() or os.path.realpath(folder) != os.path.realpath(default)


def _by_hand(repository: Repository, launcher: Launcher) -> Outcome:
    folder, top = repository.hooks_dir, repository.top
    husky = folder.name == "_" and folder.parent.name == ".husky"  # its own scripts run those beside the folder
    path = (folder.parent if husky else folder) / HOOKS[0]
    asleep = not (husky or os.access(path, os.X_OK))
    if runs_our_line(_bytes(path)):
        if not asleep:
            return Outcome([f"already installed: {path} runs mneme {LINT}"])
        return Outcome([f"{path} has the line, but is not executable: git does not run it"], guarded=False)
    if os.path.lexists(folder) and not folder.is_dir():
        what = "empty or the null device" if folder == Path(os.devnull) else f"{folder}, which is no folder"
        said = f"core.hooksPath is {what}: git runs no hook here, and nothing was written"
        return Outcome([said, "git config --unset core.hooksPath lets hooks run; then run this again"], guarded=False)
    shared = folder == top or top in folder.parents  # in the work tree: others have other interpreters
    how = "" if husky else ", executable"
    return Outcome(
        [
            f"git takes hooks from {folder}, which may serve others too: nothing was written",
            f"add this line to {path} and, for merges, to {HOOKS[1]} (new ones start with #!/bin/sh{how}):",
        ],
        line_to_add(None if shared else launcher),
        guarded=False,
    )


def _by_lefthook(top: Path) -> Outcome:
    """Lefthook keeps no hook beside its own: our line belongs into its configuration."""
    names = [f"{start}lefthook{end}" for start in ("", ".", ".config/") for end in _LEFTHOOK_ENDINGS]
    found = [path for name in names if (path := top / name).is_file()]
    for path in found:
        if runs_our_line(_bytes(path)):
            return Outcome([f"already installed: {path} runs mneme {LINT}"])
    path = found[0] if found else top / "lefthook.yml"
    return Outcome(
        [
            "lefthook writes the hooks here, and moves others out of the way: nothing was written",
            f"make {path} run this under pre-commit and pre-merge-commit (commands: mneme: run: ...):",
        ],
        f"mneme {LINT}",
        guarded=False,
    )


def _bytes(path: Path) -> bytes:
    """Return a hook's bytes; nothing for what is no file."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
