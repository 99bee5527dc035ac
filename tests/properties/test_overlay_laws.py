"""What a reading command sees of text not compiled yet is what it would see after a compile that accepts it."""

from __future__ import annotations

import tempfile
from datetime import UTC, date, datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.bridge.bound import BoundStore
from mneme.bridge.compiling import compile_store
from mneme.bridge.reading import reading
from mneme.config import Config
from mneme.graph.store import read
from mneme.graph.store.dump import dump
from mneme.memory.recalling import Asking, Moment, recall
from mneme.workspace import Workspace
from tests.properties.test_compile_laws import IDS, PATHS, WORDS, cells

TODAY = date(2026, 11, 25)
NOW = datetime(2026, 11, 25, tzinfo=UTC)


@st.composite
def memories(draw: st.DrawFn) -> dict[str, str]:
    """Return files of cells: path to text."""
    files: dict[str, str] = dict.fromkeys(PATHS, "")
    for cell_id in draw(st.lists(st.sampled_from(IDS), unique=True, max_size=8)):
        files[draw(st.sampled_from(PATHS))] += draw(cells(cell_id))
    return files


def write(root: Path, files: dict[str, str]) -> None:
    """Have exactly ``files``; one without cells is none."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        if text:
            path.write_text(text, encoding="utf-8")
        else:
            path.unlink(missing_ok=True)


@settings(max_examples=40, deadline=None)
@given(memories(), memories(), st.booleans(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join))
def test_an_overlay_is_a_compile_that_accepts(
    before: dict[str, str], after: dict[str, str], compiled: bool, question: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "mneme.toml").touch()
        bound = BoundStore.chosen(Workspace(root, Config(source=root / "mneme.toml")), {})
        if compiled:
            write(root, before)
            compile_store(bound, today=TODAY, now=NOW)
        write(root, after)
        asking, moment = Asking(everything=True, min_confidence=0), Moment(TODAY, NOW)
        seen, standing = reading(bound, lambda reader: dump(reader.rows), today=TODAY, now=NOW)
        recalled = recall(bound, [question], asking, moment)
        compile_store(bound, today=TODAY, now=NOW, accept=IDS)
        assert seen == read(bound.path, lambda reader: dump(reader.rows))
        again = recall(bound, [question], asking, moment)
        assert (recalled.answer, recalled.known) == (again.answer, again.known)
        assert again.standings[0][1].behind == 0
        assert standing.missing is not compiled
