"""Importing: whatever text there is, the cells are free of errors, say where they come from, and come once."""

from __future__ import annotations

import json
import tempfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.bridge.imports.table import KINDS
from mneme.config import Config
from mneme.format.encoded import origin_values
from mneme.format.parser import parse
from mneme.lint.engine import run
from mneme.lint.rule import Settings, Severity
from mneme.lint.rules import RULES
from mneme.lint.select import make_selection
from mneme.memory.import_memory import Wish, import_memory, preview, read_memory
from mneme.memory.target import Wanted
from mneme.workspace import Workspace

TODAY = date(2026, 11, 25)

PIECES = (
    "- ", "* ", "1. ", "  - ", "    ", "# ", "## ", "> ", "```\n", "~~~", "---\n", "<!--", "-->", "[x] ", "[ ] ",
    "| a | b |\n|---|---|\n", "[decision] ", "#tag ", "[[Note]]", "- depends_on [[B]]\n", "@import.md", "[a](b.md)",
    "**Bold:**\n", "title: ", "status: accepted\n", "date: 2025-01-02\n", "## Status\n", "## Decision\n",
    "Status: superseded by [ADR-0002](0002-b.md)\n", "Supersedes [ADR-0001](0001-a.md)\n", "gist  ", "state live\n",
    "@ DEC-0001  a/b\n", "cue   ", "link supersedes DEC-0001\n", "<<<<<<< a\n", "=======\n", "origin ", "\ufeff",
    "\r\n", "\n\n", "\n", ":", "\uff1a", "/", ", ", "\u3002", "\u6ce8\u610f", "word ", "Always ", "\u200b", "\u2028",
    "\x1b[31m", "\u202e", "\x85", "\xe9", "\U0001d518", "%", "&sect;", "\xa7", "a" * 130,
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=25).map("".join)
VALUES = st.one_of(TEXTS, st.none(), st.integers(), st.lists(TEXTS, max_size=2))
MOMENTS = st.sampled_from(["2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
ENTRY = st.fixed_dictionaries({}, optional={
    "content": VALUES, "target": st.sampled_from(["user", "memory", 1]), "importance": VALUES,
    "created_at": st.one_of(VALUES, MOMENTS), "branches": VALUES, "type": st.sampled_from(["entity", "relation", "x"]),
    "name": st.one_of(VALUES, st.sampled_from("AB")), "entityType": VALUES, "observations": VALUES,
    "from": st.sampled_from("ABC"), "to": st.sampled_from("ABC"),
    "relationType": st.one_of(TEXTS, st.sampled_from(["depends_on", "supersedes", "uses"])),
    "_type": st.sampled_from(["memory", "issue"]), "key": VALUES, "value": VALUES,
})  # fmt: skip
NAMES = {
    "claude-md": ("CLAUDE.md",), "claude-memory": ("MEMORY.md", "topic.md"), "agents-md": ("AGENTS.md",),
    "cursor": ("a.mdc", ".cursorrules"), "memories-json": ("memories.json",), "memory-server": ("memory.jsonl",),
    "beads": ("issues.jsonl",), "adr": ("0001-a.md", "0002-b.md", "0003-c.md"), "basic-memory": ("a.md", "B.md"),
    "list": ("list.md", "list.txt"),
}  # fmt: skip


def test_every_kind_is_tried() -> None:
    assert set(NAMES) == set(KINDS) - {"mnemon"}


@st.composite
def contents(draw: st.DrawFn, kind: str) -> dict[str, str]:
    """Return files of a source: what such files hold, or any text."""
    files = {}
    for name in NAMES[kind]:
        text = draw(TEXTS)
        if name.endswith((".json", ".jsonl")) and draw(st.integers(0, 9)):
            entries = draw(st.lists(ENTRY, max_size=5))
            whole = json.dumps({"version": 1, "entries": entries}, indent=1)
            text = whole if name.endswith(".json") else "".join(json.dumps(entry) + "\n" for entry in entries)
        elif draw(st.booleans()):
            text = f"---\n{text}\n---\n{draw(TEXTS)}"
        files[name] = text
    return files


@pytest.mark.parametrize("kind", NAMES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_any_text_becomes_sound_cells_once(kind: str, data: st.DataObject) -> None:
    files = data.draw(contents(kind))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        source = root / "source"
        source.mkdir()
        for name, text in files.items():
            (source / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        workspace = Workspace(root, Config(), cwd=root)
        wish = Wish(Wanted(), TODAY, lambda: "")
        shown = preview(workspace, read_memory(workspace, source, kind, TODAY), wish)
        assert not (root / "project.mneme").exists()
        done = import_memory(workspace, read_memory(workspace, source, kind, TODAY), wish)
        assert [one.text for one in done.made] == [one.text for one in shown.made]

        world = workspace.world()
        report = run(world.documents, make_selection(RULES, workspace.config), Settings(workspace.config, TODAY))
        assert [finding for finding in report.findings if finding.severity is Severity.ERROR] == []
        cells = [cell for document in world.documents for cell in document.cells]
        assert len(cells) == len(done.made)
        for cell in cells:
            assert origin_values(cell.origin, "import") == [kind]
            assert origin_values(cell.origin, "path")[0].startswith("source/")
            assert not cell.oddities
        assert all(parse(one.text).cells[0].id == one.id for one in done.made)

        again = import_memory(workspace, read_memory(workspace, source, kind, TODAY), wish)
        assert (again.made, again.touched) == ((), ())
        assert {path.name: path.read_bytes() for path in source.iterdir()} == {
            name: text.encode("utf-8", "surrogatepass") for name, text in files.items()
        }
