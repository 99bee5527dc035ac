"""Laws of the compile: after any edits the store holds what one compile of everything would have made."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from mneme.bridge.arrivals import Kept, Member
from mneme.bridge.compile import Delta, apply, compare
from mneme.config import Config
from mneme.format.parser import parse
from mneme.graph.store import Store, memory_store
from mneme.graph.store.dump import dump

NOW = datetime(2026, 11, 25, tzinfo=UTC)
IDS = [f"{prefix}-{number:04d}" for prefix in ("DEC", "FACT") for number in range(1, 15)]
PATHS = ("a.mneme", "b/c.mneme", "b.mneme")
DAYS = ("2026-03-01", "2026-03-02", "2026-03-03", "2026-04-01")
WORDS = ("Redis", "cache", "SQLite", "because", "writes", "慢查询", "DataBase", "slow")
RELATIONS = ("relates", "supersedes", "superseded-by", "causes", "depends-on", "refines")

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@st.composite
def cells(draw: st.DrawFn, cell_id: str) -> str:
    """Return a cell's text."""
    day = draw(st.sampled_from(DAYS))
    state = draw(st.sampled_from(("live", "live", "live", "superseded", "proposed", "retired")))
    lines = [f"@ {cell_id}  {draw(st.sampled_from(('storage', 'api/x')))}", f"gist  {draw(texts)}"]
    lines.append(f"state {state}   since {day}   seen {draw(st.sampled_from(DAYS[2:]))}")
    if draw(st.booleans()):
        lines.append(f"cue   {draw(texts)} / {draw(st.sampled_from(WORDS))}")
    if draw(st.booleans()):
        lines.append(f"origin agent={draw(st.sampled_from(('x', 'y')))}")
    links = draw(st.lists(st.tuples(st.sampled_from(RELATIONS), st.sampled_from(IDS)), max_size=2))
    lines += [f"link  {relation} {target}" for relation, target in links]
    return "\n".join(lines) + "\n\n"


def members(files: dict[str, list[tuple[str, str]]]) -> list[Member]:
    """Return the cells of files as a compile gets them."""
    found = []
    for path in sorted(files, key=lambda name: name.split("/")):
        document = parse("".join(text for _, text in files[path]), name=path)
        found += [Member(cell, path, place) for place, cell in enumerate(document.cells)]
    return found


def compile_into(store: Store, wanted: list[Member]) -> Delta:
    """Compile as the command does: files that are as they were compiled are not parsed."""
    parts: dict[str, list[Member]] = {}
    for member in wanted:
        parts.setdefault(member.path, []).append(member)
    files = {path: "".join(member.cell.text for member in held) for path, held in parts.items()}
    known = store.files()
    same = {path for path, text in files.items() if known.get(path) == text}
    with store.transaction():
        kept = [Kept(row) for row in store.stood() if row.path in same]
        members = [*(member for member in wanted if member.path not in same), *kept]
        assert len(members) == len(wanted)
        delta = compare(store, members, Config())
        apply(store, members, delta, Config(), now=NOW, files=files)
    return delta


class Compiling(RuleBasedStateMachine):
    """Edits of every kind, and a compile after some of them."""

    def __init__(self) -> None:
        super().__init__()
        self.store = memory_store()
        self.files: dict[str, list[tuple[str, str]]] = {path: [] for path in PATHS}

    def teardown(self) -> None:
        self.store.close()

    def where(self, cell_id: str) -> tuple[str, int] | None:
        for path, entries in self.files.items():
            for place, (name, _) in enumerate(entries):
                if name == cell_id:
                    return path, place
        return None

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        for cell_id in data.draw(st.lists(st.sampled_from(IDS), unique=True, min_size=8)):
            self.files[data.draw(st.sampled_from(PATHS))].append((cell_id, data.draw(cells(cell_id))))
        compile_into(self.store, members(self.files))

    @rule(data=st.data(), cell_id=st.sampled_from(IDS))
    def write(self, data: st.DataObject, cell_id: str) -> None:
        """Add a cell somewhere, or give it another text."""
        entry = (cell_id, data.draw(cells(cell_id)))
        place = self.where(cell_id)
        if place is None:
            entries = self.files[data.draw(st.sampled_from(PATHS))]
            entries.insert(data.draw(st.integers(0, len(entries))), entry)
        else:
            self.files[place[0]][place[1]] = entry

    @rule(cell_id=st.sampled_from(IDS))
    def drop(self, cell_id: str) -> None:
        """Take a cell out."""
        if place := self.where(cell_id):
            del self.files[place[0]][place[1]]

    @rule(data=st.data(), cell_id=st.sampled_from(IDS))
    def move(self, data: st.DataObject, cell_id: str) -> None:
        """Put a cell somewhere else."""
        if place := self.where(cell_id):
            entry = self.files[place[0]].pop(place[1])
            entries = self.files[data.draw(st.sampled_from(PATHS))]
            entries.insert(data.draw(st.integers(0, len(entries))), entry)

    @rule(cell_id=st.sampled_from(IDS))
    def forgotten_by_another_program(self, cell_id: str) -> None:
        """The engine's own program forgets what a cell made: the text says it is there."""
        if self.where(cell_id) and self.store.insights([cell_id]):
            with self.store.transaction():
                self.store.soft_delete([cell_id], "2026-11-01T00:00:00Z")

    @rule()
    def compiled(self) -> None:
        """Compile, and hold the store against one made from nothing."""
        wanted = members(self.files)
        compile_into(self.store, wanted)
        with memory_store() as fresh:
            compile_into(fresh, wanted)
            assert dump(self.store.rows) == dump(fresh.rows)
        assert not compare(self.store, wanted, Config())


Compiling.TestCase.settings = settings(max_examples=60, stateful_step_count=12, deadline=None)
TestCompiling = Compiling.TestCase
