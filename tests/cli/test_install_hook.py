"""``mneme install-hook``: what the hook lets through and what it stops, in real repositories with real commits."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mneme.history.hook_script import Launcher, render
from tests.conftest import ROOT, Runner, cell

GOOD = cell("DEC-0001")
BETTER = GOOD + "\n" + cell("DEC-0002", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
BAD = GOOD + "\n" + cell("DEC-0001", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
OVERDUE = cell("DEC-0001", since="2026-01-01", seen="2026-01-01")


class Repo:
    """A git repository with our hook in it."""

    def __init__(self, path: Path, mneme: Runner) -> None:
        self.path = path
        self.mneme = mneme

    def git(self, *arguments: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *arguments], cwd=cwd or self.path, env={**os.environ, **env}, capture_output=True, encoding="utf-8"
        )

    def must(self, *arguments: str) -> str:
        done = self.git(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, text: str, name: str = "project.mneme") -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def stage(self, text: str, name: str = "project.mneme") -> Path:
        path = self.write(text, name)
        self.must("add", "--", name)
        return path

    def commit(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        return self.git("commit", "-q", "-m", "work", *arguments, **env)

    def install(self, *arguments: str) -> None:
        assert self.mneme("install-hook", *arguments, cwd=self.path).code == 0

    @property
    def commits(self) -> int:
        done = self.git("rev-list", "--count", "HEAD")
        return int(done.stdout) if done.returncode == 0 else 0

    def hooks(self) -> dict[str, tuple[str, bytes]]:
        """Everything in .git/hooks: name to kind and mode, and bytes."""
        found = {}
        for path in sorted((self.path / ".git" / "hooks").iterdir()):
            data = bytes(path.readlink()) if path.is_symlink() else path.read_bytes()
            found[path.name] = (stat.filemode(path.lstat().st_mode), data)
        return found


@pytest.fixture
def bare_repo(tmp_path: Path, mneme: Runner) -> Repo:
    """A repository without our hook."""
    repo = Repo(tmp_path / "repo", mneme)
    repo.path.mkdir()
    repo.must("init", "-q", "-b", "main")
    return repo


@pytest.fixture
def repo(bare_repo: Repo) -> Repo:
    """A repository with our hook, and one commit with good memory."""
    bare_repo.stage(GOOD)
    assert bare_repo.commit().returncode == 0
    bare_repo.install()
    return bare_repo


def hook(path: Path, text: str, mode: int = 0o755) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


# --- what is staged decides ---------------------------------------------------------------------------


def test_staged_bad_and_work_tree_good_is_stopped(repo: Repo) -> None:
    path = repo.stage(BAD)
    path.write_text(BETTER, encoding="utf-8")
    done = repo.commit()
    assert done.returncode != 0
    assert "project.mneme:6:3: error MN101 duplicate-id" in done.stderr
    assert "hint: give one of the two a number of its own" in done.stderr
    assert "git commit --no-verify" in done.stderr
    assert repo.commits == 1
    assert path.read_text(encoding="utf-8") == BETTER
    assert repo.must("show", ":project.mneme") == BAD


def test_staged_good_and_work_tree_bad_is_committed_without_a_word(repo: Repo) -> None:
    path = repo.stage(BETTER)
    path.write_text(BAD, encoding="utf-8")
    done = repo.commit()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert path.read_text(encoding="utf-8") == BAD
    assert repo.must("show", "HEAD:project.mneme") == BETTER


def test_first_commit(bare_repo: Repo) -> None:
    bare_repo.install()
    bare_repo.stage(BAD)
    assert bare_repo.commit().returncode != 0
    assert bare_repo.commits == 0
    bare_repo.stage(GOOD)
    assert bare_repo.commit().returncode == 0
    assert bare_repo.commits == 1


def test_commit_all(repo: Repo) -> None:
    repo.write(BAD)
    assert repo.commit("-a").returncode != 0
    repo.write(BETTER)
    assert repo.commit("-a").returncode == 0


def test_commit_of_named_files_judges_those_and_what_was_committed(repo: Repo) -> None:
    repo.stage(BAD)
    repo.stage(cell("DEC-0007", gist="Pages hold 200 rows", topic="api/pages", cue="rows"), "other.mneme")
    assert repo.commit("--", "other.mneme").returncode == 0
    assert repo.must("show", "HEAD:project.mneme") == GOOD
    assert repo.must("show", ":project.mneme") == BAD
    repo.write(BETTER)
    repo.write(BAD, "other.mneme")
    assert repo.commit("--", "other.mneme").returncode != 0


def test_amend(repo: Repo) -> None:
    repo.stage(BAD)
    assert repo.commit("--amend").returncode != 0
    repo.stage(BETTER)
    assert repo.commit("--amend").returncode == 0
    assert repo.commits == 1


def test_a_renamed_file_is_judged_under_its_new_name(repo: Repo) -> None:
    (repo.path / "notes").mkdir()
    repo.must("mv", "project.mneme", "notes/new.mneme")
    assert repo.commit().returncode == 0
    repo.must("mv", "notes/new.mneme", "notes/newer.mneme")
    repo.stage(BAD, "notes/newer.mneme")
    done = repo.commit()
    assert done.returncode != 0
    assert "notes/newer.mneme:6:3" in done.stderr


def test_a_file_whose_deletion_is_staged_is_gone(repo: Repo) -> None:
    repo.stage(GOOD, "copy.mneme")
    assert repo.commit().returncode != 0
    repo.must("rm", "-q", "--cached", "project.mneme")  # still on disk
    assert repo.commit().returncode == 0
    assert (repo.path / "project.mneme").exists()


def test_an_untracked_file_is_in_nobodys_commit(repo: Repo) -> None:
    repo.write(GOOD, "untracked.mneme")
    repo.stage(BETTER)
    assert repo.commit().returncode == 0


def test_a_commit_that_touches_no_memory_is_not_judged(repo: Repo) -> None:
    repo.stage(BAD)
    assert repo.commit("--no-verify").returncode == 0
    repo.stage("print()\n", "code.py")
    done = repo.commit()
    assert (done.returncode, done.stderr) == (0, "")
    repo.stage(BAD + "# a remark\n")
    assert repo.commit().returncode != 0


def test_two_branches_that_took_one_number_do_not_merge(repo: Repo) -> None:
    repo.must("checkout", "-q", "-b", "side")
    repo.stage(cell("DEC-0002", gist="Pages hold 200 rows", topic="api/pages", cue="rows"), "side.mneme")
    assert repo.commit().returncode == 0
    repo.must("checkout", "-q", "main")
    repo.stage(BETTER)
    assert repo.commit().returncode == 0
    done = repo.git("merge", "-q", "--no-edit", "side")
    assert done.returncode != 0
    assert "MN101" in done.stderr + done.stdout
    assert "skip this check once: git commit --no-verify" in done.stderr + done.stdout
    assert repo.commit().returncode != 0  # git left the merge to be concluded
    repo.stage(cell("DEC-0003", gist="Pages hold 200 rows", topic="api/pages", cue="rows"), "side.mneme")
    assert repo.commit().returncode == 0
    assert len(repo.must("log", "-1", "--format=%P").split()) == 2


@pytest.mark.parametrize("option", ["--no-edit", "--no-commit"])
def test_a_merge_that_takes_nothing_of_the_other_branch_drops_its_cells(repo: Repo, option: str) -> None:
    repo.must("checkout", "-q", "-b", "side")
    repo.stage(GOOD + "\n" + cell("DEC-0002", gist="Pages hold 200 rows", topic="api/pages", cue="rows"))
    assert repo.commit().returncode == 0
    repo.must("checkout", "-q", "main")
    repo.stage("x = 1\n", "code.py")
    assert repo.commit().returncode == 0
    done = repo.git("merge", "-q", "-s", "ours", option, "side")
    if option == "--no-commit":
        assert done.returncode == 0
        done = repo.commit()
    assert done.returncode != 0
    assert "has it ('Pages hold 200 rows') is gone" in done.stderr


def test_a_merge_that_takes_nothing_of_a_branch_without_memory_is_not_judged(repo: Repo) -> None:
    repo.stage(BAD)
    assert repo.commit("--no-verify").returncode == 0
    repo.must("checkout", "-q", "-b", "side")
    repo.stage("x = 1\n", "code.py")
    assert repo.commit().returncode == 0
    repo.must("checkout", "-q", "main")
    repo.stage("x = 2\n", "code.py")
    assert repo.commit().returncode == 0
    assert repo.git("merge", "-q", "-s", "ours", "--no-edit", "side").returncode == 0


def test_a_stopped_merge_can_be_concluded_as_the_hint_says(repo: Repo) -> None:
    repo.must("checkout", "-q", "-b", "side")
    repo.stage(cell("DEC-0002", gist="Pages hold 200 rows", topic="api/pages", cue="rows"), "side.mneme")
    assert repo.commit().returncode == 0
    repo.must("checkout", "-q", "main")
    repo.stage(BETTER)
    assert repo.commit().returncode == 0
    assert repo.git("merge", "-q", "--no-edit", "side").returncode != 0
    assert repo.commit("--no-verify").returncode == 0
    assert len(repo.must("log", "-1", "--format=%P").split()) == 2


def test_a_resolved_conflict_is_judged_as_it_was_resolved(repo: Repo) -> None:
    repo.must("checkout", "-q", "-b", "side")
    repo.stage(GOOD.replace("conf high", "conf med"))
    assert repo.commit().returncode == 0
    repo.must("checkout", "-q", "main")
    repo.stage(GOOD.replace("conf high", "conf low"))
    assert repo.commit().returncode == 0
    assert repo.git("merge", "side").returncode != 0
    report = repo.mneme("lint", "--staged", cwd=repo.path)
    assert report.code == 2
    assert "a merge conflict is not resolved" in report.out
    repo.stage(BAD)
    assert repo.commit().returncode != 0
    repo.stage(BETTER)
    assert repo.commit().returncode == 0


def test_a_linked_worktree_is_guarded_from_either_side(repo: Repo, tmp_path: Path) -> None:
    linked = tmp_path / "linked tree"
    repo.must("worktree", "add", "-q", str(linked), "-b", "side")
    (linked / "project.mneme").write_text(BAD, encoding="utf-8")
    assert repo.git("commit", "-qam", "bad", cwd=linked).returncode != 0
    (linked / "project.mneme").write_text(BETTER, encoding="utf-8")
    assert repo.git("commit", "-qam", "good", cwd=linked).returncode == 0
    before = repo.hooks()
    assert repo.mneme("install-hook", cwd=linked).code == 0
    assert repo.hooks() == before
    assert repo.mneme("install-hook", "--uninstall", cwd=linked).code == 0
    assert "pre-commit" not in repo.hooks()


def test_names_with_blanks_and_of_any_script(tmp_path: Path, mneme: Runner) -> None:
    repo = Repo(tmp_path / "mein Ordner 记忆 'x' \"y\" $z", mneme)
    repo.path.mkdir()
    repo.must("init", "-q")
    repo.install()
    name = "docs/项目 📓 é\n.mneme"
    repo.stage(BAD, name)
    done = repo.commit()
    assert done.returncode != 0
    assert "docs/项目 📓 é<U+000A>.mneme:6:3: error" in done.stderr
    repo.stage(GOOD, name)
    done = repo.commit()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    repo.install("--uninstall")
    assert "pre-commit" not in repo.hooks()


# --- what it says ---------------------------------------------------------------------------------------


def test_decay_passes_and_is_seen(bare_repo: Repo) -> None:
    bare_repo.install()
    bare_repo.stage(OVERDUE)
    done = bare_repo.commit()
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "project.mneme:3:50: warning MN401 overdue: DEC-0001 is live but was not confirmed for 328 days (limit 45)",
        "mneme: 1 warning (overdue 1)",
    ]


def test_warnings_are_five_lines_and_a_count(repo: Repo) -> None:
    cells = [
        cell(f"DEC-{n:04}", gist=f"Server {n} has a disk of its own {n}", topic=f"host/{n}", since="2026-01-01",
             seen="2026-01-01", cue=f"disk {n}")
        for n in range(1, 10)
    ]  # fmt: skip
    repo.stage("[lint]\nselect = ['overdue']\n", "mneme.toml")
    repo.stage("\n".join(cells))
    done = repo.commit()
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert len(lines) == 6
    assert all("warning" in line for line in lines[:5])
    assert lines[5] == "mneme: 9 warnings (overdue 9); mneme lint --staged shows all"


def test_an_unreadable_file_stops_the_commit(repo: Repo) -> None:
    path = repo.write("", "broken.mneme")
    path.write_bytes(b"@ DEC-0009  a\ngist  caf\xe9\n")
    repo.must("add", "broken.mneme")
    done = repo.commit()
    assert done.returncode != 0
    assert "broken.mneme:2:10: error MN001 unreadable-file: not valid UTF-8" in done.stderr


# --- workspaces, configuration, personal files ----------------------------------------------------------


def test_every_workspace_of_the_repository_is_judged_by_its_own_configuration(repo: Repo) -> None:
    repo.stage("[lint]\nignore = ['overdue']\n", "part/mneme.toml")
    repo.stage(OVERDUE, "part/memory.mneme")  # DEC-0001 again, in a world of its own
    done = repo.commit()
    assert (done.returncode, done.stderr) == (0, "")
    repo.stage(BAD, "part/memory.mneme")
    done = repo.commit()
    assert done.returncode != 0
    assert "part/memory.mneme:6:3" in done.stderr


def test_configuration_counts_as_it_is_staged(repo: Repo) -> None:
    repo.stage("[lint.severity]\noverdue = 'error'\n", "mneme.toml")
    repo.write("", "mneme.toml")
    repo.stage(OVERDUE)
    done = repo.commit()
    assert done.returncode != 0
    assert "error MN401 overdue" in done.stderr
    repo.stage("extend-exclude = ['old/']\n", "mneme.toml")
    repo.stage(BAD, "old/archive.mneme")
    repo.stage(GOOD)
    done = repo.commit()
    assert (done.returncode, done.stderr) == (0, "")


def test_a_broken_configuration_stops_the_commit_and_is_named(repo: Repo) -> None:
    repo.stage("inclde = []\n", "mneme.toml")
    repo.stage(BETTER)
    done = repo.commit()
    assert done.returncode != 0
    assert "unknown key inclde" in done.stderr
    assert "did you mean include?" in done.stderr


def test_personal_files_count_but_never_stop_a_commit(repo: Repo) -> None:
    repo.stage("*.local.mneme\n", ".gitignore")
    repo.write(cell("DEC-0002", seen="2026-01-01", since="2026-01-01", gist="Mine alone"), "me.local.mneme")
    repo.stage(BETTER)
    done = repo.commit()
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if "me.local.mneme" in line] == [
        "me.local.mneme:1:3: warning MN101 duplicate-id: duplicate ID: DEC-0002 is taken by the cell at project.mneme:6"
    ]
    repo.write("@ nonsense\n<<<<<<< \n\0", "me.local.mneme")
    repo.stage(f"# ours\n\n{BETTER}")
    done = repo.commit()
    assert (done.returncode, done.stderr) == (0, "")


# --- hooks that exist -----------------------------------------------------------------------------------


def test_a_hook_that_exists_runs_first_and_its_exit_code_counts(bare_repo: Repo) -> None:
    repo = bare_repo
    hook(repo.path / ".git/hooks/pre-commit", "#!/bin/sh\necho theirs in $PWD\nexit $(cat code)\n")
    repo.write("3", "code")
    repo.install()
    repo.stage("print()\n", "code.py")
    done = repo.commit()
    assert done.returncode != 0
    assert done.stderr == f"theirs in {repo.path}\n"
    repo.stage(BAD)
    done = repo.commit()
    assert done.returncode != 0
    assert done.stderr.index("theirs") < done.stderr.index("MN101")
    repo.write("0", "code")
    assert repo.commit().returncode != 0  # ours
    repo.stage(GOOD)
    assert repo.commit().returncode == 0


def test_a_hook_that_stages_something_is_judged_by_what_it_staged(bare_repo: Repo) -> None:
    repo = bare_repo
    hook(repo.path / ".git/hooks/pre-commit", "#!/bin/sh\ncp bad project.mneme\ngit add project.mneme\n")
    repo.install()
    repo.write(BAD, "bad")
    repo.stage(GOOD)
    assert repo.commit().returncode != 0


def test_a_hook_in_another_language_runs(bare_repo: Repo) -> None:
    hook(bare_repo.path / ".git/hooks/pre-commit", f"#!{sys.executable}\nraise SystemExit('no')\n")
    bare_repo.install()
    bare_repo.stage(GOOD)
    done = bare_repo.commit()
    assert (done.returncode, done.stderr) == (1, "no\n")


def test_a_hook_that_is_not_executable_stays_asleep(bare_repo: Repo) -> None:
    hook(bare_repo.path / ".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n", mode=0o644)
    result = bare_repo.mneme("install-hook", cwd=bare_repo.path)
    assert "is not executable, and does not run" in result.err
    bare_repo.stage(GOOD)
    assert bare_repo.commit().returncode == 0


@pytest.mark.parametrize("mode", [0o755, 0o644, 0o500])
def test_uninstall_puts_back_what_was_there_to_the_byte(bare_repo: Repo, tmp_path: Path, mode: int) -> None:
    repo = bare_repo
    folder = repo.path / ".git/hooks"
    (folder / "pre-commit").write_bytes(b"#!/bin/sh\r\nexit 0\r\n\xff no newline")
    (folder / "pre-commit").chmod(mode)
    hook(tmp_path / "shared-hook", "#!/bin/sh\nexit 0\n")
    (folder / "pre-merge-commit").symlink_to(tmp_path / "shared-hook")
    hook(folder / "commit-msg", "#!/bin/sh\nexit 0\n")
    before = repo.hooks()
    repo.install()
    installed = repo.hooks()
    assert installed["pre-commit.before-mneme"] == before["pre-commit"]
    assert installed["pre-merge-commit.before-mneme"] == before["pre-merge-commit"]
    again = repo.mneme("install-hook", cwd=repo.path)
    assert "already installed" in again.err
    assert repo.hooks() == installed
    repo.install("--uninstall")
    assert repo.hooks() == before
    nothing = repo.mneme("install-hook", "--uninstall", cwd=repo.path)
    assert nothing.code == 0
    assert "no hook of ours" in nothing.err
    assert repo.hooks() == before


def test_a_folder_made_for_the_hook_goes_with_it(bare_repo: Repo) -> None:
    shutil.rmtree(bare_repo.path / ".git/hooks")
    bare_repo.install()
    bare_repo.install()
    bare_repo.install("--uninstall")
    assert not (bare_repo.path / ".git/hooks").exists()


def test_the_sample_that_runs_the_pre_commit_hook_is_enough_for_merges(bare_repo: Repo) -> None:
    sample = '#!/bin/sh\n. git-sh-setup\ntest -x "$GIT_DIR/hooks/pre-commit" && exec "$GIT_DIR/hooks/pre-commit"\n:\n'
    path = hook(bare_repo.path / ".git/hooks/pre-merge-commit", sample)
    bare_repo.install()
    assert path.read_text(encoding="utf-8") == sample


def test_a_merge_hook_that_is_a_link_to_the_pre_commit_hook_stays_one(bare_repo: Repo) -> None:
    repo = bare_repo
    path = hook(repo.path / ".git/hooks/pre-commit", "#!/bin/sh\nprintf x >>.git/ran\n")
    path.with_name("pre-merge-commit").symlink_to("pre-commit")
    before = repo.hooks()
    repo.install()
    repo.install()
    assert path.with_name("pre-merge-commit").is_symlink()
    repo.stage(GOOD)
    assert repo.commit().returncode == 0
    assert (repo.path / ".git/ran").read_text(encoding="utf-8") == "x"
    repo.install("--uninstall")
    assert repo.hooks() == before


def test_a_merge_hook_that_only_speaks_of_the_pre_commit_hook_guards_nothing(bare_repo: Repo) -> None:
    hook(
        bare_repo.path / ".git/hooks/pre-merge-commit",
        "#!/bin/sh\n# unlike hooks/pre-commit\necho no hooks/pre-commit\n",
    )
    bare_repo.install()
    assert {"pre-merge-commit", "pre-merge-commit.before-mneme"} <= set(bare_repo.hooks())


def test_a_hook_edited_by_hand_is_left_alone(repo: Repo) -> None:
    path = repo.path / ".git/hooks/pre-commit"
    path.write_text(path.read_text(encoding="utf-8") + "echo mine\n", encoding="utf-8")
    before = repo.hooks()
    for arguments in ([], ["--uninstall"]):
        result = repo.mneme("install-hook", *arguments, cwd=repo.path)
        assert result.code == 2
        assert "was edited by hand; nothing was changed" in result.err
        assert repo.hooks() == before


def test_after_an_edited_script_was_deleted_the_hook_before_it_comes_back(bare_repo: Repo) -> None:
    repo = bare_repo
    path = hook(repo.path / ".git/hooks/pre-commit", "#!/bin/sh\nprintf x >>.git/ran\n")
    before = repo.hooks()
    for arguments in ([], ["--uninstall"]):
        repo.install()
        path.write_text(path.read_text(encoding="utf-8") + "echo mine\n", encoding="utf-8")
        assert "delete that file" in repo.mneme("install-hook", *arguments, cwd=repo.path).err
        path.unlink()
        result = repo.mneme("install-hook", *arguments, cwd=repo.path)
        assert result.code == 0
        assert ("put back the hook" if arguments else "runs first, as pre-commit.before-mneme") in result.err
        if not arguments:
            repo.stage(GOOD)
            assert repo.commit().returncode == 0
            assert (repo.path / ".git/ran").read_text(encoding="utf-8") == "x"
            repo.install("--uninstall")
        assert repo.hooks() == before


def test_a_hook_that_took_our_place_is_left_alone(bare_repo: Repo) -> None:
    repo = bare_repo
    path = hook(repo.path / ".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n")
    repo.install()
    hook(path, "#!/bin/sh\n# a newer tool\n")
    before = repo.hooks()
    result = repo.mneme("install-hook", cwd=repo.path)
    assert result.code == 2
    assert "both exist, and neither is ours" in result.err
    assert repo.hooks() == before
    result = repo.mneme("install-hook", "--uninstall", cwd=repo.path)
    assert result.code == 0
    assert "both were left alone" in result.err
    assert {name: value for name, value in before.items() if name != "pre-merge-commit"} == repo.hooks()


@pytest.mark.parametrize(
    "text",
    [
        '#!/bin/sh\n. "$(dirname "$0")/husky.sh"\n',
        '#!/bin/sh\nexec tool "$(basename "$0")"\n',
        "#!/bin/sh\ntool ${0##*/}\n",
        "#!/bin/sh\ntool ${0#.git/hooks/}\n",
        '#!/bin/sh\ncase "$0" in */pre-commit) make check;; esac\n',
        '#!/bin/sh\nfor part in "$0.d"/*; do "$part"; done\n',
        '#!/bin/sh\n. "$(dirname "$0")/run-by-name"\n',
        '#!/bin/bash\nname=$(realpath "${BASH_SOURCE[0]}")\n',
        "#!/usr/bin/env python3\nimport sys, os\nprint(os.path.basename(sys.argv[0]))\n",
        "#!/usr/bin/env python3\nimport sys\nname, *words = sys.argv\n",
        "#!/usr/bin/env python3\nfrom pathlib import Path\nprint(Path(__file__).name)\n",
        "#!/usr/bin/env node\nrun(path.basename(process.argv[1]))\n",
        "\x7fELF\0 a program",
    ],
)
def test_a_hook_that_goes_by_its_name_is_not_moved(bare_repo: Repo, text: str) -> None:
    hook(bare_repo.path / ".git/hooks/pre-commit", text)
    before = bare_repo.hooks()
    result = bare_repo.mneme("install-hook", cwd=bare_repo.path)
    assert result.code == 1
    assert result.out.endswith("lint --staged --format hook || exit $?\n")
    assert "may go by its own file name" in result.err
    assert bare_repo.hooks() == before


def test_a_hook_that_goes_by_its_name_and_runs_the_line_is_a_guard(bare_repo: Repo) -> None:
    repo = bare_repo
    text = '#!/bin/sh\ncase "$0" in */pre-commit) printf x >>.git/ran;; esac\n'
    path = hook(repo.path / ".git/hooks/pre-commit", text)
    line = repo.mneme("install-hook", cwd=repo.path).out
    hook(path, text + line)
    for said in ("commits are guarded by", "already installed"):
        result = repo.mneme("install-hook", cwd=repo.path)
        assert (result.code, result.out) == (0, "")
        assert f"{said}" in result.err
        assert f"{path}," in result.err
    assert path.read_text(encoding="utf-8") == text + line
    repo.stage(BAD)
    assert repo.commit().returncode != 0
    repo.stage(GOOD)
    assert repo.commit().returncode == 0
    assert f"out of {path}" in repo.mneme("install-hook", "--uninstall", cwd=repo.path).err


LEFTHOOK = """#!/bin/sh
if [ "$LEFTHOOK" = "0" ]; then exit 0; fi
call_lefthook() { :; }
call_lefthook run "pre-commit" "$@"
"""


def test_lefthook_gets_the_line_in_its_configuration(bare_repo: Repo) -> None:
    repo = bare_repo
    path = hook(repo.path / ".git/hooks/pre-commit", LEFTHOOK)
    before = repo.hooks()
    result = repo.mneme("install-hook", cwd=repo.path)
    assert (result.code, result.out) == (1, "mneme lint --staged --format hook\n")
    assert f"make {repo.path / 'lefthook.yml'} run this" in result.err
    assert repo.hooks() == before
    repo.write("pre-commit:\n  commands:\n    mneme:\n      run: " + result.out, "lefthook.yml")
    assert "already installed" in repo.mneme("install-hook", cwd=repo.path).err
    assert path.read_text(encoding="utf-8") == LEFTHOOK


def test_lefthook_that_moved_our_script_away_is_no_riddle(repo: Repo) -> None:
    path = repo.path / ".git/hooks/pre-commit"
    path.rename(path.with_name("pre-commit.old"))
    hook(path, LEFTHOOK)
    result = repo.mneme("install-hook", cwd=repo.path)
    assert (result.code, "lefthook writes the hooks here" in result.err) == (1, True)
    repo.install("--uninstall")
    assert path.read_text(encoding="utf-8") == LEFTHOOK
    assert [name for name in repo.hooks() if not name.endswith(".sample")] == ["pre-commit"]


def test_a_hook_that_asks_for_its_folder_or_speaks_of_its_name_in_a_comment_is_kept(bare_repo: Repo) -> None:
    text = '#!/bin/sh\n# $0 is no matter\n"$(dirname "$0")/helper" && "${0%/*}"/helper "$@"\n'
    hook(bare_repo.path / ".git/hooks/pre-commit", text)
    hook(bare_repo.path / ".git/hooks/helper", "#!/bin/sh\nprintf x >>.git/ran\n")
    bare_repo.install()
    bare_repo.stage(GOOD)
    assert bare_repo.commit().returncode == 0
    assert (bare_repo.path / ".git/ran").read_text(encoding="utf-8") == "xx"


def test_an_older_script_of_ours_is_brought_up_to_date(repo: Repo) -> None:
    path = repo.path / ".git/hooks/pre-commit"
    current = path.read_bytes()
    path.write_bytes(render("pre-commit", Launcher("/usr/lib/old/python")))
    repo.install()
    assert path.read_bytes() == current


# --- core.hooksPath -------------------------------------------------------------------------------------


def test_hooks_path_in_the_work_tree_gets_a_line_that_holds_everywhere(bare_repo: Repo) -> None:
    repo = bare_repo
    repo.must("config", "core.hooksPath", ".githooks")
    path = hook(repo.write("", ".githooks/pre-commit"), "#!/bin/sh\n")
    before = repo.hooks()
    result = repo.mneme("install-hook", cwd=repo.path)
    assert result.code == 1
    assert result.out == "mneme lint --staged --format hook || exit $?\n"
    assert str(path) in result.err
    assert (path.read_text(encoding="utf-8"), repo.hooks()) == ("#!/bin/sh\n", before)

    hook(path, "#!/bin/sh\n" + result.out)
    assert repo.mneme("install-hook", cwd=repo.path).code == 0
    repo.stage(BAD)
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert repo.commit(PATH=search).returncode != 0
    repo.stage(GOOD)
    assert repo.commit(PATH=search).returncode == 0
    result = repo.mneme("install-hook", "--uninstall", cwd=repo.path)
    assert f"out of {path}" in result.err


def test_a_line_that_git_does_not_run_is_not_installed(bare_repo: Repo) -> None:
    repo = bare_repo
    repo.must("config", "core.hooksPath", ".githooks")
    path = hook(repo.write("", ".githooks/pre-commit"), "#!/bin/sh\n# mneme lint --staged --format hook\n")
    result = repo.mneme("install-hook", cwd=repo.path)
    assert (result.code, result.out) == (1, "mneme lint --staged --format hook || exit $?\n")
    hook(path, f"#!/bin/sh\n{result.out}", mode=0o644)
    result = repo.mneme("install-hook", cwd=repo.path)
    assert (result.code, "is not executable: git does not run it" in result.err) == (1, True)
    path.chmod(0o755)
    repo.install()


def test_husky_has_its_hooks_beside_the_folder_it_generates(bare_repo: Repo) -> None:
    """Husky 9: git runs .husky/_/pre-commit, which runs .husky/pre-commit by sh -e."""
    repo = bare_repo
    repo.must("config", "core.hooksPath", ".husky/_")
    hook(repo.write("", ".husky/_/pre-commit"), '#!/bin/sh\n. "$(dirname "$0")/h"\n')
    path = repo.path / ".husky/pre-commit"
    result = repo.mneme("install-hook", cwd=repo.path)
    assert result.code == 1
    assert f"add this line to {path} and" in result.err
    hook(path, result.out, mode=0o644)
    repo.install()
    assert f"out of {path}" in repo.mneme("install-hook", "--uninstall", cwd=repo.path).err


def test_hooks_path_outside_gets_a_line_with_the_interpreter(bare_repo: Repo, tmp_path: Path) -> None:
    repo = bare_repo
    folder = tmp_path / "all my hooks"
    folder.mkdir()
    repo.must("config", "core.hooksPath", str(folder))
    result = repo.mneme("install-hook", cwd=repo.path)
    assert (result.code, list(folder.iterdir())) == (1, [])
    hook(folder / "pre-commit", "#!/bin/sh\n" + result.out)
    repo.stage(BAD)
    assert repo.commit().returncode != 0
    repo.stage(GOOD)
    assert repo.commit().returncode == 0


def test_hooks_switched_off(bare_repo: Repo) -> None:
    bare_repo.must("config", "core.hooksPath", os.devnull)
    result = bare_repo.mneme("install-hook", cwd=bare_repo.path)
    assert (result.code, result.out) == (1, "")
    assert "git runs no hook here" in result.err


@pytest.mark.parametrize("value", ["", os.devnull])
def test_hooks_switched_off_by_an_empty_path_are_no_guard(repo: Repo, value: str) -> None:
    repo.must("config", "core.hooksPath", value)
    repo.stage(BAD)
    assert repo.commit().returncode == 0  # git ran no hook
    result = repo.mneme("install-hook", cwd=repo.path)
    assert (result.code, result.out) == (1, "")
    assert "git config --unset core.hooksPath" in result.err


def test_hooks_path_that_says_what_git_does_anyway(bare_repo: Repo) -> None:
    bare_repo.must("config", "core.hooksPath", ".git/hooks")
    bare_repo.install()
    bare_repo.stage(BAD)
    assert bare_repo.commit().returncode != 0


def test_a_hooks_folder_that_is_a_link_is_not_written_through(bare_repo: Repo, tmp_path: Path) -> None:
    shutil.rmtree(bare_repo.path / ".git/hooks")
    (tmp_path / "shared").mkdir()
    (bare_repo.path / ".git/hooks").symlink_to(tmp_path / "shared")
    assert bare_repo.mneme("install-hook", cwd=bare_repo.path).code == 1
    assert list((tmp_path / "shared").iterdir()) == []


# --- where it cannot be ---------------------------------------------------------------------------------


def test_no_repository(tmp_path: Path, mneme: Runner) -> None:
    for arguments in (["install-hook"], ["install-hook", "--uninstall"], ["lint", "--staged"]):
        result = mneme(*arguments)
        assert result.code == 2
        assert "is not in a git repository" in result.err
        assert "git init" in result.err


def test_a_bare_repository(tmp_path: Path, mneme: Runner) -> None:
    subprocess.run(["git", "init", "-q", "--bare", "bare.git"], cwd=tmp_path, check=True)
    result = mneme("install-hook", cwd=tmp_path / "bare.git")
    assert result.code == 2
    assert "bare repository" in result.err


def test_no_git(tmp_path: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = mneme("install-hook")
    assert result.code == 2
    assert "git was not found on the PATH" in result.err


def test_staged_goes_without_paths_and_changes_nothing(repo: Repo) -> None:
    for arguments in (["project.mneme"], ["--fix"], ["--diff"], ["--add-ignore"], ["--format", "compat"]):
        result = repo.mneme("lint", "--staged", *arguments, cwd=repo.path)
        assert result.code == 2
        assert "change nothing" in result.err


def test_staged_and_repository_from_a_folder_below(repo: Repo) -> None:
    repo.stage(BAD)
    repo.write(GOOD)
    (repo.path / "below").mkdir()
    staged = repo.mneme("lint", "--staged", "--format", "concise", cwd=repo.path / "below")
    assert staged.code == 1
    assert staged.out.startswith("../project.mneme:6:3: error MN101")
    on_disk = repo.mneme("lint", "--repository", cwd=repo.path / "below")
    assert (on_disk.code, on_disk.out) == (0, "1 cell in 1 file: all clear\n")


def test_the_framework_leaves_untracked_files_lying_and_they_are_not_judged(
    bare_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = bare_repo
    repo.stage(GOOD)
    repo.write(GOOD, "untracked.mneme")
    assert repo.mneme("lint", "--repository", cwd=repo.path).code == 1
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert repo.mneme("lint", "--repository", cwd=repo.path).code == 0
    repo.must("add", "--intent-to-add", "untracked.mneme")
    assert repo.mneme("lint", "--repository", cwd=repo.path).code == 0
    repo.must("add", "untracked.mneme")
    assert repo.mneme("lint", "--repository", cwd=repo.path).code == 1


def test_the_documented_session_is_what_happens(bare_repo: Repo) -> None:
    page = (ROOT / "docs" / "git-hooks.md").read_text(encoding="utf-8")
    shown = page.partition("```console\n$ mneme install-hook\n")[2].partition("```")[0]
    assert (
        bare_repo.mneme("install-hook", cwd=bare_repo.path).err.replace(str(bare_repo.path), "/home/me/project")
        == shown
    )
