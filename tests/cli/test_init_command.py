"""``mneme init``: what it writes is clean, what is there is left, the second run changes nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.config import Config, load_config
from mneme.memory.start import PRE_COMMIT_HOOK, config_text
from tests.conftest import ROOT, Runner, cell

Git = Callable[..., str]


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def test_a_new_memory_is_clean(mneme: Runner, tmp_path: Path) -> None:
    result = mneme("init")
    assert result.code == 0
    assert sorted(tree(tmp_path)) == [".gitignore", "mneme.toml", "project.mneme"]
    assert result.err == (
        "mneme: wrote project.mneme\nmneme: wrote mneme.toml\nmneme: added the lines "
        "*.local.mneme and .mnemon/ to .gitignore\n"
    )
    assert "mneme add DEC" in result.out
    assert PRE_COMMIT_HOOK in result.out
    report = json.loads(mneme("lint", "--format", "json").out)
    assert report["findings"] == []
    assert mneme("fmt", "--check").code == 0
    assert mneme("add", "DEC", "A gist").out == "DEC-0001\n"
    assert (tmp_path / "project.mneme").read_text().endswith('still holds\n\n@ DEC-0001\ngist  A gist\nstate live   '
        "conf med   since 2026-11-25   seen 2026-11-25\n")  # fmt: skip


def test_the_second_run_changes_nothing(mneme: Runner, tmp_path: Path) -> None:
    mneme("init", "--team")
    before = tree(tmp_path)
    result = mneme("init", "--team")
    assert result.code == 0
    assert tree(tmp_path) == before
    assert "wrote" not in result.err
    assert "added" not in result.err
    assert result.out == ""
    assert result.err.count("was left as it is") == 3


def test_nothing_is_overwritten(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text("# mine\n")
    (tmp_path / "pyproject.toml").write_text("[tool.mneme]\ndecay-days = 30\n")
    (tmp_path / ".gitignore").write_bytes(b"build/\r\n*.log")
    result = mneme("init")
    assert result.code == 0
    assert tree(tmp_path) == {
        "project.mneme": b"# mine\n", "pyproject.toml": b"[tool.mneme]\ndecay-days = 30\n",
        ".gitignore": b"build/\r\n*.log\r\n*.local.mneme\r\n.mnemon/\r\n",
    }  # fmt: skip
    assert "project.mneme is there and was left as it is" in result.err
    assert "pyproject.toml is there and was left as it is" in result.err


@pytest.mark.parametrize(
    "lines",
    ["*.local.mneme\n.mnemon/\n", "*.mneme\n.mnemon\n", "# x\n*.local.*\n.m*/\n", "mnemon.db\n**/*.local.mneme"],
)
def test_rules_that_ignore_personal_files_and_stores_are_enough(mneme: Runner, tmp_path: Path, lines: str) -> None:
    (tmp_path / ".gitignore").write_text(lines)
    mneme("init")
    assert (tmp_path / ".gitignore").read_text() == lines


def test_a_team(mneme: Runner, tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    git("config", "user.name", "Kim")
    assert mneme("init", "--team").code == 0
    config = load_config(tmp_path / "mneme.toml")
    assert (config.ids, config.file_per) == ("random", "author")
    assert mneme("add", "DEC", "A gist").out != "DEC-0001\n"
    assert (tmp_path / "memory" / "kim.mneme").is_file()


@pytest.mark.parametrize("layout", ["project", "topic", "author", "month"])
def test_one_file_for_what(mneme: Runner, tmp_path: Path, layout: str) -> None:
    assert mneme("init", "--file-per", layout).code == 0
    config = load_config(tmp_path / "mneme.toml")
    assert (config.ids, config.file_per) == ("sequential", layout)


def test_settings_that_a_configuration_lacks_are_named(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "mneme.toml").write_text("")
    assert 'add to mneme.toml: ids = "random", file-per = "topic"' in mneme("init", "--team", "--file-per", "topic").err
    assert (tmp_path / "mneme.toml").read_text() == ""


def test_the_comments_show_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "mneme.toml"
    path.write_text(config_text(team=False, layout=""))
    assert load_config(path) == Config(source=path)
    lines = [
        line.removeprefix("# ")
        for line in config_text(team=False, layout="").splitlines()
        if " = " in line or line == "# [prefixes]"
    ]
    path.write_text("\n".join(lines))
    config = load_config(path)
    assert config.prefixes["RISK"].meaning
    assert load_config(path) == Config(source=path, prefixes=config.prefixes)


def test_another_name(mneme: Runner, tmp_path: Path) -> None:
    assert mneme("init", "--file", "docs/memory.mneme").code == 0
    assert sorted(tree(tmp_path)) == [".gitignore", "docs/memory.mneme", "mneme.toml"]
    assert "docs/memory.mneme:" in mneme("add", "DEC", "A gist").err


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("notes.txt", "no memory file by its name"), ("my.local.mneme", "would be personal"),
        ("../x.mneme", "is not in the workspace"),
    ],
)  # fmt: skip
def test_names_that_cannot_be_meant(mneme: Runner, tmp_path: Path, name: str, says: str) -> None:
    result = mneme("init", "--file", name)
    assert result.code == 2
    assert says in result.err
    assert tree(tmp_path) == {}


def test_in_a_folder_of_a_repository_the_workspace_is_started(mneme: Runner, tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    (tmp_path / "sub").mkdir()
    result = mneme("init", cwd=tmp_path / "sub")
    assert result.code == 0
    assert sorted(tree(tmp_path)) == [".gitignore", "mneme.toml", "project.mneme"]
    assert "mneme: wrote ../project.mneme" in result.err


def test_the_snippet_is_not_shown_where_it_stands(mneme: Runner, tmp_path: Path) -> None:
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text("repos: []\n")
    assert PRE_COMMIT_HOOK in mneme("init").out
    (tmp_path / "mneme.toml").unlink()
    path.write_text(PRE_COMMIT_HOOK)
    result = mneme("init")
    assert "mneme add DEC" in result.out
    assert "pre-commit" not in result.out
    assert path.read_text() == PRE_COMMIT_HOOK


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md", "docs/git-hooks.md"])
def test_the_snippet_is_that_of_the_documents(page: str) -> None:
    def plain(text: str) -> str:
        return re.sub(r" +#.*", "", text)

    assert plain(f"```yaml\n{PRE_COMMIT_HOOK}") in plain((ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("names", [["notes.mneme"], ["b.mn", "a/a.mneme"]])
def test_a_memory_of_another_name_is_noticed(mneme: Runner, tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(cell("DEC-0001") if name == names[0] else "")
    result = mneme("init")
    assert sorted(tree(tmp_path)) == sorted([".gitignore", "mneme.toml", *names])
    assert f"mneme: {names[0]} is there and was left as it is" in result.err
    assert f"{names[0]}:6" in mneme("add", "DEC", "A gist").err


def test_what_is_personal_or_archived_is_no_memory_to_start_with(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "me.local.mneme").write_text(cell("PREF-0001"))
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "2025.mneme").write_text(cell("DEC-0001", state="retired"))
    mneme("init")
    assert (tmp_path / "project.mneme").is_file()


def test_the_snippet_is_what_the_framework_takes(tmp_path: Path) -> None:
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(PRE_COMMIT_HOOK)
    done = subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_ignore_file_that_leads_nowhere_stops_everything(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").symlink_to("gone")
    result = mneme("init", "--file", "deep/memory/x.mneme")
    assert result.code == 2
    assert ".gitignore is a link that leads nowhere; nothing was written" in result.err
    assert [path.name for path in tmp_path.iterdir()] == [".gitignore"]


def test_what_is_in_the_way_is_said(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").mkdir()
    result = mneme("init")
    assert result.code == 2
    assert ".gitignore: Is a directory; nothing was written" in result.err
    assert [path.name for path in tmp_path.iterdir()] == [".gitignore"]
    (tmp_path / "file").write_text("")
    for name in ("file/x.mneme", "file/deep/x.mneme"):
        result = mneme("init", "--file", name)
        assert result.code == 2
        assert "nothing was written" in result.err
