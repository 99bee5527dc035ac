"""Laws of the archive: no cell is lost or changed, what is not of the past stays, and a second run moves nothing."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.format.edits import end_of_content
from mneme.format.parser import parse
from mneme.memory.archive import archive
from mneme.workspace import Workspace
from tests.conftest import cell

PIECES = [
    *[cell(f"DEC-000{number}", state=state, seen=f"202{number}-11-20", since="2019-01-01")
      for number, state in enumerate(("live", "superseded", "retired", "stale", "retired", "superseded"), 1)],
    cell("TODO-0001", state="retired", more="> body\n# inside\nlink  relates DEC-0001\n"),
    cell("TODO-0002", state="retired").rstrip("\n"),
    cell("TODO-0003", state="retired", seen="soon"),
    "\n", "\n\n", "# a comment\n", "# mneme: ignore[no-cue]\n", "# mneme: ignore-file[no-cue]\n", "  \n", "\ufeff",
    "stray\n", "gits  x\n", "@reviewers\n", "\r\n", "<<<<<<< ours\n",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


def cells(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in folder.rglob("*.mneme"):
        for one in parse(path.read_bytes().decode()).cells:
            found[one.text[: end_of_content(one)].rstrip("\r\n")] += 1
    return found


@given(texts, texts, st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=80, deadline=None)
def test_nothing_is_lost(first: str, second: str, end: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for file, text in (("a.mneme", first), ("b/c.mneme", second)):
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(text.replace("\r\n", "\n").replace("\n", end).encode())
        before = cells(folder)
        workspace = Workspace.find(folder)
        done = archive(workspace)
        assert cells(folder) == before
        for path in (folder / "a.mneme", folder / "b/c.mneme"):
            left = parse(path.read_bytes().decode()).cells
            assert all(
                one.status.state in ("live", "stale") or one.status.seen == "soon" or one.oddities for one in left
            )
        assert len(done.moved) == sum(len(parse(path.read_bytes().decode()).cells) for path in folder.glob("archive/*"))
        assert archive(workspace).moved == []
