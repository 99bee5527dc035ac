"""``mneme archive``: the past out of the way, byte for byte, and still there for whoever asks."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from mneme.memory.archive import archive
from mneme.workspace import Workspace
from tests.conftest import Runner, cell
from tests.past import Past

LIVE = cell("DEC-0003", gist="Cache in SQLite", more="> One file was slow.\nlink  supersedes DEC-0002\n")
OLD = cell(
    "DEC-0002", gist="Cache in one file", state="superseded", since="2025-11-01", seen="2025-12-20",
    more="> JSON  lost writes.\n# a comment inside\nlink  supersedes DEC-0001\nlink  superseded-by DEC-0003\n",
)  # fmt: skip
OLDER = cell(
    "DEC-0001", gist="JSON files", state="superseded", since="2024-11-01", seen="2024-12-20",
    more="> Simple.\nlink  superseded-by DEC-0002\n",
)  # fmt: skip
RETIRED = cell(
    "TODO-0001", gist="Measure the cache", state="retired", since="2025-01-01", seen="2025-02-01", topic="todo"
)
HEAD = "# Superseded and retired cells that were last seen in {}, moved here by mneme archive.\n\n"


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


def read(folder: Path, name: str) -> str:
    return (folder / name).read_bytes().decode()


def test_what_moves_and_what_stays(mneme: Runner, tmp_path: Path) -> None:
    text = f"# Our memory\n\n{OLDER}\n# about the next\n{OLD}\n\n{LIVE}\n# mneme: ignore[no-cue]\n{RETIRED}"
    put(tmp_path, {"project.mneme": text})
    dry = mneme("archive", "--dry-run")
    assert dry.out.splitlines() == [
        "DEC-0001  superseded  seen 2024-12-20  project.mneme -> archive/2024.mneme",
        "DEC-0002  superseded  seen 2025-12-20  project.mneme -> archive/2025.mneme",
        "TODO-0001  retired  seen 2025-02-01  project.mneme -> archive/2025.mneme",
    ]
    assert read(tmp_path, "project.mneme") == text
    assert not (tmp_path / "archive").exists()
    before = mneme("lint", "--format", "json").out
    assert mneme("archive").err == "mneme: moved: 3\n"
    assert read(tmp_path, "project.mneme") == f"# Our memory\n\n# about the next\n{LIVE}"
    assert read(tmp_path, "archive/2024.mneme") == HEAD.format(2024) + OLDER
    assert read(tmp_path, "archive/2025.mneme") == f"{HEAD.format(2025)}{OLD}\n# mneme: ignore[no-cue]\n{RETIRED}"
    assert mneme("archive").err == "mneme: nothing to move\n"
    # What is there is found, and what was free of findings is so.
    assert {finding["name"] for finding in json.loads(before)["findings"]} == {"unused-suppression"}
    assert json.loads(mneme("lint", "--format", "json").out)["findings"] == []
    assert [line.split()[0] for line in mneme("spine", "--all").out.splitlines()] == ["DEC-0003"]
    assert mneme("spine", "--all", "archive").out.startswith("DEC-0001")
    assert mneme("why", "DEC-0003").out.startswith("# DEC-0003 <- DEC-0002 <- DEC-0001")
    assert "@ TODO-0001" in mneme("show", "TODO-0001").out
    assert "\nDEC-0001  superseded" in mneme("find", "JSON", "files", "--all").out
    assert mneme("find", "JSON").out.startswith("DEC-0003")  # what stands in its place
    assert mneme("new-id", "TODO").out == "TODO-0002\n"


def test_before_a_day_and_into_an_archive_that_is_there(mneme: Runner, tmp_path: Path) -> None:
    put(tmp_path, {"a.mneme": f"{OLDER}\n{LIVE}", "b/c.mneme": f"{OLD}\n{RETIRED}", "archive/2025.mneme": "# mine"})
    assert "moved: 2" in mneme("archive", "--before", "2025-12-20").err
    assert read(tmp_path, "archive/2025.mneme") == f"# mine\n\n{RETIRED}"
    assert read(tmp_path, "b/c.mneme") == OLD
    assert "moved: 1" in mneme("archive", "--before", "2025-12-21").err
    assert read(tmp_path, "archive/2025.mneme") == f"# mine\n\n{RETIRED}\n{OLD}"
    assert read(tmp_path, "b/c.mneme") == ""
    assert mneme("archive", "--before", "2025-13-01").code == 2


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("last", [True, False])
def test_bytes(mneme: Runner, tmp_path: Path, end: str, bom: str, last: bool) -> None:
    old, live = OLD.replace("\n", end), LIVE.replace("\n", end)
    text = f"{live}{end}{old.removesuffix(end)}" if last else f"{old}{end}{end}{live}"
    put(tmp_path, {"project.mneme": bom + text})
    assert mneme("archive").code == 0
    assert read(tmp_path, "project.mneme") == bom + live
    archived = read(tmp_path, "archive/2025.mneme")
    assert archived.startswith(HEAD.format(2025))
    assert archived.removeprefix(HEAD.format(2025)).removesuffix("\n").removesuffix("\r") == old.removesuffix(end)


def test_a_file_that_held_nothing_else(mneme: Runner, tmp_path: Path) -> None:
    put(tmp_path, {"project.mneme": f"# mneme: ignore-file[no-cue]\n{OLD}\n{RETIRED}\n\n"})
    assert mneme("archive").code == 0
    assert read(tmp_path, "project.mneme") == "# mneme: ignore-file[no-cue]\n"


def test_what_is_not_archived(mneme: Runner, tmp_path: Path) -> None:
    undated = RETIRED.replace("2025-02-01", "soon")
    files = {"me.local.mneme": OLD, "project.mneme": undated, "archive/2020.mneme": OLDER, "archive/notes.mneme": ""}
    put(tmp_path, files)
    result = mneme("archive", "--format", "json")
    data = json.loads(result.out)
    assert (data["cells"], data["undated"]) == ([], ["TODO-0001"])
    assert {name: read(tmp_path, name) for name in files} == files


def test_an_archive_that_nobody_would_read(mneme: Runner, tmp_path: Path) -> None:
    put(tmp_path, {"project.mneme": OLD, "mneme.toml": "extend-exclude = ['archive/']\n"})
    result = mneme("archive")
    assert result.code == 2
    assert "would not be part of this memory" in result.err
    assert read(tmp_path, "project.mneme") == OLD
    past = Past(tmp_path)
    past.put({"mneme.toml": "", ".gitignore": "archive/\n"})
    assert mneme("archive").code == 2
    assert not (tmp_path / "archive").exists()


def test_git_sees_cells_that_moved_and_nothing_else(mneme: Runner, tmp_path: Path) -> None:
    past = Past(tmp_path)
    past.commit("before", {"project.mneme": f"{OLDER}\n{OLD}\n{LIVE}\n{RETIRED}"})
    assert mneme("archive").code == 0
    result = mneme("lint")
    assert (result.code, "error" in result.out) == (0, False), result.out
    past.commit("after", {})
    assert "moved from project.mneme to archive/2025.mneme" in mneme("history", "DEC-0002").out
    assert mneme("at", "HEAD", "spine", "--all").out.count("\n") == 1
    assert mneme("at", "HEAD~1", "spine", "--all").out.count("\n") == 4


def test_lint_tells_of_the_archive_only_what_others_suffer_from(mneme: Runner, tmp_path: Path) -> None:
    untidy = cell("DEC-0009", gist="It", state="retired", cue="x", seen="2025-01-01", since="2025-01-01") + "gits  x\n"
    put(tmp_path, {"project.mneme": LIVE, "archive/2025.mneme": f"{OLD}\n{OLDER}\n{untidy}"})
    assert json.loads(mneme("lint", "--format", "json").out)["findings"] == []
    named = json.loads(mneme("lint", "archive/2025.mneme", "--format", "json").out)["findings"]
    assert {"key-slip", "dangling-link"} <= {finding["name"] for finding in named}
    put(tmp_path, {"archive/2024.mneme": cell("DEC-0003", gist="Again")})
    found = json.loads(mneme("lint", "--format", "json").out)["findings"]
    assert {finding["name"] for finding in found} == {"live-in-archive", "duplicate-id"}
    before = read(tmp_path, "archive/2025.mneme")
    mneme("lint", "--fix", "--unsafe-fixes")
    assert read(tmp_path, "archive/2025.mneme") == before


def test_new_cells_never_go_into_the_archive(mneme: Runner, tmp_path: Path) -> None:
    put(tmp_path, {"archive/2025.mneme": OLD, "memory/deep/a.mneme": LIVE})
    mneme("add", "DEC", "Something new", "--topic", "x")
    assert "Something new" in read(tmp_path, "memory/deep/a.mneme")


def test_a_file_that_cannot_be_read_stops_it(mneme: Runner, tmp_path: Path) -> None:
    put(tmp_path, {"project.mneme": OLD})
    (tmp_path / "bad.mneme").write_bytes(b"\xff")
    assert mneme("archive").code == 2
    assert read(tmp_path, "project.mneme") == OLD


def test_five_years_of_work_keep_a_spine_under_16_kib(mneme: Runner, tmp_path: Path) -> None:
    """5,000 cells on 120 topics, each revised again and again; archived twice a year. Nothing is lost on the way."""
    rng = random.Random(5)
    start, days = date(2021, 11, 25), 5 * 365
    current: dict[int, str] = {}
    texts: dict[str, str] = {}
    archived: set[str] = set()
    path = tmp_path / "project.mneme"
    workspace = Workspace.find(tmp_path)
    for number in range(1, 5001):
        day = start + timedelta(days=number * days // 5000)
        topic = number if number <= 120 else rng.randint(1, 120)
        cell_id = f"DEC-{number:04d}"
        link = ""
        if topic in current:
            old = current[topic]
            texts[old] = texts[old].replace("state live", "state superseded") + f"link  superseded-by {cell_id}\n"
            link = f"link  supersedes {old}\n"
        gist = f"Topic {topic} is decided the way of number {number}, after what we learned"
        made = cell(cell_id, gist=gist, topic=f"area{topic % 9}/topic{topic}", since=f"{day}", seen=f"{day}", more=link)
        texts[cell_id] = made
        current[topic] = cell_id
        if number % 500 == 0:
            path.write_text("\n".join(text for name, text in texts.items() if name not in archived), encoding="utf-8")
            archived |= {moved.id for moved in archive(workspace, before=day - timedelta(days=30)).moved}
            assert len(mneme("spine").out.encode()) < 16 * 1024
            assert path.stat().st_size < 200_000
    assert len(archived) > 4500
    everything = path.read_text(encoding="utf-8") + "".join(
        file.read_text(encoding="utf-8") for file in sorted((tmp_path / "archive").iterdir())
    )
    # What was archived stands there as it was; a revision of a cell in the archive is one of the present.
    assert all(text in everything for text in texts.values())
    assert everything.count("\n@ ") + everything.startswith("@ ") == 5000
    assert sorted(file.name for file in (tmp_path / "archive").iterdir()) == [
        f"{year}.mneme" for year in range(2021, 2027)
    ]
    assert mneme("new-id", "DEC").out == "DEC-5001\n"
    assert mneme("why", current[7]).out.count("\n@ ") > 20
    findings = json.loads(mneme("lint", "--format", "json").out)["findings"]
    assert {(finding["name"], finding["path"]) for finding in findings} == {("overdue", "project.mneme")}
    spine = mneme("spine", "--max-bytes", "16384")
    assert spine.out.count("\n") == 120
    assert spine.err == ""
