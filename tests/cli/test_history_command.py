"""``mneme history``, ``mneme blame`` and ``mneme why``, over real commits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Runner, cell
from tests.past import Past

GIST = "Local cache uses SQLite instead of JSON files"
OTHER = cell("FACT-0001", gist="Staging has two nodes", topic="env/staging", cue="staging")


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path)


def happened(mneme: Runner, cell_id: str, cwd: Path | None = None) -> list[tuple[str, str, str, str]]:
    """Kind, day, author and words of each event."""
    result = mneme("history", cell_id, "--format", "json", cwd=cwd)
    assert result.code == 0, result.err
    events = []
    for event in json.loads(result.out)["events"]:
        commit = event["commit"] or {"date": "", "author": ""}
        events.append((event["kind"], commit["date"], commit["author"], "; ".join(event["what"])))
    return events


def test_a_life(past: Past, mneme: Runner) -> None:
    first = cell("DEC-0001", seen="2026-11-01")
    past.commit("Cache decision", {"project.mneme": f"{OTHER}\n{first}"}, day="2026-11-01")
    again = first.replace("seen 2026-11-01", "seen 2026-11-05")
    past.commit("Still so", {"project.mneme": f"{OTHER}\n{again}"}, day="2026-11-05", by="Bob")
    past.commit("Other work", {"project.mneme": f"{OTHER}\n{again}\n# a comment\n"}, day="2026-11-06")
    past.commit("By topic", {"project.mneme": OTHER, "memory/storage.mneme": again}, day="2026-11-07")
    past.git("mv", "memory", "notes")
    past.commit("Folder renamed", {}, day="2026-11-08")
    old = again.replace("state live", "state superseded") + "link  superseded-by DEC-0002\n"
    new = cell("DEC-0002", gist="Local cache uses files after all", more="link  supersedes DEC-0001\n")
    past.commit("We changed our mind", {"notes/storage.mneme": f"{old}\n{new}"}, day="2026-11-09", by="Bob")
    edited = old.replace("SQLite", "sqlite")
    past.commit("Typo", {"notes/storage.mneme": f"{edited}\n{new}"}, day="2026-11-10")
    past.commit("Gone", {"notes/storage.mneme": new}, day="2026-11-11")
    past.put({"notes/storage.mneme": f"{edited}\n{new}"})
    assert happened(mneme, "DEC-0001") == [
        ("established", "2026-11-01", "Ann", "established (live, high)"),
        ("confirmed", "2026-11-05", "Bob", "seen 2026-11-01 -> 2026-11-05"),
        ("moved", "2026-11-07", "Ann", "moved from project.mneme to memory/storage.mneme"),
        ("moved", "2026-11-08", "Ann", "file renamed from memory/storage.mneme to notes/storage.mneme"),
        ("changed", "2026-11-09", "Bob", "state live -> superseded; link added: superseded-by DEC-0002"),
        (
            "edited", "2026-11-10", "Ann",
            f'gist edited: "{GIST}" -> "{GIST.replace("SQLite", "sqlite")}"',
        ),
        ("deleted", "2026-11-11", "Ann", "deleted"),
        ("established", "", "", "established"),
    ]  # fmt: skip
    told = mneme("history", "dec-2").out.splitlines()
    assert told[0] == "DEC-0002  Local cache uses files after all"
    assert told[1].startswith("2026-11-09  ")
    assert told[1].endswith("  Bob  established (live, high)")
    assert told[2].strip() == "We changed our mind"
    assert len(told) == 3


def test_what_is_not_committed_comes_last(past: Past, mneme: Runner) -> None:
    past.commit("x", {"project.mneme": cell()})
    past.put({"project.mneme": cell(seen="2026-11-24")})
    assert mneme("history", "DEC-0001").out.splitlines()[-1] == "not committed yet  seen 2026-11-20 -> 2026-11-24"


def test_a_file_that_cannot_be_read_hides_no_other(past: Past, mneme: Runner) -> None:
    (past.folder / "a.mneme").write_bytes(b"\xff")
    past.commit("x", {"project.mneme": cell(), "z.mneme": OTHER})
    result = mneme("history", "FACT-0001")
    assert result.code == 2
    assert "not committed" not in result.out
    assert "a.mneme:1:1" in result.err


def test_before_the_first_commit(past: Past, mneme: Runner) -> None:
    past.put({"project.mneme": cell()})
    assert happened(mneme, "DEC-0001") == [("established", "", "", "established")]
    assert mneme("blame").code == 2


def test_both_sides_of_a_merge_and_what_it_made_itself(past: Past, mneme: Runner) -> None:
    past.commit("start", {"project.mneme": cell()}, day="2026-11-01")
    past.git("checkout", "-q", "-b", "side")
    past.commit("side confirms", {"project.mneme": cell(seen="2026-11-21")}, day="2026-11-21", by="Bob")
    past.git("checkout", "-q", "main")
    past.commit("main doubts", {"project.mneme": cell(conf="low")}, day="2026-11-22")
    past.git("merge", "-q", "side", check=False)
    past.commit("both", {"project.mneme": cell(conf="low", seen="2026-11-21", state="stale")}, day="2026-11-23")
    events = happened(mneme, "DEC-0001")
    assert sorted(events[1:3]) == [
        ("changed", "2026-11-22", "Ann", "conf high -> low"),
        ("confirmed", "2026-11-21", "Bob", "seen 2026-11-20 -> 2026-11-21"),
    ]
    assert events[3][:3] == ("changed", "2026-11-23", "Ann")
    assert len(events) == 4


def test_a_merge_that_takes_one_side_is_no_event(past: Past, mneme: Runner) -> None:
    past.commit("start", {"project.mneme": f"{OTHER}\n"}, day="2026-11-01")
    past.git("checkout", "-q", "-b", "side")
    past.commit("side", {"side.mneme": cell()}, day="2026-11-02")
    past.git("checkout", "-q", "main")
    past.commit("main", {"project.mneme": OTHER.replace("conf high", "conf med")}, day="2026-11-03")
    past.git("merge", "-q", "--no-edit", "side", day="2026-11-04")
    assert [event[0] for event in happened(mneme, "DEC-0001")] == ["established"]
    assert [event[0] for event in happened(mneme, "FACT-0001")] == ["established", "changed"]


def test_a_renumbered_cell_keeps_its_past(past: Past, mneme: Runner) -> None:
    mine = cell("DEC-0005", gist="Tokens live for one hour")
    past.commit("start", {"project.mneme": OTHER}, day="2026-11-01")
    past.git("checkout", "-q", "-b", "side")
    past.commit("mine", {"project.mneme": f"{OTHER}\n{mine}"}, day="2026-11-02", by="Bob")
    past.git("checkout", "-q", "main")
    theirs = cell("DEC-0005")
    past.commit("theirs", {"project.mneme": f"{OTHER}\n{theirs}"}, day="2026-11-03")
    past.git("merge", "-q", "side", check=False)
    both = f"{OTHER}\n{theirs}\n{mine.replace('DEC-0005', 'DEC-0006')}"
    past.commit("merged", {"project.mneme": both}, day="2026-11-04")
    assert happened(mneme, "DEC-0006") == [
        ("established", "2026-11-02", "Bob", "established (live, high)"),
        ("renumbered", "2026-11-04", "Ann", "renumbered from DEC-0005"),
    ]
    rows = {row["id"]: row for row in json.loads(mneme("blame", "--format", "json").out)["cells"]}
    assert rows["DEC-0006"]["established"]["author"] == "Bob"


def test_a_renumbering_in_one_commit_is_seen_from_both_ends(past: Past, mneme: Runner) -> None:
    past.commit("a", {"project.mneme": cell("DEC-0005")}, day="2026-11-01")
    past.commit("b", {"project.mneme": cell("DEC-0006")}, day="2026-11-02")
    assert [event[3] for event in happened(mneme, "DEC-0006")] == [
        "established (live, high)",
        "renumbered from DEC-0005",
    ]
    assert [event[3] for event in happened(mneme, "DEC-0005")] == ["established (live, high)", "renumbered to DEC-0006"]


def test_a_redacted_text_is_not_shown_again(past: Past, mneme: Runner) -> None:
    past.commit("a", {"project.mneme": cell(gist="The password is hunter2")})
    past.commit("b", {"project.mneme": cell(gist="[redacted]")})
    result = mneme("history", "DEC-0001")
    assert "gist redacted" in result.out
    assert "hunter2" not in result.out + mneme("history", "DEC-0001", "--format", "json").out


def test_only_this_workspace_counts(past: Past, mneme: Runner, tmp_path: Path) -> None:
    past.commit("a", {"mneme.toml": "extend-exclude = ['tests/']\n", "tests/x.mneme": cell(gist="A sample")})
    past.commit("b", {"sub/mneme.toml": "", "sub/a.mneme": cell(gist="Another project")}, day="2026-11-26")
    past.commit("c", {"project.mneme": cell()}, day="2026-11-27")
    assert [event[1] for event in happened(mneme, "DEC-0001")] == ["2026-11-27"]
    assert [event[1] for event in happened(mneme, "DEC-0001", tmp_path / "sub")] == ["2026-11-26"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["history", "DEC-0099"], "no cell here has or had the ID"),
        (["history", "PREF-0001"], "PREF-0001 is personal"),
        (["why", "DEC-0099"], "no cell has the ID"),
    ],
)
def test_unknown_ids(past: Past, mneme: Runner, arguments: list[str], said: str) -> None:
    past.commit("a", {"project.mneme": cell(), ".gitignore": "*.local.mneme\n"})
    past.put({"me.local.mneme": cell("PREF-0001")})
    result = mneme(*arguments)
    assert result.code == 2
    assert said in result.err
    assert "hint:" in result.err


def test_outside_git(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell(), encoding="utf-8")
    for command in (["history", "DEC-0001"], ["blame"]):
        result = mneme(*command)
        assert result.code == 2
        assert "is not in a git repository" in result.err


def test_a_shallow_clone_says_so(past: Past, mneme: Runner, tmp_path: Path) -> None:
    past.commit("a", {"project.mneme": cell()}, day="2026-11-01")
    past.commit("b", {"project.mneme": cell(conf="low")}, day="2026-11-02")
    past.git("clone", "-q", "--depth", "1", f"file://{tmp_path}", "shallow clone")
    result = mneme("history", "DEC-0001", cwd=tmp_path / "shallow clone")
    assert result.code == 0
    assert "this clone is shallow" in result.err
    assert "established (live, low)" in result.out


def test_blame(past: Past, mneme: Runner) -> None:
    first = past.commit("a", {"project.mneme": f"{cell()}\n{OTHER}"}, day="2026-11-01")
    second = past.commit("b", {"project.mneme": f"{cell(seen='2026-11-22')}\n{OTHER}"}, day="2026-11-22", by="Bob")
    past.commit("c", {"project.mneme": f"{cell(seen='2026-11-22', conf='low')}\n{OTHER}"}, day="2026-11-23", by="Cyd")
    past.git("mv", "project.mneme", "memory.mneme")
    past.commit("d", {}, day="2026-11-24", by="Dee")
    past.put({"new.mneme": cell("DEC-0003", gist="Pages hold 200 rows") + "\n" + cell("DEC-0004", state="retired")})
    lines = [line.split() for line in mneme("blame").out.splitlines()]
    assert lines[0] == ["cell", "established", "confirmed", "gist"]
    assert lines[1][:7] == ["DEC-0001", "2026-11-01", first[:8], "Ann", "2026-11-22", second[:8], "Bob"]
    assert lines[2][:7] == ["FACT-0001", "2026-11-01", first[:8], "Ann", "2026-11-01", first[:8], "Ann"]
    assert lines[3][:3] == ["DEC-0003", "-", "-"]
    assert len(lines) == 4
    assert len(mneme("blame", "--all").out.splitlines()) == 5


def test_why_walks_to_the_root(mneme: Runner, tmp_path: Path) -> None:
    old, older = "link  supersedes DEC-0002\n", "link  supersedes DEC-0001\n"
    rests = "link  depends-on FACT-0001\nlink  depends-on FACT-0009\n"
    texts = [
        cell("DEC-0001", gist="JSON files", state="superseded", more="> Simple.\nlink  superseded-by DEC-0002\n"),
        cell("DEC-0002", gist="One file", state="superseded", more=f"> JSON lost writes.\n{older}"),
        cell("DEC-0003", gist="Cache in SQLite", more=f"> One file was slow.\n{old}{rests}"),
        OTHER + "> Ops said so.\n",
        cell("FACT-0002", gist="Load doubled", more="link  causes DEC-0003\n"),
        cell("FACT-0003", gist="Unrelated", more="link  relates DEC-0003\n"),
    ]
    (tmp_path / "project.mneme").write_text("\n".join(texts), encoding="utf-8")
    out = mneme("why", "DEC-0003").out
    order = [
        "DEC-0003 <- DEC-0002 <- DEC-0001", "> One file was slow", "> JSON lost", "> Simple", "# it rests on",
        "> Ops said so", "@ FACT-0002", "# FACT-0009: no such cell",
    ]  # fmt: skip
    places = [out.index(text) for text in order]
    assert places == sorted(places)
    assert "@ FACT-0003" not in out
    data = json.loads(mneme("why", "dec-2", "--format", "json").out)
    assert [view["id"] for view in data["chain"]] == ["DEC-0002", "DEC-0001"]
    assert data["reasons"] == []


def test_why_comes_to_an_end_in_a_circle(mneme: Runner, tmp_path: Path) -> None:
    one = cell("DEC-0007", more="link  supersedes DEC-0008\n")
    two = cell("DEC-0008", more="link  supersedes DEC-0007\n")
    (tmp_path / "loop.mneme").write_text(f"{one}\n{two}", encoding="utf-8")
    assert mneme("why", "DEC-0007").out.count("\n@ ") == 2
