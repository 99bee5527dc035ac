"""The skill's folder: put in place, brought up to date, taken away again, with the settings that belong to it.

Everything is looked at before anything is written. A file is replaced or removed only while it is what we wrote.
"""

from __future__ import annotations

import importlib.resources
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path

from mneme.agents.manifest import MANIFEST, Manifest, digest, load
from mneme.agents.place import NAME, Place, own_path, relative
from mneme.agents.settings import Record, Wanted, changed_commands, is_strict, put_in, recognised, take_out
from mneme.errors import EditError, UsageError
from mneme.text.files import make_folders, refuse_unwritable, remove_folders, sweep
from mneme.text.source import Source, read_source
from mneme.text.visible import visible
from mneme.text.write import locked, replace_file, write_sources

ARCHIVE = "scripts/mneme.pyz"
EXECUTABLE = (ARCHIVE, "scripts/mneme_tool.py")


@dataclass(frozen=True)
class Settings:
    """A host's settings file and the entries it is to have.

    ``trusting``: whether the manifest of the skill's folder is written by those who may write these settings, so that
    its word counts on what to take out of them.
    """

    path: Path
    wanted: Wanted
    trusting: bool = True

    def key(self, place: Place) -> str:
        """Return the name that the manifest of ``place`` has for the file."""
        return relative(own_path(self.path), place.folder)

    def record(self, place: Place, manifest: Manifest) -> Record | None:
        """Return what the manifest says was put in, if that counts."""
        return manifest.uses.get(place.use, {}).get(self.key(place)) if self.trusting else None


@dataclass
class Outcome:
    """What was done, file by file.

    ``kept`` were changed by somebody and stay; ``users`` are the names under which the folder is still in use;
    ``changed`` are commands in the settings that were ours before somebody changed them, and stay;
    ``elsewhere`` are further settings that the manifest names, which are left alone; ``lenient`` are settings that are
    not strict JSON.
    """

    written: list[Path] = field(default_factory=list)
    removed: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    lenient: Path | None = None


def skill_files(archive: bytes) -> dict[str, bytes]:
    """Return the files of the skill's folder by relative path, ``archive`` being the one-file tool."""
    files = dict(_walk(importlib.resources.files("mneme.skills") / NAME, ""))
    return {**files, ARCHIVE: archive}


def skill_text(language: str = "en") -> str:
    """Return SKILL.md, or its translation."""
    name = "SKILL.md" if language == "en" else f"reference/SKILL.{language}.md"
    return (importlib.resources.files("mneme.skills") / NAME / name).read_text(encoding="utf-8")


def pasted_text(language: str = "en") -> str:
    """Return the skill's text as it reads in another file: without front matter, and without what stands beside it.

    A line with a link to a file of the skill's folder is left out, and a heading that then has nothing below.
    """
    text = re.sub(r"\A---\n.*?^---\n", "", skill_text(language), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^.*\]\((?!\w+:)[^)]*\).*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^#+ .*\n\s*(?=^#|\Z)", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for child in sorted(folder.iterdir(), key=lambda child: child.name):
        if child.name.startswith((".", "__pycache__")) or child.name.endswith((".pyc", ".pyz")):
            continue
        if child.is_dir():
            yield from _walk(child, f"{prefix}{child.name}/")
        else:
            yield f"{prefix}{child.name}", child.read_bytes()


def install(place: Place, files: Mapping[str, bytes], settings: Settings | None = None) -> Outcome:
    """Make the folder hold ``files``, and the settings their entries; what is right already is not written.

    Raises:
        UsageError: a file is there that we did not write, or that somebody changed since; nothing was written.
        UnreadableFile, ConfigError: the settings or the manifest cannot be understood; nothing was written.
        EditError: something cannot be written.
    """
    folders = [place.folder, *([own_path(settings.path).parent] if settings else [])]
    made: list[Path] = []
    try:
        for folder in folders:
            made[:0] = _make(folder)
        with locked(*folders):
            manifest = load(place.folder) or Manifest()
            _refuse_foreign(place, files, manifest)
            change = _settings_change(place, settings, manifest) if settings else None
            _sweep(place, [*files, *manifest.files], settings)
            return _write(place, files, manifest, made, change)
    except BaseException:
        remove_folders(made)
        raise


def _make(folder: Path) -> list[Path]:
    try:
        return make_folders(folder)
    except OSError as error:
        raise EditError(f"{error.filename or folder}: {error.strerror}; nothing was written") from None


def _refuse_foreign(place: Place, files: Mapping[str, bytes], manifest: Manifest) -> None:
    foreign = []
    for name, data in files.items():
        path = place.folder / name
        if not _is_below(path, place.folder):
            foreign.append(name)
            continue
        if not os.path.lexists(path):
            continue
        content = _content(path)
        found = None if content is None else digest(content)
        if found != digest(data) and (found is None or path.is_symlink() or found != manifest.files.get(name)):
            foreign.append(name)
    if foreign:
        raise UsageError(
            f"{place.named}: not written by mneme, or changed since: {', '.join(foreign)}; nothing was written",
            "move them away (or delete them) and run the command again",
        )


@dataclass(frozen=True)
class _Change:
    path: Path
    key: str
    source: Source | None
    text: str
    record: Record
    changed: list[str]


def _settings_change(place: Place, settings: Settings, manifest: Manifest) -> _Change:
    path = own_path(settings.path)
    source = read_source(path, str(settings.path)) if os.path.lexists(path) else None
    record = settings.record(place, manifest)
    text, record = put_in(source.text if source else None, settings.wanted, record, str(settings.path))
    if source is None or text != source.text:
        try:
            refuse_unwritable(path)
        except OSError as error:
            raise EditError(f"{settings.path}: {error.strerror}; nothing was written") from None
    changed = changed_commands(text, settings.wanted, str(settings.path))
    return _Change(path, settings.key(place), source, text, record, changed)


def _write(
    place: Place, files: Mapping[str, bytes], manifest: Manifest, made: list[Path], change: _Change | None
) -> Outcome:
    outcome = Outcome()
    for name in sorted(manifest.files.keys() - files.keys()):
        _remove_ours(place, name, manifest, outcome)
    # Known as ours before it is written: an interrupted installation can be repeated or removed.
    manifest.files = {name: digest(data) for name, data in files.items()}
    parents = {place.folder.joinpath(name).parent for name in files}
    made[:0] = [folder for parent in sorted(parents) for folder in _make(parent)]
    manifest.folders = list(dict.fromkeys([*(relative(folder, place.folder) for folder in made), *manifest.folders]))
    use = manifest.uses.setdefault(place.use, {})
    if change is not None:
        use[change.key] = change.record
    _put(place.folder / MANIFEST, manifest.dump(), Outcome())
    for name, data in files.items():
        _put(place.folder / name, data, outcome, executable=name in EXECUTABLE)
    if change is not None:
        outcome.changed = change.changed
    if change is not None and not is_strict(change.text):
        outcome.lenient = change.path
    if change is not None and (change.source is None or change.text != change.source.text):
        write_sources(change.path.parent, {change.path: (change.source, change.text)})
        outcome.written.append(change.path)
    return outcome


def _put(path: Path, data: bytes, outcome: Outcome, *, executable: bool = False) -> None:
    if _content(path) == data:
        return
    replace_file(path, data)
    if executable:
        mode = path.stat().st_mode
        path.chmod(mode | (mode & 0o444) >> 2)
    outcome.written.append(path)


def uninstall(place: Place, settings: Settings | None = None) -> Outcome:
    """Take away what :func:`install` brought: entries in ``settings``, files that nobody changed, folders left empty.

    No other settings are touched, whatever the manifest names. While the folder is still used by another name (a link
    to it), only this name's settings entries go.

    Raises:
        UsageError: the folder was installed under other names only.
        UnreadableFile, ConfigError: the settings or the manifest cannot be understood; nothing was removed.
        EditError: something cannot be removed.
    """
    installed = load(place.folder)
    manifest = installed or Manifest()
    outcome = Outcome()
    if manifest.uses and place.use not in manifest.uses:
        names = visible(", ".join(os.path.normpath(place.folder / use) for use in manifest.uses))
        raise UsageError(
            f"{place.named} is {place.folder}, which was installed as {names}; nothing was removed",
            "uninstall it under that name",
        )
    path = own_path(settings.path) if settings and os.path.lexists(settings.path) else None
    folders = [*([place.folder] if installed else []), *([path.parent] if path else [])]
    with locked(*folders):
        if settings and path:
            source = read_source(path)
            record = settings.record(place, manifest) or recognised(source.text, settings.wanted, source.name)
            text = take_out(source.text, record, source.name)
            _write_settings(path, source, text, outcome)
            outcome.changed = changed_commands(text, settings.wanted, source.name) if text else []
        others = manifest.uses.pop(place.use, {}).keys() - ({settings.key(place)} if settings else set())
        outcome.elsewhere = [os.path.normpath(place.folder / key) for key in sorted(others)]
        if manifest.uses:
            outcome.users = [os.path.normpath(place.folder / use) for use in manifest.uses]
            _put(place.folder / MANIFEST, manifest.dump(), Outcome())
            return outcome
        _sweep(place, list(manifest.files), settings)
        for name in sorted(manifest.files):
            _remove_ours(place, name, manifest, outcome)
        if installed:
            _unlink(place.folder / MANIFEST)
    remove_made(place, manifest.folders, settings)
    return outcome


def _sweep(place: Place, names: list[str], settings: Settings | None) -> None:
    """Remove the temporary files that a killed installation left; the folders of skill and settings are locked."""
    paths = [path for path in (place.folder / name for name in [MANIFEST, *names]) if _is_below(path, place.folder)]
    sweep({path.parent for path in paths}, tuple({path.name for path in paths}))
    if settings is not None:
        sweep([own_path(settings.path).parent], (settings.path.name,))


def remove_made(place: Place, names: list[str], settings: Settings | None) -> None:
    """Remove of the folders ``names`` those that are empty, and can have been made for the skill or its settings."""
    kept = own_path(settings.path).parent if settings else place.folder
    for name in names:
        folder = Path(os.path.normpath(place.folder / name))
        if place.folder.is_relative_to(folder) or kept.is_relative_to(folder) or _is_below(folder, place.folder):
            remove_folders([folder])


def _is_below(path: Path, folder: Path) -> bool:
    """Whether ``path`` lies in ``folder``, also when the links on the way to it are followed."""
    return path.is_relative_to(folder) and path.parent.resolve().is_relative_to(folder)


def _write_settings(path: Path, source: Source, text: str | None, outcome: Outcome) -> None:
    if text is None:
        _unlink(path)
        outcome.removed.append(path)
    elif text != source.text:
        write_sources(path.parent, {path: (source, text)})
        outcome.written.append(path)


def _remove_ours(place: Place, name: str, manifest: Manifest, outcome: Outcome) -> None:
    path = place.folder / name
    if not os.path.lexists(path) or not _is_below(path, place.folder):
        return
    content = None if path.is_symlink() else _content(path)
    if content is None or digest(content) != manifest.files[name]:
        outcome.kept.append(path)
        return
    _unlink(path)
    outcome.removed.append(path)


def _content(path: Path) -> bytes | None:
    """Return what is in the file; None when there is no file."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}") from None


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}") from None
