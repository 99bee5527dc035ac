"""The git hook in bad surroundings: misleading variables, shadowing modules, a mneme that is gone, a cut install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mneme.history.hook_script import SAVED, Launcher, render
from mneme.history.hooks import install, uninstall
from mneme.history.repo import GitError, Repository
from tests.conftest import Runner, cell

GOOD = cell("DEC-0001")
BAD = GOOD + "\n" + cell("DEC-0001", gist="Tokens live for one hour", topic="api/auth", cue="tokens")


def git(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **env}, capture_output=True, encoding="utf-8"
    )


@pytest.fixture
def repo(tmp_path: Path, mneme: Runner) -> Path:
    """A repository with our hook."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    assert mneme("install-hook", cwd=folder).code == 0
    return folder


def stage(folder: Path, text: str, name: str = "project.mneme") -> None:
    (folder / name).write_text(text, encoding="utf-8")
    assert git(folder, "add", name).returncode == 0


def both_ways(folder: Path, **env: str) -> None:
    """A bad text is stopped and a good one is committed, in silence."""
    stage(folder, BAD)
    done = git(folder, "commit", "-qm", "bad", **env)
    assert done.returncode != 0
    assert "MN101" in done.stderr
    stage(folder, GOOD)
    done = git(folder, "commit", "-qm", "good", **env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_modules_of_the_project_do_not_shadow_ours(repo: Path, tmp_path: Path) -> None:
    for folder in (repo, tmp_path / "path"):
        (folder / "mneme").mkdir(parents=True)
        for name in ("mneme/__init__.py", "click.py", "lark.py", "json.py", "sitecustomize.py"):
            (folder / name).write_text("raise SystemExit(0)\n", encoding="utf-8")
    both_ways(repo, PYTHONPATH=str(tmp_path / "path"), PYTHONSTARTUP="click.py", PYTHONWARNINGS="error")


@pytest.mark.parametrize("name", ["GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS"])
def test_variables_that_change_what_a_pattern_means(repo: Path, name: str) -> None:
    both_ways(repo, **{name: "1"})


def test_git_dir_and_work_tree_told_by_variables(repo: Path, tmp_path: Path) -> None:
    both_ways(repo, GIT_DIR=str(repo / ".git"), GIT_WORK_TREE=str(repo))
    # A repository whose folder lies elsewhere: nothing called .git is above the files.
    tree = tmp_path / "dot files"
    tree.mkdir()
    env = {"GIT_DIR": str(repo / ".git"), "GIT_WORK_TREE": str(tree)}
    for text, code in ((BAD, 1), (GOOD + "# moved\n", 0)):
        (tree / "project.mneme").write_text(text, encoding="utf-8")
        assert git(tree, "add", "project.mneme", **env).returncode == 0
        assert git(tree, "commit", "-qm", "elsewhere", **env).returncode == code


def test_external_diff_programs_are_not_asked(repo: Path) -> None:
    stage(repo, "*.mneme diff=odd\n", ".gitattributes")
    git(repo, "config", "diff.odd.command", "false")
    git(repo, "config", "diff.odd.textconv", "echo same")
    both_ways(repo, GIT_EXTERNAL_DIFF="true")


def test_a_locale_without_unicode(repo: Path) -> None:
    stage(repo, BAD, "项目.mneme")
    done = git(repo, "commit", "-qm", "bad", LC_ALL="C", LANG="C")
    assert done.returncode != 0
    assert "项目.mneme:6:3: error MN101" in done.stderr


def replace_hook(folder: Path, python: str) -> Path:
    path = folder / ".git/hooks/pre-commit"
    path.write_bytes(render("pre-commit", Launcher(python)))
    return path


def bin_folder(folder: Path) -> Path:
    """A folder for the PATH that holds what a hook needs, and no mneme."""
    folder.mkdir()
    for name in ("git", "sh", "grep", "env", "echo"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


def test_when_mneme_is_gone_the_commit_stops_and_says_what_to_do(repo: Path, tmp_path: Path) -> None:
    path = replace_hook(repo, "/nowhere/bin/python")
    search = str(bin_folder(tmp_path / "bin"))
    stage(repo, GOOD)
    done = git(repo, "commit", "-qm", "blind", PATH=search)
    assert done.returncode != 0
    assert "mneme is gone from /nowhere/bin/python, and is not on the PATH" in done.stderr
    assert f"take this hook away: {path.relative_to(repo)}" in done.stderr
    assert "git commit --no-verify" in done.stderr
    stage(repo, "print()\n", "code.py")
    git(repo, "rm", "-q", "--cached", "project.mneme")
    assert git(repo, "commit", "-qm", "no memory in it", PATH=search).returncode == 0


@pytest.mark.parametrize("python", ["/nowhere/bin/python", "an interpreter without mneme"])
def test_when_the_interpreter_lost_mneme_the_path_is_asked(repo: Path, tmp_path: Path, python: str) -> None:
    search = bin_folder(tmp_path / "bin")
    if not python.startswith("/"):
        python = str(tmp_path / "python")
        Path(python).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        Path(python).chmod(0o755)
    replace_hook(repo, python)
    command = search / "mneme"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m mneme "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "click.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    both_ways(repo, PATH=str(search), PYTHONPATH=str(tmp_path / "path"))


def test_an_interpreter_that_cannot_start_mneme_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    before = sorted((tmp_path / ".git/hooks").iterdir())
    with pytest.raises(Exception, match="a hook could not start mneme"):
        install(Repository(tmp_path, os.environ), Launcher("/nowhere/bin/python"))
    assert sorted((tmp_path / ".git/hooks").iterdir()) == before


def test_an_install_cut_between_keeping_and_writing_is_finished(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    path = tmp_path / ".git/hooks/pre-commit"
    path.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    path.chmod(0o755)
    saved = path.with_name(f"pre-commit{SAVED}")
    os.link(path, saved)
    repository = Repository(tmp_path, os.environ)
    install(repository, Launcher(sys.executable))
    assert saved.read_text(encoding="utf-8") == "#!/bin/sh\nexit 0\n"
    uninstall(repository)
    assert path.read_text(encoding="utf-8") == "#!/bin/sh\nexit 0\n"
    assert not saved.exists()


def test_installs_at_the_same_time_keep_the_hook_that_stood_there(tmp_path: Path, mneme: Runner) -> None:
    theirs = "#!/bin/sh\nprintf x >>.git/ran\n"
    command = [sys.executable, "-m", "mneme", "install-hook"]
    for turn in range(2):
        folder = tmp_path / f"repo{turn}"
        folder.mkdir()
        git(folder, "init", "-q")
        path = folder / ".git/hooks/pre-commit"
        path.write_text(theirs, encoding="utf-8")
        path.chmod(0o755)
        running = [subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE) for _ in range(4)]
        assert [(process.communicate(), process.returncode)[1] for process in running] == [0] * 4
        stage(folder, GOOD)
        assert git(folder, "commit", "-qm", "good").returncode == 0
        assert (folder / ".git/ran").read_text(encoding="utf-8") == "x"
        assert mneme("install-hook", "--uninstall", cwd=folder).code == 0
        assert path.read_text(encoding="utf-8") == theirs


def test_what_is_kept_is_never_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program, which knows nothing of our lock, keeps a hook at the very moment."""
    git(tmp_path, "init", "-q")
    path = tmp_path / ".git/hooks/pre-commit"
    path.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    saved = path.with_name(f"pre-commit{SAVED}")

    def too_late(*_: object, **__: object) -> None:
        saved.write_text("kept by the other\n", encoding="utf-8")
        raise FileExistsError

    monkeypatch.setattr(os, "link", too_late)
    with pytest.raises(GitError, match="by another program"):
        install(Repository(tmp_path, os.environ), Launcher(sys.executable))
    assert saved.read_text(encoding="utf-8") == "kept by the other\n"
    assert path.read_text(encoding="utf-8") == "#!/bin/sh\nexit 0\n"


def test_a_hooks_folder_that_is_a_file(tmp_path: Path, mneme: Runner) -> None:
    git(tmp_path, "init", "-q")
    shutil.rmtree(tmp_path / ".git/hooks")
    (tmp_path / ".git/hooks").write_text("mine\n", encoding="utf-8")
    result = mneme("install-hook", cwd=tmp_path)
    assert (result.code, "hooks is no folder" in result.err) == (2, True)
    assert mneme("install-hook", "--uninstall", cwd=tmp_path).code == 0
    assert (tmp_path / ".git/hooks").read_text(encoding="utf-8") == "mine\n"


def test_a_hooks_folder_that_must_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q")
    repository = Repository(tmp_path, os.environ)
    install(repository, Launcher(sys.executable))

    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(GitError, match="pre-commit: Permission denied: the hooks could not be changed"):
        uninstall(repository)


@pytest.mark.parametrize("argument", [[], ["--uninstall"]])
def test_what_a_killed_install_left_is_swept_away(repo: Path, mneme: Runner, argument: list[str]) -> None:
    hooks = repo / ".git/hooks"
    strays = [".pre-commit.mneme-4711", ".pre-merge-commit.mneme-1", ".pre-commit.legacy.mneme-99"]
    theirs = [".pre-commit.mneme-mine", ".other.mneme-1"]
    for name in (*strays, *theirs):
        (hooks / name).write_text("half", encoding="utf-8")
    assert mneme("install-hook", *argument, cwd=repo).code == 0
    assert sorted(path.name for path in hooks.iterdir() if ".mneme-" in path.name) == sorted(theirs)


FRAMEWORK_CONFIG = """\
repos:
  - repo: local
    hooks:
      - {id: count, name: count, language: system, entry: ./count.sh, always_run: true, pass_filenames: false}
"""


def test_the_framework_before_and_after_us(repo: Path, tmp_path: Path, mneme: Runner) -> None:
    """The framework's script is chained; installed again over ours, it runs ours; each way both run once."""
    assert mneme("install-hook", "--uninstall", cwd=repo).code == 0
    stage(repo, FRAMEWORK_CONFIG, ".pre-commit-config.yaml")
    stage(repo, "#!/bin/sh\nprintf x >>.git/ran\n", "count.sh")
    git(repo, "update-index", "--chmod=+x", "count.sh")
    (repo / "count.sh").chmod(0o755)
    hooks = repo / ".git/hooks"
    home = {"PRE_COMMIT_HOME": str(tmp_path / "store")}

    def install_framework() -> None:
        command = [str(Path(sys.executable).with_name("pre-commit")), "install"]
        subprocess.run(command, cwd=repo, env={**os.environ, **home}, check=True, capture_output=True)

    def each_runs_once() -> None:
        (repo / ".git/ran").unlink(missing_ok=True)
        stage(repo, BAD)
        done = git(repo, "commit", "-qm", "bad", **home)
        assert done.returncode != 0
        assert done.stderr.count("MN101") == 1
        assert (repo / ".git/ran").read_text(encoding="utf-8") == "x"

    install_framework()
    theirs = (hooks / "pre-commit").read_bytes()
    assert mneme("install-hook", cwd=repo).code == 0
    each_runs_once()
    install_framework()
    assert (hooks / "pre-commit").read_bytes() == theirs
    assert "already installed" in mneme("install-hook", cwd=repo).err
    each_runs_once()
    assert mneme("install-hook", "--uninstall", cwd=repo).code == 0
    assert (hooks / "pre-commit").read_bytes() == theirs
    assert [path.name for path in hooks.iterdir() if path.suffix != ".sample"] == ["pre-commit"]
