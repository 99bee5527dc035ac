"""``mneme install-git`` and the driver it installs, in real repositories."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Runner, cell

FIRST = cell("DEC-0001")
SECOND = cell("DEC-0002", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
THIRD = cell("DEC-0002", gist="Builds run on ARM", topic="build/ci", cue="builds", since="2026-11-02")
LINES = (
    "# Memory files are merged and shown by cell. Once in each clone: mneme install-git\n"
    "*.mneme merge=mneme diff=mneme\n*.mn merge=mneme diff=mneme\n"
)


class Repo:
    """A git repository."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *arguments], cwd=self.path, env={**os.environ, **env}, capture_output=True, encoding="utf-8"
        )

    def git(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def commit(self, message: str = "work", **files: str | bytes) -> None:
        for name, text in files.items():
            path = self.path / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def fork(self, base: str | bytes, ours: str | bytes, theirs: str | bytes, name: str = "a_mneme") -> None:
        """Make two branches of one file; main is checked out."""
        self.commit("base", **{name: base})
        self.git("switch", "-q", "-c", "theirs")
        self.commit("theirs", **{name: theirs})
        self.git("switch", "-q", "main")
        self.commit("ours", **{name: ours})

    def text(self, name: str = "a.mneme") -> str:
        return (self.path / name).read_bytes().decode()

    def settings(self) -> str:
        return self.run("config", "--local", "--list").stdout


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository in a folder with blanks and other letters."""
    made = Repo(tmp_path / "a répo")
    made.path.mkdir()
    made.git("init", "-q", "-b", "main")
    return made


def test_it_writes_once_and_takes_away_exactly_that(repo: Repo, mneme: Runner) -> None:
    before = repo.settings()
    first = mneme("install-git", cwd=repo.path)
    assert (first.code, first.out) == (0, "")
    assert "commit it" in first.err
    assert "a teammate runs once in each clone: mneme install-git" in first.err
    assert repo.text(".gitattributes") == LINES
    settings = repo.settings()
    again = mneme("install-git", cwd=repo.path)
    assert again.code == 0
    assert "wrote" not in again.err
    assert repo.text(".gitattributes") == LINES
    assert repo.settings() == settings
    assert mneme("install-git", "--uninstall", cwd=repo.path).code == 0
    assert not (repo.path / ".gitattributes").exists()
    assert repo.settings() == before
    assert "nothing of ours" in mneme("install-git", "--uninstall", cwd=repo.path).err


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_what_others_wrote_into_the_attributes_stays(repo: Repo, mneme: Runner, end: str) -> None:
    theirs = f"*.png binary\r\n*.mneme text{end}" if end == "\r\n" else f"*.png binary\n*.mneme text{end}"
    path = repo.path / ".gitattributes"
    path.write_bytes(theirs.encode())
    assert mneme("install-git", cwd=repo.path).code == 0
    text = path.read_bytes().decode()
    newline = end or "\n"
    ours = LINES.removesuffix("\n").replace("\n", newline)
    assert text == f"{theirs.removesuffix(newline)}{newline}{ours}{end}"
    assert mneme("install-git", "--uninstall", cwd=repo.path).code == 0
    assert path.read_bytes().decode() == theirs


def test_from_a_folder_below_and_for_all_worktrees(repo: Repo, mneme: Runner, tmp_path: Path) -> None:
    below = repo.path / "below"
    below.mkdir()
    assert mneme("install-git", cwd=below).code == 0
    repo.fork(FIRST, FIRST + "\n" + SECOND, FIRST + "\n" + THIRD)
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"), "theirs")
    tree = Repo(tmp_path / "tree")
    done = tree.run("merge", "--no-edit", "main")
    assert done.returncode == 0, done.stderr
    assert "DEC-0002 was given twice" in done.stderr
    assert tree.text().count("@ DEC-") == 3
    assert (repo.path / ".git" / "mneme-renumbered").exists()


def test_hunk_headers_name_the_cell(repo: Repo, mneme: Runner) -> None:
    long = SECOND + "".join(f"> line {number}\n" for number in range(20))
    repo.commit("base", a_mneme=FIRST + "\n" + long)
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.commit("more", a_mneme=FIRST + "\n" + long + "link  relates DEC-0001\n")
    assert "@@ @ DEC-0002  api/auth\n" in repo.git("log", "-p", "-1")


def test_the_environment_need_not_be_active(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.fork(FIRST, FIRST + "\n" + SECOND, FIRST + "\n" + THIRD)
    path = os.pathsep.join(
        folder for folder in os.environ["PATH"].split(os.pathsep) if not (Path(folder) / "mneme").exists()
    )
    done = repo.run("merge", "--no-edit", "theirs", PATH=path, PYTHONPATH="/nowhere", PYTHONHOME="/nowhere")
    assert done.returncode == 0, done.stderr
    assert repo.text().count("@ DEC-") == 3


def test_where_mneme_is_gone_git_merges_by_lines_and_says_so(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    driver = repo.git("config", "merge.mneme.driver").strip()
    repo.git("config", "merge.mneme.driver", driver.replace(sys.executable, "/gone/python"))
    repo.fork(FIRST, FIRST + "\n" + SECOND, FIRST + "\n" + THIRD)
    path = os.pathsep.join(
        folder for folder in os.environ["PATH"].split(os.pathsep) if not (Path(folder) / "mneme").exists()
    )
    done = repo.run("merge", "--no-edit", "theirs", PATH=path)
    assert done.returncode == 1
    assert "mneme: not found, so a.mneme was merged by lines" in done.stderr
    assert "<<<<<<< ours" in repo.text()


def test_two_files_of_one_merge_are_not_given_one_number(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.commit("base", a_mneme=FIRST, b_mneme=cell("DEC-0009", gist="Rows are sorted"))
    repo.git("switch", "-q", "-c", "theirs")
    other = cell("DEC-0010", gist="Disks are mirrored", since="2026-11-03")
    repo.commit("theirs", a_mneme=FIRST + "\n" + THIRD, b_mneme=repo.text("b.mneme") + "\n" + other)
    repo.git("switch", "-q", "main")
    mine = cell("DEC-0010", gist="Queues are FIFO", since="2026-11-02")
    repo.commit("ours", a_mneme=FIRST + "\n" + SECOND, b_mneme=repo.text("b.mneme") + "\n" + mine)
    for _ in range(2):  # a merge that was taken back gives the same numbers again
        assert repo.run("merge", "--no-edit", "theirs").returncode == 0
        heads = [
            line.split()[1] for name in ("a.mneme", "b.mneme") for line in repo.text(name).split("\n") if "@" in line
        ]
        assert sorted(heads) == ["DEC-0001", "DEC-0002", "DEC-0009", "DEC-0010", "DEC-0011", "DEC-0012"]
        repo.git("reset", "-q", "--hard", "HEAD~1")
        repo.git("reflog", "expire", "--expire=now", "--all")


def test_a_number_that_was_ever_in_use_is_not_given(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.commit("once", b_mneme=cell("DEC-0007", gist="Rows are sorted"))
    (repo.path / "b.mneme").unlink()
    repo.fork(FIRST, FIRST + "\n" + SECOND, FIRST + "\n" + THIRD)
    assert repo.run("merge", "--no-edit", "theirs").returncode == 0
    assert "@ DEC-0008" in repo.text()


def test_the_trunk_of_the_repository_has_the_last_word(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.fork(FIRST, FIRST + "\n" + SECOND, FIRST + "\n" + THIRD.replace("2026-11-02", "2026-10-01"))
    repo.git("switch", "-q", "theirs")
    done = repo.run("merge", "--no-edit", "main")
    assert done.returncode == 0
    assert "'Tokens live for one hour' keeps it (the trunk holds it)" in done.stderr


def test_criss_cross_merges(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.fork(FIRST, FIRST + "\n" + SECOND, FIRST + "\n" + THIRD)
    repo.git("branch", "ours-then")
    repo.git("merge", "-q", "--no-edit", "theirs")
    repo.git("switch", "-q", "theirs")
    repo.git("merge", "-q", "--no-edit", "ours-then")
    assert repo.text() == repo.git("show", "main:a.mneme")
    repo.commit("seen", a_mneme=repo.text().replace("seen 2026-11-20", "seen 2026-11-24"))
    repo.git("switch", "-q", "main")
    repo.commit("more", a_mneme=repo.text() + "\n" + cell("FACT-0001", gist="Rows are sorted"))
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 0, done.stderr
    assert repo.text().count("seen 2026-11-24") == 3
    assert repo.text().count("@ ") == 4


def test_the_base_is_shown_on_demand(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.git("config", "merge.conflictStyle", "diff3")
    repo.fork(FIRST, FIRST.replace("SQLite", "files"), FIRST.replace("SQLite", "memory"))
    assert repo.run("merge", "--no-edit", "theirs").returncode == 1
    gist = "gist  Local cache uses {} instead of JSON files\n"
    assert (
        "<<<<<<< ours\n{}||||||| base\n{}=======\n{}>>>>>>> theirs\n".format(
            *(gist.format(word) for word in ("files", "SQLite", "memory"))
        )
        in repo.text()
    )


def test_what_is_no_text_is_merged_by_lines_and_never_silently(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    bad = FIRST.encode() + b"> caf\xe9\n"
    repo.fork(bad, bad + b"\n" + SECOND.encode(), FIRST.encode())
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 1
    assert "not valid UTF-8" in done.stderr
    assert "merged by lines, not by cell" in done.stderr


def test_a_configuration_in_conflict_is_left_out(repo: Repo, mneme: Runner) -> None:
    assert mneme("install-git", cwd=repo.path).code == 0
    repo.commit("config", mneme_toml='trunk = "main"\n')
    repo.fork(FIRST, FIRST + "\n" + SECOND, FIRST + "\n" + THIRD)
    (repo.path / "mneme.toml").write_text("<<<<<<< broken", encoding="utf-8")
    repo.git("update-index", "--assume-unchanged", "mneme.toml")
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 0, done.stderr
    assert "the configuration is not used" in done.stderr


def test_attributes_that_win_over_ours_are_named(repo: Repo, mneme: Runner) -> None:
    repo.commit("base", notes__a_mneme=FIRST, notes___gitattributes="*.mneme merge=union\n")
    assert "notes/a.mneme: merge=union in other git attributes wins" in mneme("install-git", cwd=repo.path).err


def test_outside_of_a_repository(tmp_path: Path, mneme: Runner) -> None:
    for arguments in (["install-git"], ["install-git", "--uninstall"]):
        done = mneme(*arguments, cwd=tmp_path)
        assert done.code == 2
        assert "is not in a git repository" in done.err
