"""``mneme supersede``: the new cell, the old one marked, both links, one step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import TODAY, Runner, cell


def test_in_one_file(mneme: Runner, tmp_path: Path) -> None:
    path = tmp_path / "project.mneme"
    path.write_text(cell("DEC-0001") + "\n# about the next\n" + cell("FACT-0001"))
    result = mneme("supersede", "DEC-0001", "Local cache uses DuckDB", "--body", "Scans.", "--conf", "high")
    assert (result.code, result.out) == (0, "DEC-0002\n")
    assert "DEC-0001 superseded: project.mneme:1" in result.err
    assert path.read_text() == (
        cell("DEC-0001", state="superseded", more="link  superseded-by DEC-0002\n")
        + "\n# about the next\n"
        + cell("FACT-0001")
        + "\n@ DEC-0002  storage/cache\n"
        "gist  Local cache uses DuckDB\n"
        f"state live   conf high   since {TODAY}   seen {TODAY}\n"
        "cue   slow queries / cache\n"
        "> Scans.\n"
        "link  supersedes DEC-0001\n"
    )
    assert mneme("lint", "--select", "one-sided-supersession,forked-supersession,dangling-link").code == 0


@pytest.mark.parametrize("end", ["\n", "", "\r\n", "\r"])
def test_the_old_cell_may_be_the_last_one(mneme: Runner, tmp_path: Path, end: str) -> None:
    path = tmp_path / "project.mneme"
    newline = "\r\n" if end == "\r\n" else "\n"
    before = cell("DEC-0001").removesuffix("\n").replace("\n", newline) + end
    path.write_bytes(before.encode())
    assert mneme("supersede", "DEC-0001", "Another", "--cue", "x").out == "DEC-0002\n"
    after = path.read_bytes().decode()
    old, new = after.split(f"{newline}{newline}@ ")
    assert old.startswith(before.replace("state live", "state superseded"))
    assert old.rstrip("\r").endswith("link  superseded-by DEC-0002")
    assert new.endswith(f"link  supersedes DEC-0001{newline}")


def test_in_two_files(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "old.mneme").write_text(cell("DEC-0001"))
    result = mneme("supersede", "DEC-0001", "Another", "--file", "new.mneme", "--format", "json")
    data = json.loads(result.out)
    assert (data["kind"], data["id"], data["path"], data["line"]) == ("supersede", "DEC-0002", "new.mneme", 1)
    assert data["superseded"] == {"id": "DEC-0001", "path": "old.mneme", "line": 1}
    assert "link  superseded-by DEC-0002\n" in (tmp_path / "old.mneme").read_text()
    assert "link  supersedes DEC-0001\n" in (tmp_path / "new.mneme").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.mneme", "old.mneme"]


def test_values_that_are_given_replace_those_of_the_old_cell(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001"))
    mneme("supersede", "DEC-0001", "Another", "--prefix", "FACT", "--topic", "", "--cue", "other")
    assert (
        (tmp_path / "project.mneme")
        .read_text()
        .endswith(
            f"@ FACT-0001\ngist  Another\nstate live   conf med   since {TODAY}   seen {TODAY}\n"
            "cue   other\nlink  supersedes DEC-0001\n"
        )
    )


@pytest.mark.parametrize(("layout", "expected"), [("project", "a/b.mneme"), ("topic", "memory/storage.mneme")])
def test_the_file_is_the_old_cells_or_as_configured(mneme: Runner, tmp_path: Path, layout: str, expected: str) -> None:
    (tmp_path / "mneme.toml").write_text(f'file-per = "{layout}"\n')
    (tmp_path / "project.mneme").write_text("")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.mneme").write_text(cell("DEC-0001"))
    assert mneme("supersede", "DEC-0001", "Another").code == 0
    assert "link  supersedes DEC-0001\n" in (tmp_path / expected).read_text()


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("retired", "DEC-0001 is retired: nothing follows that state"),
        ("alive", "unknown state 'alive'"),
    ],
)
def test_what_is_over_has_no_successor(mneme: Runner, tmp_path: Path, state: str, says: str) -> None:
    path = tmp_path / "project.mneme"
    path.write_text(cell("DEC-0001", state=state))
    result = mneme("supersede", "DEC-0001", "Another")
    assert result.code == 2
    assert says in result.err
    assert path.read_text() == cell("DEC-0001", state=state)


@pytest.mark.parametrize("state", ["proposed", "live", "stale"])
def test_what_is_not_over_has_one(mneme: Runner, tmp_path: Path, state: str) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001", state=state))
    assert mneme("supersede", "DEC-0001", "Another").code == 0


def test_the_current_cell_is_named_instead_of_the_old_one(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001"))
    mneme("supersede", "DEC-0001", "Second")
    mneme("supersede", "DEC-0002", "Third")
    result = mneme("supersede", "DEC-0001", "Fourth")
    assert result.code == 2
    assert "DEC-0001 is superseded already, by DEC-0003" in result.err
    assert "mneme supersede DEC-0003" in result.err


def test_a_cell_marked_by_hand_gets_the_successor_it_lacks(mneme: Runner, tmp_path: Path) -> None:
    path = tmp_path / "project.mneme"
    path.write_text(cell("DEC-0001", state="superseded"))
    assert mneme("supersede", "DEC-0001", "Another").out == "DEC-0002\n"
    assert path.read_text().startswith(cell("DEC-0001", state="superseded", more="link  superseded-by DEC-0002\n"))
    path.write_text(cell("DEC-0001", state="superseded", more="link  superseded-by DEC-0009\n"))
    assert "superseded already, by DEC-0009" in mneme("supersede", "DEC-0001", "Another").err


def test_a_cue_that_cannot_be_taken_over_is_given_anew(mneme: Runner, tmp_path: Path) -> None:
    path = tmp_path / "project.mneme"
    path.write_bytes(cell("DEC-0001", cue="a\x07b").encode())
    assert "the cue holds the control character U+0007" in mneme("supersede", "DEC-0001", "Another").err
    assert mneme("supersede", "DEC-0001", "Another", "--cue", "ab").code == 0


def test_a_second_successor_is_refused(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(
        cell("DEC-0001") + "\n" + cell("DEC-0002", more="link  supersedes DEC-0001\n")
    )
    result = mneme("supersede", "DEC-0001", "Third")
    assert result.code == 2
    assert "DEC-0002 supersedes DEC-0001 already" in result.err
    (tmp_path / "project.mneme").write_text(
        cell("DEC-0001") + "\n" + cell("DEC-0002", state="retired", more="link  supersedes DEC-0001\n")
    )
    assert mneme("supersede", "DEC-0001", "Third").code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--state", "proposed"], "a proposal does not replace anything yet"),
        (["--link", "supersedes=DEC-0001"], "writes that pair itself"),
        (["--link", "superseded-by=DEC-0001"], "writes that pair itself"),
        (["--prefix", "dec"], "did you mean DEC?"),
        (["--personal"], "DEC-0001 is shared: its successor must be so too"),
        (["--file", "x.local.mneme"], "DEC-0001 is shared: its successor must be so too"),
        (["--link", "relates=PREF-0001"], "a shared cell must not link to it"),
    ],
)
def test_refusals_change_nothing(mneme: Runner, tmp_path: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001"))
    (tmp_path / "me.local.mneme").write_text(cell("PREF-0001"))
    result = mneme("supersede", "DEC-0001", "Another", *arguments)
    assert result.code == 2
    assert says in result.err
    assert "hint: " in result.err
    assert (tmp_path / "project.mneme").read_text() == cell("DEC-0001")
    assert len(list(tmp_path.iterdir())) == 2


def test_personal_cells_stay_personal(mneme: Runner, tmp_path: Path) -> None:
    own = Path.home() / ".mneme" / "user.mneme"
    own.parent.mkdir()
    own.write_text(cell("PREF-0001"))
    result = mneme("supersede", "PREF-0001", "Another")
    assert result.code == 0, result.err
    assert own.read_text().count("@ ") == 2
    new = result.out.strip()
    assert mneme("supersede", new, "A third", "--file", "me.local.mneme").code == 0, "two folders, two locks"
    assert f"link  supersedes {new}\n" in (tmp_path / "me.local.mneme").read_text()
    assert own.read_text().count("state superseded") == 2
    assert [path.name for path in own.parent.iterdir()] == ["user.mneme"]
    refused = mneme("supersede", new, "A fourth", "--file", "project.mneme")
    assert refused.code == 2


def test_unknown_and_double_ids(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001") + "\n" + cell("DEC-0001"))
    assert "project.mneme:1 and project.mneme:6" in mneme("supersede", "DEC-0001", "Another").err
    assert "did you mean DEC-0001?" in mneme("supersede", "DEC-1", "Another").err
