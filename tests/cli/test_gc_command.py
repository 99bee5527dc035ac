"""``mneme gc`` and pruning (engine's facts, 8.6, 8.12, 8.13, 9.1 to 9.3)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mneme.graph.model import Insight
from mneme.graph.store import memory_store
from mneme.graph.usage import Usage
from mneme.memory.prune import DEFAULT_AGE, Limits, prune
from tests import peer_store
from tests.conftest import Runner, cell

MEMORY = "\n".join(
    [
        cell("DEC-0001", gist="Fresh and important", conf="high"),
        cell("FACT-0002", gist="Old and seen long ago", since="2026-01-01", seen="2026-05-29", conf="low", cue="old"),
        cell(
            "FACT-0003", gist="Old and stale", state="stale", since="2026-01-01", seen="2026-05-29", conf="med", cue="o"
        ),
        cell("FACT-0004", gist="Retired", state="retired", since="2026-01-01", seen="2026-05-29", cue="r"),
        cell("PREF-0005", gist="Fresh and small", conf="low", cue="small", seen="2026-11-25"),
        cell("TODO-0006", gist="Old but immune", since="2026-01-01", seen="2026-05-29", conf="high", cue="immune"),
    ]
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    return tmp_path


def rows(path: Path, query: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(query, values).fetchall()


def listed(mneme: Runner, *options: str) -> dict[str, Any]:
    result = mneme("gc", "--format", "json", *options)
    assert result.code == 0, result.err
    data: dict[str, Any] = json.loads(result.out)
    return data


class TestListing:
    def test_8_6_keys_and_order(self, mneme: Runner, project: Path) -> None:
        data = listed(mneme)
        assert list(data) == [
            "total_insights",
            "threshold",
            "candidates_found",
            "candidates",
            "max_insights",
            "actions",
        ]
        assert (data["total_insights"], data["candidates_found"], data["max_insights"]) == (5, 3, 1000)
        assert [one["insight"]["id"] for one in data["candidates"]] == ["FACT-0002", "FACT-0003", "PREF-0005"]
        first = data["candidates"][0]
        assert list(first)[:5] == ["insight", "effective_importance", "days_since_access", "edge_count", "immune"]
        assert first["immune"] is False
        # 9.1: importance 2 (conf low), 180 days, no uses; the edges that it has
        expected = 0.3 * 0.5 ** (180 / 30) * (1 + 0.1 * min(first["edge_count"], 5))
        assert first["effective_importance"] == pytest.approx(expected)
        assert not (project / ".mnemon").exists()

    def test_8_6_nothing_below_is_null(self, mneme: Runner, project: Path) -> None:
        assert project.exists()
        assert listed(mneme, "--threshold", "0")["candidates"] is None
        assert "0 of 0 below 0" in mneme("gc", "--threshold", "0").err

    def test_8_6_the_limit(self, mneme: Runner, project: Path) -> None:
        assert project.exists()
        data = listed(mneme, "--limit", "1")
        assert (len(data["candidates"]), data["candidates_found"]) == (1, 3)
        result = mneme("gc", "--limit", "2")
        assert [line.split()[1] for line in result.out.splitlines()] == ["FACT-0002", "FACT-0003"]
        assert "2 of 3 below 0.5, of 5 insights" in result.err

    def test_8_6_effective_importance_is_stored_and_logged(self, mneme: Runner, project: Path) -> None:
        mneme("compile")
        db = project / ".mnemon" / "data" / "default" / "mnemon.db"
        with closing(sqlite3.connect(db)) as database, database:
            database.execute("UPDATE insights SET effective_importance = 9")
        data = listed(mneme)
        stored = dict(rows(db, "SELECT id, effective_importance FROM insights WHERE deleted_at IS NULL"))
        for one in data["candidates"]:
            assert stored[one["insight"]["id"]] == pytest.approx(one["effective_importance"])
        assert 9 not in stored.values()
        assert rows(db, "SELECT operation, detail FROM oplog") == [("gc", "threshold=0.50 found=3 total=5")]
        assert [path.name for path in db.parent.iterdir()] == ["mnemon.db"]

    def test_8_12_readonly_stores_nothing(self, mneme: Runner, project: Path) -> None:
        mneme("compile")
        db = project / ".mnemon" / "data" / "default" / "mnemon.db"
        before = db.read_bytes()
        listed(mneme, "--readonly")
        assert mneme("gc", "--propose").code == 0
        assert db.read_bytes() == before

    def test_another_program_s_store_is_not_written(self, mneme: Runner, tmp_path: Path) -> None:
        db = tmp_path / "peer.db"
        peer_store.write(db, new=True)
        before = db.read_bytes()
        data = listed(mneme, "--db", "peer.db")
        assert [one["insight"]["id"] for one in data["candidates"]] == [peer_store.E, peer_store.B]
        assert data["candidates"][0]["from_text"] is False
        assert db.read_bytes() == before
        assert mneme("gc", "--db", "peer.db", "--propose").out == "", "nothing here is a cell"

    def test_uses_beside_the_store_count(self, mneme: Runner, project: Path) -> None:
        mneme("compile")
        for _ in range(3):
            assert "FACT-0002" in mneme("search", "seen long ago").out
        assert project.exists()
        ids = [one["insight"]["id"] for one in listed(mneme)["candidates"]]
        assert "FACT-0002" not in ids, "9.2: three accesses make immune"

    @pytest.mark.parametrize(
        "options", [["--threshold", "-1"], ["--threshold", "x"], ["--limit", "0"], ["--keep", "A", "--propose"]]
    )
    def test_8_13_out_of_range(self, mneme: Runner, options: list[str]) -> None:
        assert mneme("gc", *options).code == 2


class TestKeep:
    def test_8_6_of_a_cell(self, mneme: Runner, project: Path) -> None:
        mneme("compile")
        db = project / ".mnemon" / "data" / "default" / "mnemon.db"
        data = listed(mneme, "--keep", "FACT-0002")
        assert list(data) == ["status", "id", "content", "new_access", "effective_importance", "immune"]
        assert (data["status"], data["id"], data["new_access"], data["immune"]) == ("retained", "FACT-0002", 3, True)
        assert data["effective_importance"] > 0.4, "9.1: ln 4 times 0.3"
        assert rows(db, "SELECT access_count FROM insights WHERE id = 'FACT-0002'") == [(0,)], (
            "usage is beside the store"
        )
        assert rows(db, "SELECT operation, insight_id FROM oplog") == [("gc_keep", "FACT-0002")]
        assert "FACT-0002" not in [one["insight"]["id"] for one in listed(mneme)["candidates"]]
        assert (project / "project.mneme").read_text(encoding="utf-8") == MEMORY
        assert mneme("compile", "--check").code == 0, "the store is still what the text says"

    def test_before_anything_was_compiled(self, mneme: Runner, project: Path) -> None:
        assert listed(mneme, "--keep", "FACT-0003")["new_access"] == 3
        assert not (project / ".mnemon" / "data").exists()
        assert listed(mneme, "--keep", "FACT-0003")["new_access"] == 6

    def test_of_a_cell_in_a_store_named_by_its_file(self, mneme: Runner, project: Path) -> None:
        mneme("compile", "--db", "graph.db", "project.mneme")
        assert listed(mneme, "--db", "graph.db", "--keep", "FACT-0002")["new_access"] == 3
        assert rows(project / "graph.db", "SELECT access_count FROM insights WHERE id = 'FACT-0002'") == [(3,)]
        assert sorted(path.name for path in project.iterdir()) == ["graph.db", "project.mneme"]
        assert "up to date" in mneme("compile", "--db", "graph.db").err

    def test_of_another_program_s_row(self, mneme: Runner, tmp_path: Path) -> None:
        peer_store.write(tmp_path / "peer.db", new=True)
        data = listed(mneme, "--db", "peer.db", "--keep", peer_store.E)
        assert (data["new_access"], data["immune"]) == (3, True)
        (found,) = rows(
            tmp_path / "peer.db",
            "SELECT access_count, last_accessed_at, updated_at, round(effective_importance, 4) FROM insights"
            " WHERE id = ?",
            peer_store.E,
        )
        assert found == (3, "2026-11-25T12:00:00Z", "2026-11-25T12:00:00Z", 0.2079)

    @pytest.mark.parametrize("name", ["FACT-9999", "FACT-0004", ""])
    def test_8_13_unknown_or_deleted(self, mneme: Runner, project: Path, name: str) -> None:
        assert project.exists()
        result = mneme("gc", "--keep", name or "'")
        assert result.code == 2
        assert "not found" in result.err

    def test_8_12_readonly(self, mneme: Runner, project: Path) -> None:
        for option in (["--keep", "FACT-0002"], ["--prune"]):
            result = mneme("gc", *option, "--readonly")
            assert result.code == 2
            assert "unavailable with --readonly" in result.err
        assert not (project / ".mnemon").exists()


class TestPlan:
    def test_least_worth_first_with_a_command_each(self, mneme: Runner, project: Path) -> None:
        (project / "archive").mkdir()
        (project / "archive" / "2025.mneme").write_text(cell("FACT-0099", state="stale", cue="past"))
        result = mneme("gc", "--propose")
        assert result.out.splitlines() == [
            "  0.01  FACT-0002 (live) Old and seen long ago  [storage/cache]",
            "        stale: worth 0.01, confidence is low: mneme set FACT-0002 --state stale",
            "  0.01  FACT-0003 (stale) Old and stale  [storage/cache]",
            "        retire: worth 0.01, marked stale: mneme retire FACT-0003",
            "  0.02  TODO-0006 (live) Old but immune  [storage/cache]",
            "        keep: not confirmed for 180 days: confirm it if it still holds: mneme seen TODO-0006",
            "  0.42  PREF-0005 (live) Fresh and small  [storage/cache]",
            "        stale: worth 0.42, confidence is low: mneme set PREF-0005 --state stale",
            "  1.00  DEC-0001 (live) Fresh and important  [storage/cache]",
            "        keep: immune: mneme gc --keep DEC-0001",
        ]
        assert "5 of 5" in result.err
        assert (project / "project.mneme").read_text(encoding="utf-8") == MEMORY

    def test_every_command_of_the_plan_works(self, mneme: Runner, project: Path) -> None:
        data = listed(mneme, "--propose")
        assert (data["kind"], data["total"]) == ("gc-plan", 5)
        for one in data["cells"]:
            assert mneme(*one["command"].split()[1:]).code == 0, one
        assert mneme("lint", "--format", "concise").code == 0
        assert project.exists()


class TestPruning:
    NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("environ", "limits"),
        [
            ({}, (1000, DEFAULT_AGE)),
            ({"MNEMON_MAX_INSIGHTS": " 7 "}, (7, DEFAULT_AGE)),
            ({"MNEMON_MAX_INSIGHTS": "0"}, (0, DEFAULT_AGE)),
            ({"MNEMON_MAX_INSIGHTS": "-3"}, (0, DEFAULT_AGE)),
            ({"MNEMON_MAX_INSIGHTS": "many"}, (1000, DEFAULT_AGE)),
            ({"MNEMON_AUTO_PRUNE_MIN_AGE": "1h30m"}, (1000, timedelta(minutes=90))),
            ({"MNEMON_AUTO_PRUNE_MIN_AGE": "7d"}, (1000, timedelta(days=7))),
            ({"MNEMON_AUTO_PRUNE_MIN_AGE": "0"}, (1000, timedelta())),
            ({"MNEMON_AUTO_PRUNE_MIN_AGE": "-1h"}, (1000, DEFAULT_AGE)),
            ({"MNEMON_AUTO_PRUNE_MIN_AGE": "soon"}, (1000, DEFAULT_AGE)),
            ({"MNEMON_AUTO_PRUNE_MIN_AGE": f"{'9' * 400}d"}, (1000, timedelta(seconds=1e9))),
        ],
    )
    def test_2_8_limits(self, environ: dict[str, str], limits: tuple[int, timedelta]) -> None:
        assert Limits.of(environ) == limits

    @pytest.mark.parametrize(
        ("limits", "gone"),
        [
            (Limits(1000), []),
            (Limits(14), ["p02"]),
            (Limits(13), ["p02", "p03"]),
            (Limits(1), [f"p{number:02d}" for number in range(2, 12)]),
            (Limits(0), []),
            (Limits(1, timedelta()), ["young", *(f"p{number:02d}" for number in range(2, 11))]),
        ],
    )
    def test_9_3(self, limits: Limits, gone: list[str]) -> None:
        with memory_store() as store:
            with store.transaction():
                old = [
                    Insight(f"p{number:02d}", "x", importance=2, created_at="2026-01-01T00:00:00Z",
                            effective_importance=number / 100)
                    for number in range(2, 13)
                ]  # fmt: skip
                immune = [
                    Insight("imp", "x", importance=4, created_at="2026-01-01T00:00:00Z", effective_importance=0.0),
                    Insight("acc", "x", access_count=3, created_at="2026-01-01T00:00:00Z", effective_importance=0.0),
                    Insight("use", "x", created_at="2026-01-01T00:00:00Z", effective_importance=0.0),
                ]
                store.put_insights([*old, *immune], stored_at="2026-11-01T00:00:00Z")
                young = Insight("young", "x", created_at="2026-01-01T00:00:00Z", effective_importance=0.01)
                store.put_insights([young], stored_at="2026-11-25T11:00:00Z")
            with store.transaction():
                used = {"use": Usage(3, "2026-11-20T00:00:00Z")}
                assert prune(store, limits, now=self.NOW, trigger="gc", used=used) == gone
            assert [one.insight_id for one in store.operations(20)] == gone[::-1]
            assert all(one.operation == "prune" for one in store.operations(20))
            assert set(store.insights(deleted=False)) == {one.id for one in (*old, *immune, young)} - set(gone)

    def test_what_is_from_text_is_never_pruned(
        self, mneme: Runner, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mneme("compile", "--db", "graph.db", "project.mneme")
        monkeypatch.setenv("MNEMON_MAX_INSIGHTS", "1")
        monkeypatch.setenv("MNEMON_AUTO_PRUNE_MIN_AGE", "0")
        assert mneme("gc", "--db", "graph.db", "--prune").out == ""
        with closing(sqlite3.connect(project / "graph.db")) as database, database:
            database.executemany(
                "INSERT INTO insights (id, content, created_at, updated_at) VALUES (?, 'x', '2026-01-01', '')",
                [("k1",), ("k2",)],
            )
        result = mneme("gc", "--db", "graph.db", "--prune")
        assert result.out == "k1\n"
        assert "1 insights of other programs deleted" in result.err
        query = "SELECT count(*) FROM insights WHERE deleted_at IS NULL AND id IN (SELECT id FROM mneme_cells)"
        assert rows(project / "graph.db", query) == [(5,)]
        assert mneme("log", "--db", "graph.db", "--limit", "1").out.splitlines()[1].split()[1:3] == ["prune", "k1"]
