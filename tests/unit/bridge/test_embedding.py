"""Vectors of a store: only what changed is embedded, another model begins anew, whoever is stopped goes on."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from mneme.bridge import embedding
from mneme.bridge.bound import BoundStore
from mneme.bridge.compiling import compile_store
from mneme.bridge.embedding import Asker, coverage, fill, missing, views_of
from mneme.format.parser import parse
from mneme.graph.embed.provider import Provider
from mneme.graph.model import Insight
from mneme.graph.store import open_store, read
from mneme.graph.store.dump import dump
from mneme.graph.view import Scope
from mneme.workspace import Workspace
from tests.embedding import DIMENSION, Fake

TODAY = date(2026, 11, 25)
NOW = datetime(2026, 11, 25, tzinfo=UTC)

CELL = """\
@ {id}  ops/fleet
gist  {gist}
state live   conf high   since 2026-11-05   seen {seen}
cue   {cue}
{body}
"""


def cell(number: int, gist: str, cue: str = "fleet", seen: str = "2026-11-22", body: str = "") -> str:
    return CELL.format(id=f"FACT-{number:04d}", gist=gist, cue=cue, seen=seen, body=body)


class Memory:
    """A file of cells and its store."""

    def __init__(self, root: Path) -> None:
        (root / "mneme.toml").touch()
        self.file = root / "notes.mneme"
        self.bound = BoundStore.named(Workspace.find(root), root / "notes.db", [self.file])

    def write(self, *cells: str) -> None:
        self.file.write_text("\n".join(cells), "utf-8")
        compile_store(self.bound, today=TODAY, now=NOW, accept=["FACT-0001", "FACT-0002"])

    def filled(self, provider: Provider) -> list[str]:
        """Fill in what is missing; return whose vectors that were."""
        todo = missing(self.bound, provider.model)
        done = fill(self.bound, provider, todo)
        assert (done.succeeded, done.failed) == (len(todo), 0)
        return [one.id for one in todo]

    def vectors(self) -> dict[str, bytes]:
        return read(self.bound.path, lambda reader: dict(reader.view(Scope(every_state=True)).vectors()))

    def covered(self) -> embedding.Coverage:
        return read(self.bound.path, coverage)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = Memory(tmp_path)
    made.write(cell(1, "A car needs oil"), cell(2, "The phone is off"), cell(3, "Trains run late"))
    return made


def test_views_are_gist_with_cues_and_all_that_is_said() -> None:
    text = cell(1, "A car needs oil", "fleet, engine", body="> Every spring.")
    assert views_of(parse(text).cells[0]) == (
        "A car needs oil\nfleet, engine", "A car needs oil\nfleet, engine\nops/fleet\nEvery spring."
    )  # fmt: skip


def test_what_is_missing_is_embedded_once(memory: Memory) -> None:
    fake = Fake()
    assert memory.filled(fake) == ["FACT-0001", "FACT-0002", "FACT-0003"]
    assert memory.covered() == (3, 3, "words-1", DIMENSION)
    assert memory.filled(fake) == []
    assert len(fake.asked) == 6


def test_vectors_are_little_endian_float32_of_length_one(memory: Memory) -> None:
    memory.filled(Fake())
    for blob in memory.vectors().values():
        assert len(blob) == 4 * DIMENSION
        assert sum(number**2 for number in memoryview(blob).cast("f")) == pytest.approx(1)


def test_only_cells_whose_text_changed_are_embedded_again(memory: Memory) -> None:
    fake = Fake()
    memory.filled(fake)
    before = memory.vectors()
    memory.write(
        cell(1, "A car needs oil", seen="2026-11-24"),  # confirmed: says nothing else
        cell(2, "The phone is off", cue="handset"),
        cell(4, "Ships are slow"),
    )
    assert memory.filled(fake) == ["FACT-0002", "FACT-0004"]
    after = memory.vectors()
    assert before["FACT-0001"] == after["FACT-0001"]
    assert before["FACT-0002"] != after["FACT-0002"]
    assert "FACT-0003" not in after
    memory.write(cell(1, "A car needs water"), cell(2, "The phone is off", cue="handset"), cell(4, "Ships are slow"))
    assert memory.filled(fake) == ["FACT-0001"]


def test_another_model_begins_anew_and_never_stands_beside_the_old_one(memory: Memory) -> None:
    memory.filled(Fake())
    other = Fake(model="words-2", fails_after=2)
    todo = missing(memory.bound, "words-2")
    assert len(todo) == 3
    fill(memory.bound, other, todo[:1])
    assert memory.covered() == (3, 1, "words-2", DIMENSION)
    assert memory.filled(Fake(model="words-2")) == [one.id for one in todo[1:]]


def test_whoever_is_stopped_goes_on_where_it_was(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "BATCH", 1)
    told: list[tuple[int, int]] = []
    stopped = fill(
        memory.bound, Fake(fails_after=4), missing(memory.bound, "words-1"), progress=lambda *of: told.append(of)
    )
    assert stopped == (2, 1, "the words ran out")
    assert told == [(1, 3), (2, 3)]
    assert memory.filled(Fake()) == ["FACT-0003"]


def test_text_that_changed_while_it_was_embedded_gets_no_old_vector(memory: Memory) -> None:
    class Slow(Fake):
        def embed(self, texts: object) -> list[bytes]:
            memory.write(cell(1, "A car needs water"), cell(2, "The phone is off"), cell(3, "Trains run late"))
            return super().embed(texts)  # type: ignore[arg-type]

    done = fill(memory.bound, Slow(), missing(memory.bound, "words-1"))
    assert done == (2, 1, "")
    assert memory.filled(Fake()) == ["FACT-0001"]


def test_a_vector_of_another_program_is_made_anew(memory: Memory) -> None:
    memory.filled(Fake())
    with open_store(memory.bound.path) as store, store.transaction():
        store.put_vectors({"FACT-0002": b"\0\0\0\0", "FACT-0003": None})
    assert memory.filled(Fake()) == ["FACT-0002", "FACT-0003"]


def test_a_rebuild_keeps_vectors_and_they_change_nothing_that_compile_makes(memory: Memory) -> None:
    def dumped() -> str:
        return read(memory.bound.path, lambda reader: dump(reader.rows))

    before = dumped()
    memory.filled(Fake())
    kept = memory.vectors()
    assert dumped() == before
    compile_store(memory.bound, today=TODAY, now=NOW, rebuild=True)
    assert (dumped(), memory.vectors()) == (before, kept)
    assert missing(memory.bound, "words-1") == []


def test_insights_of_other_programs_are_embedded_by_their_content(tmp_path: Path) -> None:
    path = tmp_path / "peer.db"
    with open_store(path) as store, store.transaction():
        store.put_insights([Insight(id="a", content="A car needs oil", created_at="2026-11-05T00:00:00Z")])
        store.put_vectors({"a": b"\0\0\x80\x3f" * 4})
    bound = BoundStore.named(Workspace.find(tmp_path), path)
    server = Fake(kind="ollama")
    assert read(path, Asker({}, server).for_store) is not None  # of the server that both programs are told of
    assert read(path, Asker({}, Fake()).for_store) is None
    fill(bound, server, missing(bound, "words-1"))
    assert server.asked == ["A car needs oil"]


class TestAsker:
    def test_a_store_without_vectors_asks_nobody(self, memory: Memory) -> None:
        assert read(memory.bound.path, Asker({"MNEME_EMBED": "nonsense"}).for_store) is None

    def test_only_the_model_of_the_vectors_will_do(self, memory: Memory) -> None:
        memory.filled(Fake())
        assert read(memory.bound.path, Asker({}, Fake(model="words-2")).for_store) is None
        assert read(memory.bound.path, Asker({"MNEME_EMBED": "off"}).for_store) is None

    def test_every_text_is_embedded_once(self, memory: Memory) -> None:
        memory.filled(Fake())
        fake = Fake()
        asker = Asker({}, fake)
        for _ in range(2):
            embed = read(memory.bound.path, asker.for_store)
            assert embed is not None
            assert len(embed(["a car", "a phone", "a car"])) == 3
        assert fake.asked == ["a car", "a phone"]

    def test_who_is_away_or_fails_is_not_asked_again(self, memory: Memory) -> None:
        memory.filled(Fake())
        assert read(memory.bound.path, Asker({}, Fake(up=False)).for_store) is None
        asker = Asker({}, Fake(fails_after=0))
        embed = read(memory.bound.path, asker.for_store)
        assert embed is not None
        assert embed(["a car"]) == []
        assert read(memory.bound.path, asker.for_store) is None
