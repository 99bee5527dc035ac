"""``mneme compile``: what it refuses, what it says, what it leaves lying."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mneme.graph.store import open_store, read
from tests.conftest import Runner

CELL = """\
@ {id}  storage/cache
gist  {gist}
state {state}   conf high   since 2026-11-05   seen 2026-11-22
cue   cache retention
"""


def cell(cell_id: str, gist: str = "Cache files are kept for a month", state: str = "live") -> str:
    return CELL.format(id=cell_id, gist=gist, state=state) + "\n"


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "mneme.toml").touch()
    (tmp_path / "notes.mneme").write_text(cell("FACT-0001") + cell("FACT-0002", "Tokens live one hour"), "utf-8")
    return tmp_path


def ids(path: Path) -> set[str]:
    return read(path, lambda reader: set(reader.insights()))


DEFAULT = Path(".mnemon/data/default/mnemon.db")


def test_the_workspace_into_the_default_store(memory: Path, mneme: Runner) -> None:
    result = mneme("compile")
    assert (result.code, result.out) == (0, "")
    assert "2 cells" in result.err
    assert ids(memory / DEFAULT) == {"FACT-0001", "FACT-0002"}
    assert (memory / ".mnemon/.gitignore").read_text("utf-8").endswith("*\n")
    assert "up to date" in mneme("compile").err


def test_git_never_sees_the_store(memory: Path, mneme: Runner, git: Callable[..., str]) -> None:
    git("init", "-q")
    mneme("compile")
    assert git("status", "--porcelain").split() == ["??", "mneme.toml", "??", "notes.mneme"]


def test_nothing_lies_beside_a_named_store(memory: Path, mneme: Runner) -> None:
    (memory / "out").mkdir()
    assert mneme("compile", "--db", "out/my #1 100%?.db", "notes.mneme").code == 0
    assert [path.name for path in (memory / "out").iterdir()] == ["my #1 100%?.db"]
    assert not (memory / ".mnemon").exists()


def test_the_workspace_into_a_named_store_that_is_new(memory: Path, mneme: Runner) -> None:
    assert "2 cells" in mneme("compile", "--db", "new.db").err
    assert ids(memory / "new.db") == {"FACT-0001", "FACT-0002"}
    assert "up to date" in mneme("compile", "--db", "new.db").err


def test_json(memory: Path, mneme: Runner) -> None:
    data = json.loads(mneme("compile", "--format", "json").out)
    (store,) = data["stores"]
    assert (data["kind"], store["added"], store["cells"]) == ("compile", ["FACT-0001", "FACT-0002"], 2)


def test_check_writes_nothing(memory: Path, mneme: Runner) -> None:
    assert mneme("compile", "--check").code == 1
    assert not (memory / ".mnemon").exists()
    mneme("compile")
    assert mneme("compile", "--check").code == 0
    with (memory / "notes.mneme").open("a", encoding="utf-8") as file:
        file.write(cell("FACT-0003", "New"))
    result = mneme("compile", "--check")
    assert (result.code, "1 added" in result.err) == (1, True)
    assert ids(memory / DEFAULT) == {"FACT-0001", "FACT-0002"}


@pytest.mark.parametrize(
    ("damage", "code", "said"),
    [
        (lambda text: text + text, 1, "duplicate"),
        (lambda text: text.replace("cue ", "<<<<<<< HEAD\ncue ", 1), 1, "conflict"),
        (lambda text: text.replace("@ FACT-0002", "@FACT-0002"), 1, "malformed"),
        (lambda text: "# mneme: ignore-file[duplicate-id]\n" + text + text, 1, "duplicate"),
        (lambda text: text + "\0", 2, "NUL"),
    ],
    ids=["duplicate", "conflict", "header", "suppressed", "nul"],
)
def test_a_damaged_file_is_refused_and_the_store_left(
    memory: Path, mneme: Runner, damage: Callable[[str], str], code: int, said: str
) -> None:
    notes = memory / "notes.mneme"
    sound = notes.read_text("utf-8")
    notes.write_text(damage(sound), "utf-8")
    refused = mneme("compile")
    assert (refused.code, said in refused.err) == (code, True)
    assert not (memory / ".mnemon").exists()
    notes.write_text(sound, "utf-8")
    mneme("compile")
    before = (memory / DEFAULT).read_bytes()
    notes.write_text(damage(sound), "utf-8")
    assert mneme("compile").code == code
    assert (memory / DEFAULT).read_bytes() == before


def test_edited_content_is_refused_outside_git(memory: Path, mneme: Runner) -> None:
    mneme("compile")
    notes = memory / "notes.mneme"
    notes.write_text(notes.read_text("utf-8").replace("a month", "a week"), "utf-8")
    result = mneme("compile")
    assert result.code == 1
    assert "- gist  Cache files are kept for a month" in result.err
    assert "+ gist  Cache files are kept for a week" in result.err
    assert "--accept-content FACT-0001" in result.err
    assert mneme("compile", "--accept-content", "FACT-0002").code == 1
    assert mneme("compile", "--accept-content", "FACT-0001").code == 0
    content = read(memory / DEFAULT, lambda reader: reader.insights()["FACT-0001"].content)
    assert content == "Cache files are kept for a week"


def test_in_git_edited_content_is_named_and_taken(memory: Path, mneme: Runner, git: Callable[..., str]) -> None:
    git("init", "-q")
    mneme("compile")
    notes = memory / "notes.mneme"
    notes.write_text(notes.read_text("utf-8").replace("a month", "a week"), "utf-8")
    result = mneme("compile")
    assert (result.code, "the content of FACT-0001" in result.err) == (0, True)


def test_a_state_change_is_no_content(memory: Path, mneme: Runner) -> None:
    mneme("compile")
    assert mneme("retire", "FACT-0001").code == 0
    assert mneme("compile").code == 0
    assert read(memory / DEFAULT, lambda reader: reader.insights()["FACT-0001"].deleted_at) == "2026-11-22T00:00:00Z"


def test_personal_cells_have_a_store_of_their_own(memory: Path, mneme: Runner) -> None:
    (memory / "me.local.mneme").write_text(cell("PREF-a1b2", "I prefer tabs"), "utf-8")
    assert mneme("compile").code == 0
    assert ids(memory / DEFAULT) == {"FACT-0001", "FACT-0002"}
    assert ids(memory / ".mnemon/data/personal/mnemon.db") == {"PREF-a1b2"}
    assert b"tabs" not in (memory / DEFAULT).read_bytes()
    result = mneme("compile", "--db", "team.db", "notes.mneme", "me.local.mneme")
    assert "me.local.mneme" in result.err
    assert ids(memory / "team.db") == {"FACT-0001", "FACT-0002"}
    assert mneme("compile", "--db", "mine.db", "me.local.mneme").code == 0
    assert ids(memory / "mine.db") == {"PREF-a1b2"}


def test_stores_of_the_configuration(memory: Path, mneme: Runner) -> None:
    (memory / "mneme.toml").write_text('[stores.ops]\nfiles = ["ops/"]\n', "utf-8")
    (memory / "ops").mkdir()
    (memory / "ops/run.mneme").write_text(cell("FACT-0009", "Deploys run at noon"), "utf-8")
    assert mneme("compile", "--store", "ops").code == 0
    assert ids(memory / ".mnemon/data/ops/mnemon.db") == {"FACT-0009"}
    unknown = mneme("compile", "--store", "peers")
    assert (unknown.code, "peers" in unknown.err) == (2, True)


def test_rows_of_other_programs_are_kept(memory: Path, mneme: Runner) -> None:
    mneme("compile")
    with open_store(memory / DEFAULT) as store, store.transaction():
        one = store.insights()["FACT-0001"]._replace(id="11111111-2222-4333-8444-555555555555", content="A peer's")
        store.put_insights([one])
    (memory / "notes.mneme").write_text(cell("FACT-0002", "Tokens live one hour"), "utf-8")
    for arguments in ((), ("--rebuild",)):
        assert mneme("compile", *arguments).code == 0
        assert ids(memory / DEFAULT) == {"FACT-0002", "11111111-2222-4333-8444-555555555555"}


def test_a_store_of_another_workspace_is_left_alone(memory: Path, tmp_path: Path, mneme: Runner) -> None:
    shared = tmp_path / "stores"
    assert mneme("compile", "--data-dir", shared).code == 0
    other = tmp_path / "other"
    other.mkdir()
    (other / "mneme.toml").touch()
    (other / "x.mneme").write_text(cell("FACT-0001", "Something else"), "utf-8")
    result = mneme("compile", "--data-dir", shared, cwd=other)
    assert (result.code, str(memory) in result.err) == (2, True)
    found = mneme("recall", "--data-dir", shared, "something", cwd=other)
    assert (found.code, "Something else" in found.out) == (0, True)
    assert "another workspace" in found.err


def test_a_copied_workspace_has_its_own_store(memory: Path, tmp_path: Path, mneme: Runner) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("mneme.toml", "notes.mneme"):
        (memory / name).rename(project / name)
    mneme("compile", cwd=project)
    shutil.copytree(project, tmp_path / "copy")
    with (tmp_path / "copy/notes.mneme").open("a", encoding="utf-8") as file:
        file.write(cell("FACT-0003", "Walruses sleep"))
    found = mneme("recall", "walruses", cwd=tmp_path / "copy")
    assert ("FACT-0003" in found.out, "1 cell behind" in found.err) == (True, True)
    assert mneme("compile", cwd=tmp_path / "copy").code == 0
    assert ids(tmp_path / "copy" / DEFAULT) == {"FACT-0001", "FACT-0002", "FACT-0003"}
    assert ids(project / DEFAULT) == {"FACT-0001", "FACT-0002"}


def test_a_damaged_store_is_made_anew_only_when_asked(memory: Path, mneme: Runner) -> None:
    mneme("compile")
    sound = (memory / DEFAULT).read_bytes()
    (memory / DEFAULT).write_bytes(sound[:100] + b"\xff" * (len(sound) - 100))
    refused = mneme("compile")
    assert (refused.code, "--rebuild" in refused.err) == (2, True)
    assert mneme("compile", "--rebuild").code == 0
    assert ids(memory / DEFAULT) == {"FACT-0001", "FACT-0002"}
    assert any("corrupt" in path.name for path in (memory / DEFAULT).parent.iterdir())


def test_options_that_contradict_each_other(memory: Path, mneme: Runner) -> None:
    assert mneme("compile", "--check", "--rebuild").code == 2
    assert mneme("compile", "--db", "x.db", "--store", "y").code == 2
    assert mneme("compile", "-").code == 2
    assert memory.exists()
