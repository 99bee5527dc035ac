"""``mneme status``, ``log``, ``receipt``, ``viz`` and ``store`` (engine's facts, 8.8 to 8.10, 8.12, 8.13)."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests import peer_store
from tests.conftest import Runner, cell

MEMORY = (
    cell("DEC-0001")
    + "\n"
    + cell("FACT-0002", gist="The cache holds JSON", cue="JSON cache", state="stale", topic="storage/json")
    + "\n"
    + cell("TODO-0003", gist="Not now", state="retired", cue="later", topic="plan")
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.mneme").write_text(MEMORY, encoding="utf-8")
    return tmp_path


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


class TestStatus:
    @pytest.mark.parametrize("compiled", [False, True])
    def test_8_8_keys_whether_compiled_or_not(self, mneme: Runner, project: Path, *, compiled: bool) -> None:
        if compiled:
            assert mneme("compile").code == 0
        before = listing(project)
        data = json.loads(mneme("status", "--format", "json").out)
        assert list(data)[:8] == [
            "total_insights", "deleted_insights", "by_category", "edge_count", "top_entities", "oplog_count", "db_path",
            "db_size_bytes",
        ]  # fmt: skip
        assert (data["total_insights"], data["deleted_insights"]) == (2, 1)
        assert data["by_category"] == {"decision": 1, "fact": 1}
        assert data["cells_by_state"] == {"live": 1, "retired": 1, "stale": 1}
        assert data["db_path"] == str(project / ".mnemon" / "data" / "default" / "mnemon.db")
        assert data["cells_behind"] == (0 if compiled else 3)
        assert (data["db_size_bytes"] > 0) is compiled
        assert listing(project) == before

    def test_never_from_old_text(self, mneme: Runner, project: Path) -> None:
        mneme("compile")
        (project / "more.mneme").write_text(cell("PREF-0009", gist="Short lines"))
        result = mneme("status")
        assert "1 cell behind" in result.err
        assert "1 preference" in result.out

    def test_a_database_of_the_original(self, mneme: Runner, tmp_path: Path) -> None:
        db = tmp_path / "my #1 100%?.db"
        peer_store.write(db, new=True)
        before = db.read_bytes()
        data = json.loads(mneme("status", "--db", db, "--format", "json").out)
        assert (data["total_insights"], data["deleted_insights"], data["insights_of_others"]) == (5, 1, 6)
        assert data["top_entities"][0] == {"entity": "DuckDB", "count": 1}
        assert (data["has_text"], data["oplog_count"]) == (False, 7)
        assert db.read_bytes() == before
        assert [path.name for path in tmp_path.iterdir()] == [db.name]

    def test_8_13_no_such_database(self, mneme: Runner) -> None:
        for command in ("status", "log", "receipt", "viz"):
            result = mneme(command, "--db", "none.db")
            assert (result.code, result.out) == (2, "")
            assert "no such store" in result.err


class TestLogAndReceipt:
    def test_nothing_is_logged_before_there_is_a_store(self, mneme: Runner, project: Path) -> None:
        assert mneme("log").out == "Nothing is logged yet.\n"
        assert json.loads(mneme("log", "--format", "json").out) == []
        assert json.loads(mneme("receipt", "--format", "json").out)["count"] == 0
        assert sorted(path.name for path in project.iterdir()) == ["project.mneme"]

    def test_2_10_reading_is_not_logged(self, mneme: Runner, project: Path) -> None:
        mneme("compile")
        for call in (["recall", "cache"], ["search", "cache"], ["related", "DEC-0001"], ["status"], ["viz"]):
            assert mneme(*call).code == 0
        assert project.exists()
        assert mneme("log").out == "Nothing is logged yet.\n"

    def test_8_8_newest_first(self, mneme: Runner, tmp_path: Path) -> None:
        peer_store.write(tmp_path / "peer.db", new=False)
        lines = mneme("log", "--db", "peer.db", "--limit", "2").out.splitlines()
        assert lines[0].split() == ["TIME", "OP", "INSIGHT", "DETAIL"]
        assert lines[1].split() == ["2026-02-02T10:00:00Z", "forget", "ffffffff"]
        assert lines[2].split()[:3] == ["2026-02-01T10:00:00Z", "remember", "ffffffff"]
        assert len(lines) == 3
        data = json.loads(mneme("log", "--db", "peer.db", "--limit", "1", "--format", "json").out)
        assert data == [
            {"operation": "forget", "insight_id": peer_store.GONE, "detail": "", "created_at": "2026-02-02T10:00:00Z"}
        ]

    def test_8_8_a_receipt_gives_nothing_away(self, mneme: Runner, tmp_path: Path) -> None:
        peer_store.write(tmp_path / "peer.db", new=True)
        result = mneme("receipt", "--db", "peer.db", "--limit", "2", "--format", "json")
        data = json.loads(result.out)
        assert {key: data[key] for key in ("schema", "store", "limit", "count")} == {
            "schema": "mnemon.memory.receipt.v1", "store": "peer.db", "limit": 2, "count": 2,
        }  # fmt: skip
        assert data["events"][0] == {
            "event_name": "mnemon.memory.operation.observed", "operation": "forget",
            "created_at": "2026-02-02T10:00:00Z",
            "insight_id_hash": sha256(peer_store.GONE.encode()).hexdigest(), "detail_present": False,
        }  # fmt: skip
        text = mneme("receipt", "--db", "peer.db").out
        for content in ("SQLite", peer_store.A):
            assert content not in text + result.out

    @pytest.mark.parametrize("limit", ["0", "-1", "x"])
    def test_8_13_limits(self, mneme: Runner, limit: str) -> None:
        for command in ("log", "receipt"):
            result = mneme(command, "--limit", limit)
            assert result.code == 2
            assert "--limit" in result.err


class TestViz:
    def test_8_9_dot(self, mneme: Runner, project: Path) -> None:
        result = mneme("viz")
        assert result.code == 0
        assert result.out.startswith("digraph mnemon {")
        assert '"DEC-0001" [label="DEC-0001 [decision]' in result.out
        assert "TODO-0003" not in result.out, "retired"
        assert sorted(path.name for path in project.iterdir()) == ["project.mneme"]

    def test_8_9_a_page_into_a_file(self, mneme: Runner, project: Path) -> None:
        result = mneme("viz", "--format", "html", "-o", "memory.html")
        assert (result.code, result.out) == (0, "")
        assert "memory.html" in result.err
        assert "DEC-0001" in (project / "memory.html").read_text(encoding="utf-8")

    def test_memory_is_never_drawn_over(self, mneme: Runner, project: Path) -> None:
        mneme("compile", "--db", "graph.db")
        for name in ("project.mneme", "graph.db"):
            before = (project / name).read_bytes()
            result = mneme("viz", "--db", "graph.db", "-o", name)
            assert result.code == 2
            assert "memory, not a picture" in result.err
            assert (project / name).read_bytes() == before
        assert mneme("viz", "-o", "no/such/folder.dot").code == 2

    def test_another_form(self, mneme: Runner, project: Path) -> None:
        assert project.exists()
        assert mneme("viz", "--format", "png").code == 2


class TestStores:
    def test_8_10_list_create_set_remove(self, mneme: Runner, project: Path) -> None:
        assert mneme("store", "list").out == "* default\n"
        assert mneme("store", "create", "scratch").code == 0
        assert (project / ".mnemon" / ".gitignore").exists()
        assert mneme("store", "list").out == "* default\n  scratch\n"
        assert mneme("store", "set", "scratch").code == 0
        assert (project / ".mnemon" / "active").read_bytes() == b"scratch\n"
        assert "* scratch\n" in mneme("store", "list").out
        assert mneme("store", "remove", "scratch").code == 2
        assert mneme("store", "set", "default").code == 0
        assert mneme("store", "remove", "scratch").code == 0
        assert mneme("store", "list").out == "* default\n"
        assert (project / "project.mneme").read_text(encoding="utf-8") == MEMORY

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (["create", "../x"], "no name for a store"),
            (["create", ""], "no name for a store"),
            (["create", "-x"], "-x"),
            (["set", "nowhere"], "no store is called nowhere"),
            (["remove", "nowhere"], "no store is called nowhere"),
            (["remove", "default"], "is the active one"),
            (["create", "there"], "exists already"),
        ],
    )
    def test_8_13_refusals(self, mneme: Runner, project: Path, call: list[str], said: str) -> None:
        mneme("store", "create", "there")
        before = listing(project)
        result = mneme("store", *call)
        assert result.code == 2
        assert said in result.err
        assert listing(project) == before

    @pytest.mark.parametrize("action", ["create", "set", "remove"])
    def test_8_12_readonly(self, mneme: Runner, project: Path, action: str) -> None:
        result = mneme("store", action, "x", "--readonly")
        assert result.code == 2
        assert f"store {action} is unavailable with --readonly" in result.err
        assert not (project / ".mnemon").exists()

    def test_stores_of_other_programs_are_listed(self, mneme: Runner, tmp_path: Path) -> None:
        peer_store.write(tmp_path / "base" / "data" / "work" / "mnemon.db", new=True)
        (tmp_path / "base" / "data" / "broken").mkdir()
        (tmp_path / "base" / "data" / "broken" / "mnemon.db").write_text("no database, just words " * 50)
        result = mneme("store", "list", "--data-dir", "base", "--format", "json")
        stores = {one["name"]: one for one in json.loads(result.out)["stores"]}
        assert (stores["work"]["insights"], stores["work"]["has_text"]) == (5, False)
        assert stores["broken"]["insights"] is None
        assert "not a database" in stores["broken"]["trouble"]
        assert (stores["default"]["active"], stores["default"]["has_text"]) == (True, True)

    def test_a_configured_store_can_be_chosen_before_it_was_compiled(self, mneme: Runner, project: Path) -> None:
        (project / "mneme.toml").write_text('[stores.api]\nfiles = ["api.mneme"]\n')
        (project / "api.mneme").write_text(cell("FACT-0077", gist="The API pages"))
        assert mneme("store", "set", "api").code == 0
        assert json.loads(mneme("status", "--format", "json").out)["total_insights"] == 1
