"""``mneme resolve``: the merge cases where no driver ran, from git's index and from marks alone."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.history.merge.marks import has_marks
from tests.cli.merge_cases import CASES, MergeCase
from tests.cli.test_merge_cases import World
from tests.conftest import Runner, cell

FIRST = cell("DEC-0001")
SECOND = cell("DEC-0002", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
THIRD = cell("DEC-0002", gist="Builds run on ARM", topic="build/ci", cue="builds", since="2026-11-02")


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_from_the_index_it_writes_what_the_driver_would_have(tmp_path: Path, mneme: Runner, style: str) -> None:
    world = World(tmp_path / "all cases, ü", CASES, mneme)
    world.git("config", "--remove-section", "merge.mneme")
    world.git("config", "merge.conflictStyle", style)
    for ours, theirs, turned in (("ours", "theirs", False), ("theirs", "ours", True)):
        world.git("switch", "-q", ours)
        assert world.git("merge", "--no-edit", theirs, check=False).returncode == 1
        left = {int(name[:2]) for name in world.git("diff", "--name-only", "--diff-filter=U").stdout.split()}
        assert len(left) > len(CASES) // 2
        world.git("config", "merge.conflictStyle", "merge")
        done = mneme("resolve", cwd=world.path)
        assert done.code == 1
        for number in left:
            case = CASES[number]
            expected = case.turned if turned else case.texts["expect"]
            assert (world.folder(number) / "project.mneme").read_bytes().decode() == expected, case.place
            for note in case.notes:
                assert f"mneme: {number:02d}/project.mneme: {note}\n" in done.err
        assert {int(name[:2]) for name in world.git("diff", "--name-only", "--diff-filter=U").stdout.split()} == left
        world.git("merge", "--abort")
        world.git("config", "merge.conflictStyle", style)


def by_lines(folder: Path, case: MergeCase, *options: str) -> str:
    for name in ("base", "ours", "theirs"):
        (folder / name).write_bytes(case.texts[name].encode())
    names = ["-L", "ours", "-L", "base", "-L", "theirs"]
    done = subprocess.run(
        ["git", "merge-file", "-p", *options, *names, "ours", "base", "theirs"], cwd=folder, capture_output=True
    )
    return done.stdout.decode()


WITHOUT_TRUNK = [case for case in CASES if not case.trunk]


@pytest.mark.parametrize("case", WITHOUT_TRUNK, ids=lambda case: case.place)
def test_marks_that_show_the_base_are_as_good(tmp_path: Path, mneme: Runner, case: MergeCase) -> None:
    text = by_lines(tmp_path, case, "--diff3")
    path = tmp_path / "a.mneme"
    path.write_bytes(text.encode())
    done = mneme("resolve", "a.mneme")
    if not has_marks(text):
        assert (done.code, path.read_bytes().decode()) == (0, text)
        return
    if "unmarked" in case.settings:
        number = case.settings["unmarked"].partition(",")[0]
        assert f"mentions {number}, and may mean what is now " in done.err
        return
    assert "may mean" not in done.err
    assert path.read_bytes().decode() == case.texts["expect"]
    assert done.code == bool(case.conflicts)


@pytest.mark.parametrize("case", WITHOUT_TRUNK, ids=lambda case: case.place)
@pytest.mark.parametrize("options", [(), ("--zdiff3",)], ids=["merge", "zdiff3"])
def test_marks_that_do_not_show_it_lose_nothing(
    tmp_path: Path, mneme: Runner, case: MergeCase, options: tuple[str, ...]
) -> None:
    text = by_lines(tmp_path, case, *options)
    path = tmp_path / "a.mneme"
    path.write_bytes(text.encode())
    done = mneme("resolve", "a.mneme")
    after = path.read_bytes().decode()
    assert done.code == has_marks(after)
    if options and after == case.texts["expect"]:
        return
    said = {" ".join(line.split()) for line in after.splitlines()}
    for line in text.splitlines():
        words = " ".join(line.split())
        if words.startswith(("gist ", "> ", "# ", "cue ")):
            assert words in said or words.replace("DEC-0003", "DEC-0004") in said


def test_what_somebody_resolved_by_hand_stays(tmp_path: Path, mneme: Runner) -> None:
    path = tmp_path / "a.mneme"
    path.write_text(
        f"# by hand\n{FIRST}\n<<<<<<< HEAD\n{SECOND}||||||| base\n=======\n{THIRD}>>>>>>> feature\n", encoding="utf-8"
    )
    done = mneme("resolve", "a.mneme")
    assert done.code == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"# by hand\n{FIRST}")
    assert "@ DEC-0002  api/auth" in text
    assert "@ DEC-0003  build/ci" in text
    assert "'Tokens live for one hour' keeps it (it is older)" in done.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{FIRST}<<<<<<< HEAD\n{SECOND}", "do not pair up"),
        (f"{FIRST}\n<<<<<<< HEAD\n=======\n{SECOND}>>>>>>> other\n", "whether a side took something away"),
        (FIRST, "there are no conflict marks in it"),
    ],
)
def test_what_cannot_be_told_is_left_alone(tmp_path: Path, mneme: Runner, text: str, says: str) -> None:
    path = tmp_path / "a.mneme"
    path.write_text(text, encoding="utf-8")
    done = mneme("resolve", "a.mneme")
    assert says in done.err
    assert done.code == (text != FIRST)
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_one_side_deleted(tmp_path: Path, mneme: Runner, git: Callable[..., str]) -> None:
    run = git
    run("init", "-q", "-b", "main")
    path = tmp_path / "a.mneme"
    path.write_text(FIRST, encoding="utf-8")
    run("add", "-A")
    run("commit", "-q", "-m", "base")
    run("switch", "-q", "-c", "gone")
    run("rm", "-q", "a.mneme")
    run("commit", "-q", "-m", "gone")
    run("switch", "-q", "main")
    path.write_text(FIRST + "\n" + SECOND, encoding="utf-8")
    run("commit", "-q", "-a", "-m", "more")
    run("merge", "gone", check=False)
    done = mneme("resolve")
    assert "a.mneme: one side deleted it" in done.err
    assert done.code == 1
    assert path.read_text(encoding="utf-8") == FIRST + "\n" + SECOND


def test_nothing_to_do_and_nothing_to_read(mneme: Runner) -> None:
    assert "no memory file is in conflict" in mneme("resolve").err
    assert mneme("resolve", "gone.mneme").code == 2
