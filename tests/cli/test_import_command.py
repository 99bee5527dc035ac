"""``mneme import`` (engine's facts, 8.7, 8.12, 2.10)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Runner, cell

INSIGHTS: list[dict[str, Any]] = [
    {"content": "We chose SQLite because the cache is local", "category": "decision", "importance": 5,
     "tags": ["cache", "storage"], "entities": ["Cachefile"], "source": "chat",
     "created_at": "2026-03-01T23:30:00-05:00"},
    {"content": "Long text.\nThe reasons are many.\n\n@ DEC-0001 is no header", "category": "fact"},
    {"content": "Local cache uses SQLite instead of JSON files"},
    {"content": "The cache moved to DuckDB", "category": "decision", "importance": 4},
]  # fmt: skip
EDGES = [
    {"source_index": 3, "target_index": 0, "edge_type": "supersedes", "weight": 1.0, "reason": "too slow"},
    {"source_index": 0, "target_index": 1, "edge_type": "causal", "weight": 0.8},
    {"source_index": 2, "target_index": 3, "edge_type": "semantic"},
    {"source_index": 1, "target_index": 2, "edge_type": "entity", "weight": 0.25},
]

WRITTEN = """
@ DEC-0002
gist  We chose SQLite because the cache is local
state superseded   conf high   since 2026-03-02   seen 2026-03-02   imp 5
cue   cache / storage
origin source=chat created=2026-03-01T23:30:00-05:00 entity=Cachefile
link  superseded-by DEC-0003
link  causes FACT-0001 weight 0.80

@ FACT-0001
gist  Long text.
state live   conf med   since 2026-11-25   seen 2026-11-25   imp 3
cue   DEC
> Long text.
> The reasons are many.
>
> @ DEC-0001 is no header
origin source=import
link  relates DEC-0001 edge entity weight 0.25

@ DEC-0003
gist  The cache moved to DuckDB
state live   conf high   since 2026-11-25   seen 2026-11-25   imp 4
cue   cache / moved / DuckDB
origin source=import
link  supersedes DEC-0002 weight 1.00 reason too%20slow
link  relates DEC-0001
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.mneme").write_text(cell("DEC-0001"), encoding="utf-8")
    write(tmp_path, INSIGHTS, EDGES)
    return tmp_path


def write(folder: Path, insights: list[dict[str, Any]], edges: list[dict[str, Any]] | None = None) -> None:
    data = {"schema_version": "1", "insights": insights, "edges": edges or []}
    (folder / "draft.json").write_text(json.dumps(data), encoding="utf-8")


def imported(mneme: Runner, *options: str) -> dict[str, Any]:
    result = mneme("import", "draft.json", "--format", "json", *options)
    assert result.code == 0, result.err
    data: dict[str, Any] = json.loads(result.out)
    return data


class TestInOneStep:
    def test_8_7_cells_links_and_the_receipt(self, mneme: Runner, project: Path) -> None:
        data = imported(mneme)
        assert list(data)[:8] == [
            "imported", "updated", "skipped", "errors", "edges_inserted", "auto_pruned", "auto_pruned_ids", "results",
        ]  # fmt: skip
        assert [data[key] for key in list(data)[:7]] == [3, 0, 1, 0, 4, 0, []]
        assert [[*list(one.values())[:2], one["action"]] for one in data["results"]] == [
            [0, "DEC-0002", "added"], [1, "FACT-0001", "added"], [2, "DEC-0001", "skipped"], [3, "DEC-0003", "added"],
        ]  # fmt: skip
        assert (project / "project.mneme").read_text(encoding="utf-8") == cell("DEC-0001") + WRITTEN
        assert mneme("lint", "--format", "concise").code == 0
        assert mneme("compile", "--check").code == 0, "it is compiled, too"

    def test_2_10_the_log(self, mneme: Runner, project: Path) -> None:
        imported(mneme)
        assert project.exists()
        log = json.loads(mneme("log", "--format", "json").out)
        assert [(one["operation"], one["insight_id"]) for one in log] == [
            ("import", "DEC-0003"), ("import-skip", "DEC-0001"), ("import", "FACT-0001"), ("import", "DEC-0002"),
        ]  # fmt: skip

    def test_8_7_edges_are_rows(self, mneme: Runner, project: Path) -> None:
        imported(mneme)
        with closing(sqlite3.connect(project / ".mnemon" / "data" / "default" / "mnemon.db")) as database:
            rows = database.execute("SELECT source_id, target_id, edge_type, weight FROM edges").fetchall()
        for row in (
            ("DEC-0003", "DEC-0002", "supersedes", 1.0), ("DEC-0002", "FACT-0001", "causal", 0.8),
            ("DEC-0001", "DEC-0003", "semantic", 0.5), ("FACT-0001", "DEC-0001", "entity", 0.25),
        ):  # fmt: skip
            assert row in rows

    def test_again_changes_nothing(self, mneme: Runner, project: Path) -> None:
        imported(mneme)
        before = (project / "project.mneme").read_bytes()
        data = imported(mneme)
        assert data["skipped"] == 3, "the superseded one may be said anew"
        text = (project / "project.mneme").read_bytes()
        assert text.startswith(before[:200])
        assert text.count(b"gist  The cache moved to DuckDB") == 1

    def test_no_diff_writes_it_again(self, mneme: Runner, project: Path) -> None:
        data = imported(mneme, "--no-diff")
        assert (data["imported"], data["skipped"]) == (4, 0)
        assert (project / "project.mneme").read_text().count("gist  Local cache uses SQLite") == 2

    def test_two_of_one_draft_are_one_cell(self, mneme: Runner, project: Path) -> None:
        edge = {"source_index": 0, "target_index": 1, "edge_type": "supersedes"}
        write(project, [{"content": "Twice"}, {"content": " Twice\n"}], [edge])
        data = imported(mneme)
        assert [one["id"] for one in data["results"]] == ["NOTE-0001", "NOTE-0001"]
        assert (data["edges_inserted"], data["skipped"]) == (0, 1)
        assert "link" not in (project / "project.mneme").read_text().partition("NOTE-0001")[2]

    def test_a_cell_that_was_there_is_superseded_by_both_links(self, mneme: Runner, project: Path) -> None:
        edge = {"source_index": 0, "target_index": 1, "edge_type": "supersedes"}
        write(project, [{"content": "New way"}, INSIGHTS[2]], [edge])
        imported(mneme)
        text = (project / "project.mneme").read_text(encoding="utf-8")
        assert "state superseded   conf high" in text
        assert "link  superseded-by NOTE-0001" in text
        assert "link  supersedes DEC-0001" in text
        assert mneme("lint", "--format", "concise").code == 0

    def test_a_second_successor_is_only_related(self, mneme: Runner, project: Path) -> None:
        edges = [{"source_index": one, "target_index": 2, "edge_type": "supersedes"} for one in (0, 1)]
        write(project, [{"content": "One way"}, {"content": "Another way"}, INSIGHTS[2]], edges)
        result = mneme("import", "draft.json")
        assert "both supersede DEC-0001" in result.err
        assert mneme("lint", "--format", "concise").code == 0

    def test_agents_may_only_propose(self, mneme: Runner, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (project / "mneme.toml").write_text('agent-state = "proposed"\n')
        monkeypatch.setenv("MNEME_AGENT", "bot")
        imported(mneme)
        text = (project / "project.mneme").read_text(encoding="utf-8")
        assert text.count("state proposed") == 3
        assert "origin agent=bot source=chat" in text
        assert "superseded" not in text.replace("sub_type supersedes", "")
        assert mneme("lint", "--format", "concise").code == 0

    def test_the_first_file_of_a_store(self, mneme: Runner, project: Path) -> None:
        (project / "mneme.toml").write_text('[stores.api]\nfiles = ["api.mneme"]\n')
        imported(mneme, "--store", "api")
        assert (project / "api.mneme").read_text(encoding="utf-8").count("@ ") >= 4
        assert (project / "project.mneme").read_text(encoding="utf-8") == cell("DEC-0001")

    def test_from_standard_input(self, mneme: Runner, project: Path) -> None:
        result = mneme("import", "-", stdin=(project / "draft.json").read_bytes())
        assert result.out.splitlines() == [
            "DEC-0002 added", "FACT-0001 added", "DEC-0001 skipped", "DEC-0003 added",
        ]  # fmt: skip
        assert "3 cells added to project.mneme, 1 were there already, 4 edges" in result.err


class TestNothingIsWritten:
    @pytest.fixture(autouse=True)
    def untouched(self, project: Path) -> Any:
        yield
        assert (project / "project.mneme").read_text(encoding="utf-8") == cell("DEC-0001")
        assert not (project / ".mnemon").exists()

    def test_8_7_dry_run(self, mneme: Runner) -> None:
        result = mneme("import", "draft.json", "--dry-run")
        assert (result.code, result.out) == (0, "")
        assert "4 insights and 4 edges" in result.err
        assert imported(mneme, "--dry-run")["insights"] == 4

    def test_8_12_readonly(self, mneme: Runner) -> None:
        result = mneme("import", "draft.json", "--readonly")
        assert result.code == 2
        assert "import is unavailable with --readonly" in result.err
        assert mneme("import", "draft.json", "--readonly", "--dry-run").code == 0

    @pytest.mark.parametrize("options", [[], ["--dry-run"]])
    def test_8_7_one_bad_item_is_enough(self, mneme: Runner, project: Path, options: list[str]) -> None:
        write(project, [*INSIGHTS, {"content": ""}])
        result = mneme("import", "draft.json", *options)
        assert result.code == 2
        assert "insights[4].content" in result.err

    def test_no_such_file(self, mneme: Runner) -> None:
        assert mneme("import", "none.json").code == 2
        assert mneme("import", ".").code == 2

    def test_a_store_without_text(self, mneme: Runner, tmp_path_factory: pytest.TempPathFactory) -> None:
        from tests import peer_store

        db = tmp_path_factory.mktemp("peer") / "peer.db"
        peer_store.write(db, new=True)
        result = mneme("import", "draft.json", "--db", db)
        assert result.code == 2
        assert "no text" in result.err


@pytest.mark.parametrize(
    "content",
    ["a\0b", "\x1b[2J", "<<<<<<< x\n=======", "gist  x\nstate live", "x" * 8000, "\u2028", "> a\n# b", "\r\rx"],
)
def test_hostile_content(mneme: Runner, project: Path, content: str) -> None:
    write(project, [{"content": content, "tags": ["a\nb", "a, b", "#x"], "entities": ["e\0"], "source": "s\n@ x"}])
    assert imported(mneme)["imported"] == 1
    assert mneme("lint", "--format", "concise").code == 0
    assert (project / "project.mneme").read_text(encoding="utf-8").count("\n@ ") == 1


def test_9_3_too_many_insights_of_others(mneme: Runner, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mneme("compile", "--db", "graph.db", "project.mneme")
    with closing(sqlite3.connect(project / "graph.db")) as database, database:
        database.executemany(
            "INSERT INTO insights (id, content, created_at, updated_at) VALUES (?, 'x', '2026-01-01', '')",
            [("k1",), ("k2",)],
        )
    monkeypatch.setenv("MNEMON_MAX_INSIGHTS", "1")
    monkeypatch.setenv("MNEMON_AUTO_PRUNE_MIN_AGE", "0")
    data = imported(mneme, "--db", "graph.db")
    assert (data["auto_pruned"], data["auto_pruned_ids"], data["imported"]) == (1, ["k1"], 3)
