"""``mneme renumber``: a number that two cells took is given anew to one of them, with what meant it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.format.digest import anonymous_digest, content_digest
from mneme.format.parser import parse
from tests.conftest import Runner

Git = Callable[..., str]


def a_cell(cell_id: str, gist: str, since: str = "2026-11-01", more: str = "") -> str:
    return f"@ {cell_id}  a\ngist  {gist}\nstate live   since {since}   seen 2026-11-20\ncue   x\n{more}"


def memory(*cells: str) -> str:
    return "\n".join(cells)


FIRST = a_cell("DEC-0001", "First")
TRUNK = a_cell("DEC-0002", "Of the trunk", more="> DEC-0002 is this one\n")
SIDE = a_cell("DEC-0002", "Of the side", more="> see also DEC-0002 itself\n")
TRUNK_LINK = a_cell("DEC-0003", "Leans on the trunk's", more="link  relates DEC-0002\n")
SIDE_LINK = a_cell("DEC-0004", "Leans on the side's", more="> As DEC-0002 says.\nlink  depends-on DEC-0002\n")


@pytest.fixture
def merged(tmp_path: Path, git: Git) -> Path:
    """Two branches took DEC-0002, and a merge has kept both."""
    git("init", "-q", "-b", "main")
    commit(git, tmp_path, {"project.mneme": FIRST})
    git("checkout", "-q", "-b", "side")
    commit(git, tmp_path, {"side.mneme": memory(SIDE, SIDE_LINK)})
    git("checkout", "-q", "main")
    commit(git, tmp_path, {"project.mneme": memory(FIRST, TRUNK, TRUNK_LINK)})
    git("checkout", "-q", "side")
    git("merge", "-q", "--no-edit", "main")
    return tmp_path


def commit(git: Git, folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    git("add", "-A")
    git("commit", "-q", "-m", "x")


def note(text: str) -> str:
    return f"# mneme: renumbered[DEC-0002] {anonymous_digest(parse(text).cells[0])}\n"


def test_the_trunk_keeps_its_number_and_the_side_its_links(merged: Path, mneme: Runner, git: Git) -> None:
    assert mneme("lint", "--select", "duplicate-id").code == 1
    result = mneme("renumber", "DEC-0002")
    assert (result.code, result.out) == (0, "DEC-0002 -> DEC-0005  side.mneme:1\n")
    assert "DEC-0002 stays with project.mneme:6: the trunk holds it" in result.err
    assert (merged / "project.mneme").read_text(encoding="utf-8") == memory(FIRST, TRUNK, TRUNK_LINK)
    head, _, rest = SIDE.replace("DEC-0002", "DEC-0005").partition("\n")
    renamed = SIDE_LINK.replace("DEC-0002", "DEC-0005")
    assert (merged / "side.mneme").read_text(encoding="utf-8") == memory(f"{head}\n{note(SIDE)}{rest}", renamed)
    assert [line for line in result.err.splitlines() if "changed with it" in line] == [
        "mneme: changed with it: side.mneme:6, side.mneme:12, side.mneme:13"
    ]
    for options in ([], ["--base", "main"]):
        assert mneme("lint", "--exit-zero", "--format", "concise", *options).out == "5 cells in 2 files: all clear\n"
    git("commit", "-q", "-a", "-m", "renumbered")
    for options in ([], ["--base", "main"], ["--base", "main~1"], ["--base", "main..side"]):
        assert mneme("lint", "--exit-zero", "--format", "concise", *options).out == "5 cells in 2 files: all clear\n"
    assert "renumbered" in mneme("history", "DEC-0005").out


def test_before_the_branches_meet(merged: Path, mneme: Runner, git: Git) -> None:
    git("reset", "-q", "--hard", "HEAD~1")
    assert mneme("lint", "--base", "main", "--select", "id-reused").code == 1
    result = mneme("renumber", "DEC-0002", "DEC-0042")
    assert (result.code, result.out) == (0, "DEC-0002 -> DEC-0042  side.mneme:1\n")
    assert "the trunk holds another cell of that number" in result.err
    assert mneme("lint").code == 0
    git("commit", "-q", "-a", "-m", "renumbered")
    assert mneme("lint", "--base", "main").code == 0
    git("merge", "-q", "--no-edit", "main")
    assert mneme("lint").code == 0
    again = mneme("renumber", "DEC-0042")
    assert again.code == 2
    assert "an ID never changes" in again.err


def test_a_digest_names_the_cell(merged: Path, mneme: Runner) -> None:
    cells = {cell.gist: cell for cell in parse(memory(TRUNK, SIDE)).cells}
    for digest in (content_digest(cells["Of the trunk"]), anonymous_digest(cells["Of the trunk"])[3:20]):
        before = {path: path.read_bytes() for path in merged.glob("*.mneme")}
        result = mneme("renumber", "DEC-0002", "--cell", digest)
        assert (result.code, result.out) == (0, "DEC-0002 -> DEC-0005  project.mneme:6\n")
        assert "not changed, they may mean either cell: project.mneme:17, side.mneme:11, side.mneme:12" in result.err
        for path, data in before.items():
            path.write_bytes(data)
    for digest, words in (("0000000000", "no cell"), ("xyz", "no digest"), ("12", "no digest")):
        refused = mneme("renumber", "DEC-0002", "--cell", digest)
        assert refused.code == 2
        assert words in refused.err


def test_without_git_the_older_cell_keeps_the_number(tmp_path: Path, mneme: Runner) -> None:
    older, younger = a_cell("DEC-0002", "Older", "2026-10-01"), a_cell("DEC-0002", "Younger")
    (tmp_path / "a.mneme").write_text(memory(younger, older, TRUNK_LINK), encoding="utf-8")
    result = mneme("renumber", "DEC-0002", "--format", "json")
    found = json.loads(result.out)
    assert (found["kind"], found["new_id"], found["line"], found["reason"]) == (
        "renumber",
        "DEC-0004",
        1,
        "it is older",
    )
    assert (found["mentions"], found["unclear"]) == ([], ["a.mneme:16"])


@pytest.mark.parametrize("answered_by", ["moved", "keeper", "both", "neither"])
def test_without_git_a_supersession_means_the_cell_that_answers_it(
    answered_by: str, tmp_path: Path, mneme: Runner
) -> None:
    answer = "link  supersedes DEC-0001\n"
    old = FIRST.replace("state live", "state superseded") + "link  superseded-by DEC-0002\n"
    moved = a_cell("DEC-0002", "Newer", since="2026-11-02", more=answer * (answered_by in ("moved", "both")))
    keeper = a_cell("DEC-0002", "Older", more=answer * (answered_by in ("keeper", "both")))
    (tmp_path / "project.mneme").write_text(memory(old, moved, keeper), encoding="utf-8", newline="")
    result = mneme("renumber", "DEC-0002")
    assert result.out == "DEC-0002 -> DEC-0003  project.mneme:7\n"
    first = parse((tmp_path / "project.mneme").read_text(encoding="utf-8")).cells[0]
    assert first.links[0].target == ("DEC-0003" if answered_by == "moved" else "DEC-0002")
    assert ("may mean either cell" in result.err) is (answered_by in ("both", "neither"))


def test_one_number_spelled_twice_and_a_personal_cell(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "a.mneme").write_text(memory(a_cell("DEC-2", "Younger", "2026-11-02")), encoding="utf-8")
    (tmp_path / "me.local.mneme").write_text(memory(a_cell("DEC-0002", "Mine", "2026-01-01")), encoding="utf-8")
    result = mneme("renumber", "DEC-0002")
    assert (result.code, result.out) == (0, "DEC-0002 -> DEC-0003  me.local.mneme:1\n")
    assert "DEC-0002 stays with a.mneme:1: it is shared" in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["DEC-0009"], "no cell has the ID"),
        (["DEC-0001"], "an ID never changes"),
        (["DEC-0002", "DEC-0003"], "is taken"),
        (["DEC-0002", "DEC-3"], "is taken"),
        (["DEC-0002", "FACT-0009"], "no ID of the prefix DEC"),
        (["DEC-0002", "dec-9"], "no ID of the prefix DEC"),
    ],
)
def test_what_is_refused(merged: Path, mneme: Runner, arguments: list[str], words: str) -> None:
    before = {path: path.read_bytes() for path in merged.glob("*.mneme")}
    result = mneme("renumber", *arguments)
    assert result.code == 2
    assert words in result.err
    assert {path: path.read_bytes() for path in merged.glob("*.mneme")} == before


def test_the_same_cell_twice(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "a.mneme").write_text(memory(FIRST, FIRST), encoding="utf-8")
    result = mneme("renumber", "DEC-0001")
    assert result.code == 2
    assert "delete one of the two" in result.err


def test_line_ends_and_a_file_without_a_last_one(tmp_path: Path, mneme: Runner) -> None:
    text = memory(TRUNK, SIDE).replace("\n", "\r\n").removesuffix("\r\n")
    (tmp_path / "a.mneme").write_bytes(text.encode())
    assert mneme("renumber", "DEC-0002", "DEC-0007").code == 0
    data = (tmp_path / "a.mneme").read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert data.count(b"DEC-0007") == 2
