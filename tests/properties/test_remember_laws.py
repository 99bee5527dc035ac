"""Laws of remembering: what was given comes out of the store, and the text keeps what was said."""

from __future__ import annotations

import string
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.bridge.bound import BoundStore
from mneme.bridge.mapping import MAX_ENTITIES, MAX_TAGS, to_insight
from mneme.config import CATEGORIES, Config, Prefix
from mneme.format.model import Cell
from mneme.format.parser import parse
from mneme.format.render import NewCell, check_sound, render
from mneme.graph.entities import MODES
from mneme.graph.store import read
from mneme.memory.memo import Memo, check, given_of, says, verbatim
from mneme.memory.new_cell import split_given
from mneme.memory.recalling import Moment
from mneme.memory.remember import remember
from mneme.memory.writer import Writer
from mneme.workspace import Workspace

TODAY = "2026-11-25"

_LETTERS = string.ascii_letters + string.digits + "äß缓存検索キャ한글ไทย"
_PUNCTUATION = " .,;:!?#@>/%='\"()[]，。、！"

words = st.text(_LETTERS, min_size=1, max_size=12)
names = (
    st.text(_LETTERS + _PUNCTUATION, min_size=1, max_size=20)
    .map(str.strip)
    .filter(lambda name: bool(name) and len(name.encode()) <= 100)
)
lines = st.text(_LETTERS + _PUNCTUATION + "\t", max_size=200)
texts = st.lists(lines, min_size=1, max_size=5).map("\n".join).filter(lambda text: any(map(str.isalnum, text)))
topics = st.lists(words, max_size=3).map("/".join)
writers = st.builds(Writer, agent=names | st.just(""), user=names | st.just(""), session=names | st.just(""))
memos = st.builds(
    Memo,
    text=texts,
    category=st.sampled_from(CATEGORIES),
    importance=st.none() | st.integers(1, 5),
    tags=st.lists(names, max_size=MAX_TAGS).map(tuple),
    entities=st.lists(names, max_size=MAX_ENTITIES).map(tuple),
    entity_mode=st.sampled_from(MODES),
    source=names | st.just(""),
    topic=topics,
    cues=st.lists(words, max_size=3).map(tuple),
)
configs = st.builds(
    Config,
    prefixes=st.dictionaries(
        st.sampled_from(["DEC", "FACT", "GOTCHA", "NOTE", "CTX"]),
        st.builds(Prefix, category=st.sampled_from(("", *CATEGORIES))),
    ),
)


def written(memo: Memo, writer: Writer, config: Config) -> Cell:
    """Return the cell that a memo becomes, read back from its text."""
    check(memo)
    prefix, given = given_of(memo, verbatim(memo.text), writer, config)
    cell = NewCell(
        f"{prefix}-0001", given.gist, given.topic or "", tuple(split_given(given.cues)), given.body,
        origin=given.origin, state=given.state, conf=given.conf, imp=given.imp, since=TODAY, seen=TODAY,
    )  # fmt: skip
    check_sound(cell)
    (read_back,) = parse(render(cell)).cells
    return read_back


@given(memos, writers, configs)
def test_what_is_given_is_in_the_insight(memo: Memo, writer: Writer, config: Config) -> None:
    insight = to_insight(written(memo, writer, config), config)
    assert insight.category == memo.category
    assert insight.importance == (memo.importance or 3)
    assert set(memo.tags) <= set(insight.tags)
    assert insight.source == (memo.source or ("agent" if writer.agent else "user"))
    if memo.entity_mode == "provided":
        assert insight.entities == tuple(dict.fromkeys(memo.entities))
    elif memo.entity_mode == "merge":
        assert set(memo.entities) <= set(insight.entities)


@given(memos, writers)
def test_the_text_is_kept(memo: Memo, writer: Writer) -> None:
    cell = written(memo, writer, Config())
    text = verbatim(memo.text)
    assert text in says(cell)
    assert verbatim(text) == text
    assert "".join(text.split()) == "".join(memo.text.split())
    assert not cell.oddities
    assert len(cell.gist) <= 120


@settings(max_examples=15, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4))
def test_the_store_holds_each_text_once(said: list[str]) -> None:
    """Whatever is remembered, in whatever order: the store holds it, and the same again adds nothing."""
    moment = Moment(date(2026, 11, 25), datetime(2026, 11, 25, 12, tzinfo=UTC))
    with TemporaryDirectory() as folder:
        workspace = Workspace.find(Path(folder).resolve(), home=None)
        bound = BoundStore.chosen(workspace, {})
        for text in [*said, *said]:
            done = remember(bound, Memo(text), Writer(), moment, author=lambda: "")
            kept = read(bound.path, lambda reader: {row.id: row for row in reader.cells()})
            holder = kept[done.replaced_id or done.insight.id]
            assert verbatim(text) in says(parse(holder.text).cells[0])
        assert len(kept) == len({verbatim(text) for text in said})
