"""A full disk, what may not be written or entered, files that vanish: a message, exit 2, no change."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mneme.agents.place import Place
from mneme.agents.settings import Wanted
from mneme.agents.skill import Settings, install
from mneme.errors import EditError
from mneme.memory.draft import Draft
from tests.conftest import Runner, cell

Git = Callable[..., str]

VERBS = (
    ("add", "DEC", "A gist"),
    ("add", "DEC", "A gist", "--file", "memory/new.mneme"),
    ("supersede", "DEC-0001", "Another", "--file", "other.mneme"),
    ("seen", "DEC-0001", "FACT-0001"),
    ("retire", "DEC-0001"),
    ("fmt",),
    ("init", "--file", "start.mneme"),
)


def tree(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001").replace("gist  ", "gist "))
    (tmp_path / "other.mneme").write_text(cell("FACT-0001"))
    return tmp_path


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
@pytest.mark.parametrize("call", ["fsync", "open", "replace"])
def test_a_disk_that_is_full(
    project: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...], call: str
) -> None:
    before = tree(project)
    real = getattr(os, call)

    def full(*arguments: object, **options: object) -> object:
        if call == "fsync":
            raise OSError(errno.ENOSPC, "No space left on device")
        writing = call != "open" or (len(arguments) > 1 and int(str(arguments[1])) & os.O_CREAT)
        if writing:
            raise OSError(errno.ENOSPC, "No space left on device", *map(str, arguments[:1]), None, *arguments[1:2])
        return real(*arguments, **options)

    if call == "replace" and verb[0] == "init":  # it makes files by a link, and renames one
        monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(os, call, full)
    result = mneme(*verb)
    assert result.code == 2
    assert "No space left on device" in result.err
    assert ".tmp" not in result.err
    assert tree(project) == before
    assert not (project / "memory").exists()


@pytest.fixture
def plain_user(mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of one who is not root: permissions do not hold root back."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    work = folder / "work"
    work.mkdir()
    (work / "project.mneme").write_text(cell("DEC-0001"))
    for arguments in (
        ("seen", "DEC-0001"),
        ("spine",),
        ("lint", "--no-cache"),
        ("init", "-h"),
        ("fmt",),
        ("add", "DEC", "Own", "--personal"),
        ("nonsense",),
    ):
        mneme(*arguments, cwd=work)  # what they import may not be readable to others
    (work / "project.local.mneme").unlink()
    (work / "project.mneme").write_text(cell("DEC-0001"))
    if os.geteuid() == 0:
        for path in (folder, home, work, work / "project.mneme"):
            os.chown(path, 65534, 65534)
        os.seteuid(65534)
        yield work
        os.seteuid(0)
    else:
        yield work
    work.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb[0] not in ("supersede", "fmt")], ids=" ".join)
def test_a_folder_that_may_not_be_written(plain_user: Path, mneme: Runner, verb: tuple[str, ...]) -> None:
    plain_user.chmod(0o555)
    arguments = [argument for argument in verb if argument != "FACT-0001"]
    result = mneme(*arguments, cwd=plain_user)
    assert result.code == 2
    assert "Permission denied" in result.err
    assert ".tmp" not in result.err
    assert tree(plain_user) == {"project.mneme": cell("DEC-0001")}
    assert mneme("spine", cwd=plain_user).code == 0, "reading needs no lock"


def test_a_file_that_may_not_be_written(plain_user: Path, mneme: Runner) -> None:
    (plain_user / "project.mneme").chmod(0o444)
    result = mneme("seen", "DEC-0001", cwd=plain_user)
    assert result.code == 2
    assert "project.mneme: the file is read-only; nothing was written" in result.err
    assert tree(plain_user) == {"project.mneme": cell("DEC-0001")}


def test_settings_that_may_not_be_written_stop_the_installation(plain_user: Path) -> None:
    settings = Settings(plain_user / ".claude" / "settings.json", Wanted("spine", (), "startup", 20))
    settings.path.parent.mkdir()
    settings.path.write_text("{}")
    place = Place.below(plain_user / "skills")
    for path, mode, says in ((settings.path, 0o444, "the file is"), (settings.path.parent, 0o555, "its folder is")):
        path.chmod(mode)
        with pytest.raises(EditError, match=f"settings.json: {says} read-only; nothing was written"):
            install(place, {"SKILL.md": b"# Skill"}, settings)
        assert not place.folder.parent.exists()
        path.chmod(0o755)


def test_an_ignore_file_that_may_not_be_written(plain_user: Path, mneme: Runner) -> None:
    (plain_user / ".gitignore").write_text("*.o\n")
    (plain_user / ".gitignore").chmod(0o444)
    before = tree(plain_user)
    result = mneme("init", "--file", "start.mneme", cwd=plain_user)
    assert result.code == 2
    assert ".gitignore: the file is read-only; nothing was written" in result.err
    assert tree(plain_user) == before


def test_a_file_that_may_not_be_read(plain_user: Path, mneme: Runner) -> None:
    (plain_user / "secret.mneme").write_text(cell("DEC-0002"))
    (plain_user / "secret.mneme").chmod(0o000)
    result = mneme("add", "DEC", "A gist", cwd=plain_user)
    assert result.code == 2
    assert "secret.mneme: Permission denied" in result.err
    assert mneme("seen", "DEC-0001", cwd=plain_user).code == 0


@pytest.mark.parametrize("with_git", [False, True])
def test_a_folder_below_that_may_not_be_entered(plain_user: Path, mneme: Runner, git: Git, with_git: bool) -> None:
    folder = plain_user / "locked"
    folder.mkdir()
    (folder / "b.mneme").write_text(cell("DEC-0002"))
    if with_git:
        git("init", "-q", cwd=plain_user)
        git("add", "-A", cwd=plain_user)
    folder.chmod(0o000 if with_git else 0o644)  # outside of git, one that cannot be listed holds what nobody knows of
    try:
        for verb in (("lint", "--no-cache"), ("spine",), ("new-id", "DEC"), ("add", "DEC", "A gist")):
            result = mneme(*verb, cwd=plain_user)
            assert (result.code, "Permission denied" in result.out + result.err) == (2, True), verb
        folder.chmod(0o000)
        for verb in (("lint", "--no-cache", "locked"), ("lint", "--no-cache", "locked/b.mneme"), ("spine", "locked")):
            result = mneme(*verb, cwd=plain_user)
            assert (result.code, "Permission denied" in result.out + result.err) == (2, True), verb
        assert "no such file" in mneme("--config", "locked/mneme.toml", "lint", cwd=plain_user).err
        if with_git:
            assert mneme("diff", "locked/b.mneme", cwd=plain_user).code == 2
            result = mneme("lint", "--no-cache", "--repository", cwd=plain_user)
            assert (result.code, "locked/b.mneme" in result.out, "Permission denied" in result.out) == (2, True, True)
    finally:
        folder.chmod(0o755)


def test_a_home_that_may_not_be_entered(plain_user: Path, mneme: Runner) -> None:
    """As under sudo, or in a container whose HOME is root's."""
    home = Path(os.environ["HOME"])
    home.chmod(0o000)
    try:
        assert mneme("spine", cwd=plain_user).code == 0
        assert mneme("add", "DEC", "A gist", cwd=plain_user).code == 0
        for file in (home / ".mneme" / "user.mneme", home / "deep" / "x.mneme"):
            result = mneme("add", "DEC", "Another", "--file", file, cwd=plain_user)
            assert result.code == 2
            assert "Permission denied" in result.err
        result = mneme("lint", "--no-cache", home / "deep", cwd=plain_user)
        assert (result.code, "Permission denied" in result.out) == (2, True)
    finally:
        home.chmod(0o755)


@pytest.mark.parametrize("verb", VERBS[:5], ids=" ".join)
def test_a_file_that_vanishes(
    project: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    before = tree(project)
    (project / "memory").mkdir()
    (project / "memory" / "new.mneme").write_text(cell("TODO-0001"))
    read = Draft.read.__func__  # type: ignore[attr-defined]

    def and_somebody_else(cls: type[Draft], *arguments: object) -> Draft:
        draft = read(cls, *arguments)
        for name in ("project.mneme", "memory/new.mneme"):
            (project / name).unlink()
        return draft

    monkeypatch.setattr(Draft, "read", classmethod(and_somebody_else))
    result = mneme(*verb)
    assert result.code == 2
    assert "is gone since it was read; nothing was written" in result.err
    assert "run the command again" in result.err
    assert tree(project) == {"other.mneme": before["other.mneme"]}


def test_a_text_changed_by_an_editor_meanwhile(project: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Draft.changes

    def and_somebody_else(self: Draft) -> object:
        (project / "project.mneme").write_text("@ DEC-0001  by/hand\n")
        return real(self)

    monkeypatch.setattr(Draft, "changes", and_somebody_else)
    result = mneme("seen", "DEC-0001", "FACT-0001")
    assert result.code == 2
    assert "changed since it was read; nothing was written" in result.err
    assert tree(project) == {"project.mneme": "@ DEC-0001  by/hand\n", "other.mneme": cell("FACT-0001")}


def test_a_persons_folder_that_cannot_be_made(project: Path, mneme: Runner) -> None:
    (Path.home() / ".mneme").write_text("a file")
    result = mneme("add", "PREF", "A gist", "--file", "~/.mneme/user.mneme")
    assert result.code == 2
    assert "nothing was written" in result.err
