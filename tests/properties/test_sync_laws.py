"""Laws of ``mneme sync`` with two writers, a host and the text, that know nothing of each other."""

from __future__ import annotations

import json
import shutil
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from mneme.config import Config
from mneme.format.parser import parse
from mneme.memory.hot_pen import Hand
from mneme.memory.recalling import Moment
from mneme.memory.runtime import Runtime
from mneme.memory.status import retire, set_fields
from mneme.workspace import Workspace

TODAY = date(2026, 11, 25)
targets = st.sampled_from(["user", "memory"])
words = st.sampled_from(["tea", "coffee", "a b", "see @x", "<!-- y -->", "茶", "{{z}}", "- item", "# head", "[A] b"])
picks = st.integers(0, 99)


class TwoWriters(RuleBasedStateMachine):
    """The text is changed by its verbs, the files as hosts and people do it; sync comes in between."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="mneme-sync-"))
        self.workspace = Workspace(self.root, Config())
        self.minutes = 0
        self.said: set[tuple[str, str]] = set()
        self.runtime().sync()

    def runtime(self) -> Runtime:
        self.minutes += 1
        now = datetime(2026, 11, 25, self.minutes // 60 % 24, self.minutes % 60, tzinfo=UTC)
        return Runtime(self.workspace, self.root / ".mnemon", {}, Hand(Moment(TODAY, now)))

    @property
    def json(self) -> Path:
        return self.root / ".mnemon" / "runtime" / "memories.json"

    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.json.read_text(encoding="utf-8"))["entries"]
        return found

    def write(self, entries: list[dict[str, Any]]) -> None:
        self.json.write_text(json.dumps({"version": 1, "entries": entries}), encoding="utf-8")

    def cells(self) -> list[Any]:
        path = self.root / "project.mneme"
        return list(parse(path.read_text(encoding="utf-8")).cells) if path.exists() else []

    @rule(file=targets, text=words)
    def host_adds(self, file: str, text: str) -> None:
        self.minutes += 1
        stamp = f"2026-11-25T20:00:00.{self.minutes:03d}Z"
        fields = {"content": text, "created_at": stamp, "updated_at": stamp, "target": file, "importance": "normal"}
        self.write([*self.entries(), fields])
        self.said.add((file, text))

    @rule(pick=picks, text=words)
    def host_replaces(self, pick: int, text: str) -> None:
        entries = self.entries()
        if entries:
            one = entries[pick % len(entries)]
            self.minutes += 1
            self.said.discard((one["target"], one["content"]))  # perhaps it added that itself
            one.update(content=text, updated_at=f"2026-11-25T21:00:00.{self.minutes:03d}Z")
            self.write(entries)
            self.said.add((one["target"], text))

    @rule(pick=picks)
    def host_drops(self, pick: int) -> None:
        entries = self.entries()
        if entries:
            del entries[pick % len(entries)]
            self.write(entries)
        self.said.clear()  # what it dropped it may have added itself

    @rule(file=targets, text=st.sampled_from(["by hand", "tea", "two words"]))
    def person_writes(self, file: str, text: str) -> None:
        with (self.json.parent / f"{file.upper()}.md").open("a", encoding="utf-8") as stream:
            stream.write(f"\n{text}\n")
        self.said.add((file, text))

    @rule(pick=picks)
    def text_retires(self, pick: int) -> None:
        live = [cell.id for cell in self.cells() if cell.status.state == "live"]
        if live:
            retire(self.workspace, [live[pick % len(live)]])

    @rule(pick=picks, imp=st.sampled_from("135"))
    def text_weighs(self, pick: int, imp: str) -> None:
        live = [cell.id for cell in self.cells() if cell.status.state == "live"]
        if live:
            set_fields(self.workspace, [live[pick % len(live)]], imp=imp, today=TODAY)

    @rule(file=targets, text=words)
    def agent_adds(self, file: str, text: str) -> None:
        self.runtime().add(file, text)
        self.said.clear()
        self.settled()

    @rule()
    def sync(self) -> None:
        before = {cell.id: cell.gist for cell in self.cells()}
        self.runtime().sync()
        after = {cell.id: cell.gist for cell in self.cells()}
        assert before.items() <= after.items()  # content never changes, and no cell goes
        assert {text for _, text in self.said} <= set(after.values())  # nothing is lost
        self.said.clear()
        self.settled()

    def settled(self) -> None:
        """A second time changes nothing, and no text is hot twice in one file."""
        files = {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}
        again = self.runtime().sync()
        assert (again.changes, again.written) == ([], [])
        assert {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()} == files
        for name, target in (("USER.md", "user"), ("MEMORY.md", "memory")):
            lines = [one["content"] for one in self.entries() if one["target"] == target]
            assert (self.json.parent / name).read_text(encoding="utf-8") == (
                "\n§\n".join(lines) + "\n" if lines else ""
            )
            gists = [line.partition("] ")[2] for line in lines]
            assert len(gists) == len(set(gists))

    @invariant()
    def no_lock_is_left(self) -> None:
        assert not (self.json.parent / ".memories.lock").exists()

    def teardown(self) -> None:
        shutil.rmtree(self.root)


TestTwoWriters = TwoWriters.TestCase
TestTwoWriters.settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
