"""The merge driver where things are not as usual: odd names, odd bytes, odd repositories, and when it dies."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.test_install_git import FIRST, LINES, SECOND, THIRD, Repo
from tests.conftest import Runner, cell

FOURTH = cell("FACT-0001", gist="Rows are sorted", topic="db/rows", cue="rows", since="2026-11-03")
NAMES = ["-x.mneme", 'a b\'s "c" $(touch oops) `touch oops`; %A %% ü.mneme', "new\nline.mneme", "größe/値 段.mn"]
WITHOUT_MNEME = os.pathsep.join(
    folder for folder in os.environ["PATH"].split(os.pathsep) if not (Path(folder) / "mneme").exists()
)


@pytest.fixture
def repo(tmp_path: Path, mneme: Runner) -> Repo:
    """A repository that merges by cell."""
    made = Repo(tmp_path / "a répo")
    made.path.mkdir()
    made.git("init", "-q", "-b", "main")
    assert mneme("install-git", cwd=made.path).code == 0
    made.commit("start", readme="x\n")
    return made


def with_driver(repo: Repo, change: tuple[str, str]) -> None:
    driver = repo.git("config", "merge.mneme.driver").removesuffix("\n")
    assert change[0] in driver
    repo.git("config", "merge.mneme.driver", driver.replace(*change))


def fork(repo: Repo, base: bytes, ours: bytes, theirs: bytes, name: str) -> None:
    path = repo.path / name
    path.parent.mkdir(exist_ok=True)

    def commit(data: bytes) -> None:
        path.write_bytes(data)
        repo.git("add", "-A")
        repo.git("commit", "-q", "-m", "x")

    commit(base)
    repo.git("switch", "-q", "-c", "theirs")
    commit(theirs)
    repo.git("switch", "-q", "main")
    commit(ours)


# --- names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("there", [True, False], ids=["mneme", "gone"])
def test_any_name_of_a_file(repo: Repo, name: str, there: bool) -> None:
    fork(repo, FIRST.encode(), f"{FIRST}\n{SECOND}".encode(), f"{FIRST}\n{FOURTH}".encode(), name)
    if not there:
        with_driver(repo, (sys.executable, "/gone/python"))
    done = repo.run("merge", "--no-edit", "theirs", PATH=WITHOUT_MNEME)
    text = repo.text(name)
    assert not (repo.path / "oops").exists()
    if there:
        assert (done.returncode, text) == (0, f"{FIRST}\n{SECOND}\n{FOURTH}"), done.stderr
    else:
        assert done.returncode == 1
        assert f"mneme: not found, so {name} was merged by lines" in done.stderr
        assert "<<<<<<< ours" in text


def test_resolve_takes_any_name_and_says_what_to_type(repo: Repo, mneme: Runner) -> None:
    repo.git("config", "--remove-section", "merge.mneme")
    name = NAMES[1]
    fork(repo, FIRST.encode(), f"{FIRST}\n{SECOND}".encode(), f"{FIRST}\n{FOURTH}".encode(), name)
    assert repo.run("merge", "theirs").returncode == 1
    done = mneme("resolve", cwd=repo.path)
    assert done.code == 0
    assert f"merged by cell; git add {shlex.quote(name)} when it is right" in done.err
    assert repo.text(name) == f"{FIRST}\n{SECOND}\n{FOURTH}"


# --- bytes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("autocrlf", ["false", "true", "input"])
def test_files_with_crlf(repo: Repo, autocrlf: str) -> None:
    repo.git("config", "core.autocrlf", autocrlf)
    texts = [text.replace("\n", "\r\n").encode() for text in (FIRST, f"{FIRST}\n{SECOND}", f"{FIRST}\n{THIRD}")]
    fork(repo, texts[0], texts[1], texts[2], "a.mneme")
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 0, done.stderr
    text = (repo.path / "a.mneme").read_bytes().decode()
    end = "\n" if autocrlf == "input" else "\r\n"
    assert text == f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003')}".replace("\n", end)


@pytest.mark.parametrize("autocrlf", ["false", "true"])
def test_resolve_where_git_converts_line_ends(repo: Repo, mneme: Runner, autocrlf: str) -> None:
    repo.git("config", "core.autocrlf", autocrlf)
    repo.git("config", "--remove-section", "merge.mneme")
    texts = [text.replace("\n", "\r\n").encode() for text in (FIRST, f"{FIRST}\n{SECOND}", f"{FIRST}\n{THIRD}")]
    fork(repo, texts[0], texts[1], texts[2], "a.mneme")
    assert repo.run("merge", "--no-edit", "theirs").returncode == 1
    assert mneme("resolve", cwd=repo.path).code == 0
    text = (repo.path / "a.mneme").read_bytes().decode()
    assert text == f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003')}".replace("\n", "\r\n")
    again = mneme("resolve", cwd=repo.path)
    assert (again.code, "there are no conflict marks in it" in again.err) == (0, True)


def test_resolve_again_after_a_merge_that_gives_our_side(repo: Repo, mneme: Runner) -> None:
    repo.git("config", "--remove-section", "merge.mneme")
    superseded = FIRST.replace("state live", "state superseded") + "link  superseded-by FACT-0009\n"
    repo.fork(FIRST, superseded, FIRST.replace("state live", "state retired"))
    assert repo.run("merge", "--no-edit", "theirs").returncode == 1
    for _ in range(2):
        assert mneme("resolve", cwd=repo.path).code == 0
        assert repo.text() == superseded


@pytest.mark.parametrize("bad", [b"\0", b"\xff\xfe"], ids=["NUL", "no UTF-8"])
def test_what_is_no_text_leaves_a_conflict_and_says_so(repo: Repo, mneme: Runner, bad: bytes) -> None:
    ours = f"{FIRST}\n{SECOND}".encode()
    fork(repo, FIRST.encode(), ours, FIRST.encode() + b"> x" + bad + b"\n", "a.mneme")
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 1
    said = "not merged: choose by git checkout" if bad == b"\0" else "merged by lines, not by cell: look at it"
    assert f"mneme: a.mneme: {said}" in done.stderr
    assert repo.git("ls-files", "-u").count("a.mneme") == 3
    assert SECOND.encode() in (repo.path / "a.mneme").read_bytes()
    assert mneme("resolve", cwd=repo.path).code == 2


def test_one_side_empties_the_file(repo: Repo) -> None:
    fork(repo, FIRST.encode(), b"", f"{FIRST}\n{SECOND}".encode(), "a.mneme")
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 0, done.stderr  # it deleted what the other left alone; lint says that it did
    assert repo.text() == SECOND
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("switch", "-q", "theirs")
    repo.commit("changed", a_mneme=f"{FIRST.replace('state live', 'state stale')}\n{SECOND}")
    done = repo.run("merge", "--no-edit", "main")
    assert done.returncode == 1
    assert repo.text().startswith(
        f"<<<<<<< ours\n{FIRST.replace('state live', 'state stale')}=======\n>>>>>>> theirs\n"
    )
    assert repo.text().endswith(SECOND)


def test_both_add_the_file_and_one_adds_nothing(repo: Repo) -> None:
    repo.git("switch", "-q", "-c", "theirs")
    repo.commit("theirs", a_mneme=f"{FIRST}\n{THIRD}", b_mneme="")
    repo.git("switch", "-q", "main")
    repo.commit("ours", a_mneme=f"{FIRST}\n{SECOND}", b_mneme=FOURTH)
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 0, done.stderr
    assert repo.text() == f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003')}"
    assert repo.text("b.mneme") == FOURTH


# --- shapes of history -----------------------------------------------------------------------------------------


def test_deleted_on_one_side_is_gits_own_conflict(repo: Repo, mneme: Runner) -> None:
    repo.fork(FIRST, f"{FIRST}\n{SECOND}", f"{FIRST}\n{FOURTH}")
    repo.git("switch", "-q", "theirs")
    repo.git("rm", "-q", "a.mneme")
    repo.git("commit", "-q", "-m", "gone")
    repo.git("switch", "-q", "main")
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 1
    assert "CONFLICT (modify/delete)" in done.stdout
    assert repo.text() == f"{FIRST}\n{SECOND}"
    assert "one side deleted it" in mneme("resolve", cwd=repo.path).err


def test_renamed_on_one_side_edited_on_the_other(repo: Repo) -> None:
    repo.fork(FIRST, f"{FIRST}\n{SECOND}", f"{FIRST}\n{THIRD}")
    repo.git("switch", "-q", "theirs")
    repo.git("mv", "a.mneme", "b.mneme")
    repo.git("commit", "-q", "-m", "renamed")
    repo.git("switch", "-q", "main")
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 0, done.stderr
    assert "mneme: b.mneme: DEC-0002 was given twice" in done.stderr
    assert not (repo.path / "a.mneme").exists()
    assert repo.text("b.mneme").count("@ DEC-") == 3


def test_a_criss_cross_whose_ancestors_conflict(repo: Repo) -> None:
    gist = FIRST.replace("SQLite", "{}")
    repo.fork(FIRST, gist.format("files"), gist.format("memory"))
    repo.git("branch", "ours-then")
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "theirs")
    repo.git("switch", "-q", "theirs")
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "ours-then")
    repo.commit("more", a_mneme=f"{repo.text()}\n{SECOND}")
    repo.git("switch", "-q", "main")
    repo.commit("more", a_mneme=f"{repo.text()}\n{FOURTH}")
    done = repo.run("merge", "--no-edit", "theirs")
    assert done.returncode == 1
    assert "(of the common ancestors)" in done.stderr
    text = repo.text()
    for line in (gist.format("files"), gist.format("memory")):
        assert line.splitlines()[1] in text
    assert text.count("<<<<<<< ours\n") == text.count(">>>>>>> theirs\n") == 1
    assert "<<<<<<<<" not in text
    assert text.endswith(f"{SECOND}\n{FOURTH}")


def test_an_octopus_calls_no_driver_and_lint_and_resolve_see_to_it(repo: Repo, mneme: Runner) -> None:
    repo.commit("base", a_mneme=FIRST, b_mneme=FOURTH)
    repo.git("tag", "base")
    for name, data in (("one", {"a_mneme": f"{FIRST}\n{SECOND}"}), ("two", {"b_mneme": f"{FOURTH}\n{THIRD}"})):
        repo.git("switch", "-q", "-c", name, "main")
        repo.commit(name, **data)
    repo.git("switch", "-q", "main")
    assert repo.run("merge", "--no-edit", "one", "two").returncode == 0
    assert "duplicate-id" in mneme("lint", cwd=repo.path).out
    repo.git("switch", "-q", "-c", "three", "base")
    repo.commit("three", a_mneme=f"{FIRST}\n{THIRD}")
    repo.git("switch", "-q", "-C", "main", "base")
    repo.commit("four", readme="y\n")
    assert repo.run("merge", "--no-edit", "one", "three").returncode == 1
    assert "<<<<<<<" in repo.text()
    assert mneme("resolve", cwd=repo.path).code == 0
    assert repo.text() == f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003')}"


def test_merge_tree_in_a_bare_repository(repo: Repo, mneme: Runner, tmp_path: Path) -> None:
    repo.fork(FIRST, f"{FIRST}\n{SECOND}", f"{FIRST}\n{THIRD}")
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    bare = Repo(tmp_path / "bare.git")
    assert "bare" in mneme("install-git", cwd=bare.path).err
    bare.git("config", "merge.mneme.driver", repo.git("config", "merge.mneme.driver").removesuffix("\n"))
    (bare.path / "info").mkdir(exist_ok=True)
    (bare.path / "info" / "attributes").write_text("*.mneme merge=mneme\n", encoding="utf-8")
    done = bare.run("merge-tree", "--write-tree", "main", "theirs")
    assert done.returncode == 0, done.stderr
    merged = bare.git("show", f"{done.stdout.split()[0]}:a.mneme")
    assert merged == f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003')}"


def test_in_a_submodule(repo: Repo, mneme: Runner, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.path.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner.fork(FIRST, f"{FIRST}\n{SECOND}", f"{FIRST}\n{THIRD}")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "memory")
    module = Repo(repo.path / "memory")
    assert mneme("install-git", cwd=module.path).code == 0
    assert (module.path / ".gitattributes").exists()
    done = module.run("merge", "--no-edit", "origin/theirs")
    assert done.returncode == 0, done.stderr
    assert module.text().count("@ DEC-") == 3
    assert (repo.path / ".git" / "modules" / "memory" / "mneme-renumbered").exists()


# --- when it dies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["kill -9 $$", "exit 2", "exit 3", "exit 130"])
def test_a_driver_that_dies_leaves_an_ordinary_conflict(repo: Repo, how: str) -> None:
    fork(repo, FIRST.encode(), f"{FIRST}\n{SECOND}".encode(), f"{FIRST}\n{THIRD}".encode(), "a.mneme")
    with_driver(repo, (f"{sys.executable} -E -P -X utf8 -m mneme", f"sh -c '{how}' --"))
    done = repo.run("merge", "--no-edit", "theirs", PATH=WITHOUT_MNEME)
    assert done.returncode == 1
    assert "mneme: failed, so a.mneme was merged by lines: look at it, then git add" in done.stderr
    text = repo.text()
    assert "<<<<<<< ours\n" in text
    assert SECOND.splitlines()[1] in text
    assert THIRD.splitlines()[1] in text


def test_a_merge_by_lines_is_never_taken_for_a_good_one(repo: Repo) -> None:
    far = "\n".join(cell(f"FACT-{number:04d}", gist=f"Row {number}") for number in range(10, 16))
    texts = [f"{before}{far}{after}" for before, after in (("", ""), (f"{SECOND}\n", ""), ("", f"\n{THIRD}"))]
    fork(repo, *(text.encode() for text in texts), "a.mneme")
    with_driver(repo, (sys.executable, "/gone/python"))
    done = repo.run("merge", "--no-edit", "theirs", PATH=WITHOUT_MNEME)
    assert done.returncode == 1  # without conflicts, and DEC-0002 is there twice
    assert repo.git("ls-files", "-u")
    assert repo.text().count("@ DEC-0002") == 2


def test_git_that_cannot_start_the_driver_at_all(repo: Repo, mneme: Runner) -> None:
    """The whole command is killed: git takes our side and says that the path is in conflict; resolve says so too."""
    fork(repo, FIRST.encode(), f"{FIRST}\n{SECOND}".encode(), f"{FIRST}\n{THIRD}".encode(), "a.mneme")
    driver = repo.git("config", "merge.mneme.driver").removesuffix("\n")
    repo.git("config", "merge.mneme.driver", "kill -9 $$")
    done = repo.run("merge", "--no-edit", "theirs")
    if not repo.git("ls-files", "-u"):  # a newer git stops the merge and leaves everything as it was
        assert done.returncode > 1
        return
    said = mneme("resolve", cwd=repo.path)
    assert said.code == 1
    assert "nothing of the other side" in said.err
    assert repo.text() == f"{FIRST}\n{SECOND}"
    repo.git("config", "merge.mneme.driver", driver)
    repo.git("checkout", "--merge", "--", "a.mneme")
    assert repo.text() == f"{FIRST}\n{SECOND}\n{THIRD.replace('DEC-0002', 'DEC-0003')}"


# --- the attributes file ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "theirs",
    [b"", b"\n", b"*.png binary", b"*.png binary\n", b"*.png binary\r\n", b"a\r\nb", b"caf\xe9 text\n\n\n", b"x\r"],
)
def test_uninstall_gives_back_the_bytes_of_others(repo: Repo, mneme: Runner, theirs: bytes) -> None:
    path = repo.path / ".gitattributes"
    path.write_bytes(theirs)
    for _ in range(2):
        assert mneme("install-git", cwd=repo.path).code == 0
    text = path.read_bytes()
    assert text.replace(b"\r\n", b"\n").count(LINES.encode().removesuffix(b"\n")) == 1
    assert mneme("install-git", "--uninstall", cwd=repo.path).code == 0
    assert (path.read_bytes() if path.exists() else b"") == theirs


def test_lines_that_came_after_ours_stay(repo: Repo, mneme: Runner) -> None:
    path = repo.path / ".gitattributes"
    path.write_bytes(b"*.a binary\n" + LINES.encode() + b"*.b binary\n*.mneme text")
    assert mneme("install-git", "--uninstall", cwd=repo.path).code == 0
    assert path.read_bytes() == b"*.a binary\n*.b binary\n*.mneme text"
