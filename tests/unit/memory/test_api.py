"""``mneme.Memory``: the verbs as Python, over text and store."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from mneme import Memory
from mneme.errors import UsageError
from mneme.graph.usage import counted

TODAY = date(2026, 11, 25)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    (tmp_path / "mneme.toml").touch()
    return Memory(tmp_path, environ={}, today=TODAY, clock=lambda: datetime(2026, 11, 25, 9, tzinfo=UTC))


def test_a_session(memory: Memory, tmp_path: Path) -> None:
    first = memory.remember(
        "Tokens cannot be revoked", category="fact", tags=["auth", "tokens"], importance=4, entities=["JWT"]
    )
    second = memory.remember("Sessions end after 30 minutes", category="decision", topic="auth/sessions")
    assert (first.action, first.insight.id, second.insight.id) == ("added", "FACT-0001", "DEC-0001")
    again = memory.remember("Tokens cannot be revoked", category="fact")
    assert (again.action, again.replaced_id) == ("skipped", "FACT-0001")
    linked = memory.link("FACT-0001", "DEC-0001", edge_type="causal", weight=0.9)
    assert (linked.type, linked.weight) == ("causal", 0.9)
    assert [hit.id for hit in memory.recall("why do sessions end").answer.hits] == ["FACT-0001", "DEC-0001"]
    found = memory.recall("how long are sessions", "can tokens be revoked")
    assert {hit.id: hit.serves for hit in found.answer.hits}.keys() == {"FACT-0001", "DEC-0001"}
    assert found.known["DEC-0001"].trust.word == "use"
    assert "FACT-0001" in [one.insight.id for one in memory.related("DEC-0001", edge_type="causal").found]
    assert memory.search("revoked").found[0].insight.id == "FACT-0001"
    insight, known = memory.show("FACT-0001")
    assert (insight.importance, "JWT" in insight.entities, known.age) == (4, True, 0)
    assert memory.status().data["total_insights"] == 2
    assert "FACT-0001" in memory.brief().text
    assert {one.insight.id for one in memory.survey().worths} == {"FACT-0001", "DEC-0001"}
    assert memory.forget("DEC-0001").id == "DEC-0001"
    assert [hit.id for hit in memory.recall("sessions tokens").answer.hits] == ["FACT-0001"]
    assert not memory.compile(check=True).delta
    assert memory.store.usage is not None
    assert counted(memory.store.usage, "default", ["FACT-0001"])["FACT-0001"].accesses >= 3
    assert "retired" in (tmp_path / "project.mneme").read_text("utf-8")


def test_readonly_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Tokens cannot be revoked", category="fact")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    reader = Memory(tmp_path, readonly=True, environ={}, today=TODAY)
    assert reader.recall("tokens").answer.hits
    assert reader.search("tokens").found
    reader.show("FACT-0001")
    for write in (
        lambda: reader.remember("x"), lambda: reader.link("A-1", "A-2"), lambda: reader.forget("A-1"), reader.compile,
    ):  # fmt: skip
        with pytest.raises(UsageError, match="readonly"):
            write()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_draft_is_imported_kept_and_logged(memory: Memory, tmp_path: Path) -> None:
    draft = b'{"schema_version": "1", "insights": [{"content": "Tokens cannot be revoked", "category": "fact"}]}'
    assert [item.id for item in memory.import_draft(draft).items] == ["FACT-0001"]
    assert memory.import_draft(draft).items[0].action == "skipped"
    kept = memory.keep("FACT-0001")
    assert (kept.insight.access_count, kept.immune) == (3, True)
    assert [one.operation for one in memory.log()] == ["gc_keep", "import-skip", "import"]
    with pytest.raises(UsageError, match="no JSON"):
        memory.import_draft(b"{")
    reader = Memory(tmp_path, readonly=True, environ={}, today=TODAY)
    for write in (lambda: reader.import_draft(draft), lambda: reader.keep("FACT-0001")):
        with pytest.raises(UsageError, match="readonly"):
            write()


def test_a_store_by_its_file(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Tokens cannot be revoked", category="fact")
    named = Memory(tmp_path, db=tmp_path / "out.db", environ={}, today=TODAY)
    named.compile()
    assert named.recall("tokens").answer.hits[0].id == "FACT-0001"
    with pytest.raises(UsageError):
        Memory(tmp_path, db="x.db", store="y", environ={})
    with pytest.raises(UsageError, match="nothing is asked"):
        memory.recall(" ")


def test_importing_mneme_is_cheap() -> None:
    code = "import sys, mneme; print([name for name in ('sqlite3', 'mneme.memory') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
