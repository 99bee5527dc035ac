"""Which files a command sees."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.config import load_config
from mneme.errors import ConfigError
from mneme.workspace import Workspace
from tests.conftest import cell

Git = Callable[..., str]


def write(root: Path, *names: str) -> None:
    for number, name in enumerate(names, 1):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(cell(f"DEC-{number:04d}"), encoding="utf-8")


def names(workspace: Workspace) -> list[str]:
    return [workspace.display(path) for path in workspace.files()]


def test_the_nearest_configuration_upward_is_the_root(tmp_path: Path) -> None:
    (tmp_path / "mneme.toml").write_text("")
    (tmp_path / "a/b").mkdir(parents=True)
    assert Workspace.find(tmp_path / "a/b").root == tmp_path
    (tmp_path / "a/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert Workspace.find(tmp_path / "a/b").root == tmp_path
    (tmp_path / "a/pyproject.toml").write_text("[tool.mneme]\n")
    assert Workspace.find(tmp_path / "a/b").root == tmp_path / "a"


def test_without_configuration_gits_top_level_is(tmp_path: Path, git: Git) -> None:
    (tmp_path / "repo/deep").mkdir(parents=True)
    assert Workspace.find(tmp_path / "repo/deep").root == tmp_path / "repo/deep"
    git("init", "-q", cwd=tmp_path / "repo")
    assert Workspace.find(tmp_path / "repo/deep").root == tmp_path / "repo"


def test_a_folder_with_its_own_configuration_is_another_workspace(tmp_path: Path) -> None:
    write(tmp_path, "a.mneme", "sub/b.mneme", "sub/deep/c.mneme")
    (tmp_path / "mneme.toml").write_text("")
    (tmp_path / "sub/mneme.toml").write_text("")
    assert names(Workspace.find(tmp_path)) == ["a.mneme"]


@pytest.mark.parametrize("with_git", [True, False])
def test_gitignore_is_honoured_but_not_for_personal_files(tmp_path: Path, git: Git, with_git: bool) -> None:
    if with_git:
        git("init", "-q")
    write(tmp_path, "a.mneme", "ignored.mneme", "x/skip/b.mneme", "me.local.mneme", "x/me.local.mneme", "kept/c.mn")
    (tmp_path / ".gitignore").write_text("ignored.mneme\nskip/\n*.local.mneme\n")
    assert names(Workspace.find(tmp_path)) == ["a.mneme", "kept/c.mn", "me.local.mneme", "x/me.local.mneme"]


@pytest.mark.parametrize("kind", ["broken link", "pipe", "folder", "no patterns", "no UTF-8"])
def test_an_ignore_file_that_says_nothing_stops_nothing(tmp_path: Path, kind: str) -> None:
    (tmp_path / "kept.mneme").touch()
    (tmp_path / "skipped.mneme").touch()
    path = tmp_path / ".gitignore"
    if kind == "broken link":
        path.symlink_to("nowhere")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "no patterns":
        path.write_text("\\\n!\n[z-a]\nskipped.mneme\n")
    else:
        path.write_bytes(b"\xef\xbb\xbfskipped.mneme\r\n\xff\n")
    expected = ["kept.mneme"] if kind.startswith("no") else ["kept.mneme", "skipped.mneme"]
    assert [file.name for file in Workspace.find(tmp_path).files()] == expected


def test_the_users_own_file_comes_last(tmp_path: Path) -> None:
    write(tmp_path, "home/.mneme/user.mneme", "work/a.mneme")
    workspace = Workspace.find(tmp_path / "work", home=tmp_path / "home")
    assert [path.name for path in workspace.files()] == ["a.mneme", "user.mneme"]
    assert [path.name for path in workspace.files(personal=False)] == ["a.mneme"]


def test_include_and_exclude(tmp_path: Path) -> None:
    write(tmp_path, "a.mneme", "docs/b.mneme", "old/c.mneme", "node_modules/d.mneme", "notes.txt")
    (tmp_path / "mneme.toml").write_text('extend-exclude = ["old/"]\n')
    assert names(Workspace.find(tmp_path)) == ["a.mneme", "docs/b.mneme"]
    (tmp_path / "mneme.toml").write_text('include = ["docs/*.mneme"]\n')
    assert names(Workspace.find(tmp_path)) == ["docs/b.mneme"]


def test_a_deleted_tracked_file_is_not_seen(tmp_path: Path, git: Git) -> None:
    write(tmp_path, "a.mneme", "b.mneme")
    git("init", "-q")
    git("add", "-A")
    (tmp_path / "b.mneme").unlink()
    assert names(Workspace.find(tmp_path)) == ["a.mneme"]


def test_names_in_any_script(tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    write(tmp_path, "记忆 库/项目.mneme", "naïve café.mneme", "line\nbreak.mneme")
    assert sorted(names(Workspace.find(tmp_path))) == ["line\nbreak.mneme", "naïve café.mneme", "记忆 库/项目.mneme"]


def test_named_files_are_the_whole_world(tmp_path: Path) -> None:
    write(tmp_path, "a.mneme", "b.txt", "d.mneme/in.mneme", "d.mneme/me.local.mneme")
    workspace = Workspace.find(tmp_path)
    assert [file.source.name for file in workspace.world(["b.txt"]).files] == ["b.txt"]
    inside = workspace.world(["d.mneme"]).files
    assert [file.source.name for file in inside] == ["d.mneme/in.mneme", "d.mneme/me.local.mneme"]
    world = workspace.world(["no.mneme", "a.mneme", "a.mneme", "-"], stdin=b"@ DEC-9  x\n")
    assert [file.source.name for file in world.files] == ["a.mneme", "<stdin>"]
    assert [error.path for error in world.unreadable] == ["no.mneme"]


def test_a_dangling_link_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.mneme").symlink_to("nowhere")
    workspace = Workspace.find(tmp_path)
    assert "link" in workspace.world().unreadable[0].message


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("includ = []", "unknown key includ", "include"),
        ("decay-dayz = 3", "unknown key decay-dayz", "decay-days"),
        ("decay-days = -3", "decay-days", ""),
        ("decay-days = true", "decay-days", ""),
        ('ids = "rundom"', "ids", "random"),
        ('file-per = "autor"', "file-per", "author"),
        ('agent-state = "stale"', "agent-state", "live"),
        ("[stores.'a b']\nfiles = []", "no name for a store", ""),
        ("[stores.notes]\nfile = []", "stores.notes.file", "files"),
        ("[stores]\nnotes = ['x']", "stores.notes", ""),
        ("include = 'x'", "include", ""),
        ("[prefixes]\ndec = 'x'", "prefixes.dec", ""),
        ("[prefixes.DEC]\nmeaningg = 'x'", "meaningg", "meaning"),
        ("[prefixes.DEC]\ndecay-days = 'x'", "decay-days", ""),
        ("[prefixes.DEC]\nprojection = 'users'", "projection", "user"),
        ("[lint]\nselekt = []", "lint.selekt", "lint.select"),
        ("[lint.severity]\nno-cue = 'warn'", "lint.severity.no-cue", "warning"),
        ("required-version = 'new'", "required-version", ""),
        ("required-version = '>=99'", "requires mneme >=99", ""),
        ("x = ", "TOML", ""),
        pytest.param(f"decay-days = {'9' * 9999}", "TOML", "", id="number of 9999 digits"),
        (r"include = ['\']", "is no pattern", ".gitignore"),
        ("extend-exclude = ['ok', '!']", "extend-exclude: '!' is no pattern", ".gitignore"),
        ("[per-file-ignores]\n'[z-a]' = ['no-cue']", "per-file-ignores: '[z-a]' is no pattern", ".gitignore"),
    ],
)
def test_configuration_errors_name_the_nearest(tmp_path: Path, text: str, message: str, hint: str) -> None:
    path = tmp_path / "mneme.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert message in caught.value.message
    assert str(path) in caught.value.message
    assert hint in caught.value.hint


def test_configuration_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(
        """
        [tool.mneme]
        decay-days = 60
        required-version = ">=0.1, <99"
        per-file-ignores = { "old/*" = ["no-cue"] }
        ids = "random"
        [tool.mneme.prefixes]
        RISK = "a risk we accepted"
        FACT = { decay-days = 90, projection = "memory", category = "fact" }
        [tool.mneme.lint]
        ignore = ["long-gist"]
        severity = { duplicate-id = "warning" }
        """
    )
    config = load_config(path)
    assert (config.decay_for("DEC-1"), config.decay_for("FACT-0002"), config.ids) == (60, 90, "random")
    assert config.prefixes["RISK"].meaning == "a risk we accepted"
    assert config.lint.ignore == ("long-gist",)
    assert config.source == path


def test_home_and_above_stand_for_themselves_alone_unless_configured(tmp_path: Path, git: Git) -> None:
    home = tmp_path / "people" / "me"
    write(tmp_path, "people/top.mneme", "people/me/own.mneme", "people/me/site/p.mneme", "people/me/x.user.mneme")

    def seen(folder: Path) -> list[str]:
        return names(Workspace.find(folder, home=home))

    assert seen(home) == ["own.mneme", "x.user.mneme"]
    assert seen(home.parent) == ["top.mneme"]
    assert seen(home / "site") == ["p.mneme"]
    assert Workspace.find(home, home=home).owner(home / "site" / "p.mneme").root == home / "site"
    (home / "mneme.toml").write_text("")
    assert seen(home) == ["own.mneme", "site/p.mneme", "x.user.mneme"]
    (home / "mneme.toml").unlink()
    git("init", "-q", cwd=home)
    assert seen(home) == ["own.mneme", "site/p.mneme", "x.user.mneme"]


def test_the_top_of_a_file_system_is_not_searched() -> None:
    top = Path(Path.cwd().anchor)
    assert Workspace.find(top).config.exclude == ("*/",)
