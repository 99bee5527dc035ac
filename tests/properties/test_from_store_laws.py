"""Laws of the way back: text to store to text keeps every content digest, and what comes out is sound memory text."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.bridge.arrivals import Member
from mneme.bridge.compile import apply, compare, kept_text
from mneme.bridge.from_store import convert, insight_of, kept_in
from mneme.config import Config
from mneme.format.digest import content_digest
from mneme.format.ids import next_numbers
from mneme.format.parser import parse
from mneme.graph.model import CATEGORIES, EDGE_TYPES, Edge, Insight
from mneme.graph.store import Store, memory_store
from mneme.lint.engine import run
from mneme.lint.rule import Settings, Severity
from mneme.lint.rules import RULES
from mneme.lint.select import make_selection

TODAY = date(2026, 11, 25)
NOW = datetime(2026, 11, 25, tzinfo=UTC)

_LINE = st.text(
    st.characters(exclude_characters="\n\0", exclude_categories=("Cs",)), max_size=30
)  # fmt: skip
_VALUE = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=("Cs",)), min_size=1, max_size=20)
_ENDS = st.sampled_from(("\n", "\r\n"))


@st.composite
def cell_texts(draw: st.DrawFn, cell_id: str) -> str:
    """Return any text that is one cell, odd lines and line ends included."""
    end = draw(_ENDS)
    lines = [f"@ {cell_id}  {draw(st.sampled_from(('', 'a/b', 'a  extra # note')))}", f"gist  {draw(_VALUE)}"]
    lines.append(
        draw(st.sampled_from(("state live   since 2026-01-01   seen 2026-02-01", "state  retired", "Gist  x")))
    )
    lines += draw(st.lists(st.one_of(
        _LINE.map(lambda line: f"> {line}"), _VALUE.map(lambda cue: f"cue {cue}"), _VALUE.map(lambda text: f"# {text}"),
        st.sampled_from(("origin a=b c=%20", "link  relates DEC-0001 weight 0.80", "", "  ", "odd line", "ref x")),
    ), max_size=6))  # fmt: skip
    return "".join(f"{line}{end}" for line in lines[:-1]) + lines[-1] + draw(st.sampled_from((end, "", end * 3)))


@st.composite
def documents(draw: st.DrawFn) -> list[str]:
    """Return the texts of a few files; only the last cell of a file may lack its line end."""
    texts = [draw(cell_texts(f"{draw(st.sampled_from(('DEC', 'X')))}-{number:04d}")) for number in range(1, 5)]
    cut = draw(st.integers(0, 4))
    return [
        "".join(text if text.endswith("\n") or text is part[-1] else f"{text}\n" for text in part)
        for part in (texts[:cut], texts[cut:])
    ]


def compiled(store: Store, files: list[str]) -> list[Member]:
    members = [
        Member(cell, f"{index}.mneme", place)
        for index, text in enumerate(files)
        for place, cell in enumerate(parse(text).cells)
        if cell.id
    ]
    with store.transaction():
        delta = compare(store, members, Config())
        apply(store, members, delta, Config(), now=NOW, files={})
    return members


def numbered(prefix: str, also: Collection[str]) -> str:
    return next(next_numbers(prefix, also))


@settings(max_examples=60, deadline=None)
@given(documents())
def test_text_to_store_to_text_keeps_every_digest(files: list[str]) -> None:
    with memory_store() as store:
        members = compiled(store, files)
        done = convert(kept_in(store), Config(), today=TODAY, new_id=numbered, known={})
    back = parse(done.text)
    assert [content_digest(cell) for cell in back.cells] == [content_digest(member.cell) for member in members]
    assert not back.strays
    assert not done.remarks
    # byte for byte, but for blank lines between cells and the end of a last line
    assert [kept_text(cell) for cell in back.cells] == [kept_text(member.cell) for member in members]


_ANY = st.one_of(
    st.text(max_size=60),
    st.sampled_from((
        "@ DEC-0001  x", "<<<<<<< ours\n=======\n>>>>>>> theirs", "gist  x\nstate live", "a\0b", "\x1b[2J", "", "  \n ",
        "x" * 9000, "line\r\nline\rline", "# comment", "> quoted", "\u2028\u0085", "link supersedes DEC-0001",
    )),
)  # fmt: skip
_MOMENT = st.sampled_from((
    "2026-03-01T23:30:00Z", "2026-03-01T23:30:00-05:00", "2026-03-02 08:00:00", "nonsense", "", "0000-00-00T00:00:00Z",
    "9999-12-31T23:59:59Z", "2026-02-30T00:00:00Z",
))  # fmt: skip
_insights = st.builds(
    Insight,
    id=st.sampled_from(("one", "two", "three", "DEC-0007", "a b\n#", "FACT-1")),
    content=_ANY,
    category=st.sampled_from((*CATEGORIES, "narrative", "")),
    importance=st.integers(-1, 9),
    tags=st.lists(_ANY, max_size=3).map(tuple),
    entities=st.lists(_ANY, max_size=3).map(tuple),
    source=_ANY,
    created_at=_MOMENT,
    updated_at=_MOMENT,
    deleted_at=st.one_of(st.just(""), _MOMENT),
    access_count=st.just(0),
    last_accessed_at=st.just(""),
    effective_importance=st.just(0.5),
)
_edges = st.builds(
    Edge,
    source=st.sampled_from(("one", "two", "three", "DEC-0007")),
    target=st.sampled_from(("one", "two", "three", "FACT-1", "X-0001")),
    type=st.sampled_from(EDGE_TYPES),
    weight=st.floats(0, 1),
    metadata=st.dictionaries(_ANY, _ANY, max_size=2),
    created_at=_MOMENT,
)


@settings(max_examples=80, deadline=None)
@given(st.lists(_insights, unique_by=lambda one: one.id), st.lists(_edges, max_size=6), st.booleans())
def test_whatever_another_program_wrote_becomes_sound_text(
    insights: list[Insight], edges: list[Edge], with_own: bool
) -> None:  # fmt: skip
    with memory_store() as store:
        if with_own:
            compiled(store, ["@ X-0001  a\ngist  Ours\nstate live   since 2026-01-01   seen 2026-02-01\n"])
        known = {one.id for one in insights} | ({"X-0001"} if with_own else set())
        with store.transaction():
            store.put_insights(one._replace(content=one.content.replace("\ud800", "")) for one in insights)
            store.put_edges((one for one in edges if {one.source, one.target} <= known), ours=False)
        done = convert(kept_in(store), Config(), today=TODAY, new_id=numbered, known={})
    document = parse(done.text, name="out.mneme")
    assert "\0" not in done.text
    assert len(document.cells) == len(known)
    selection = make_selection(RULES, Config())
    report = run([document], selection, Settings(Config(), TODAY))
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    assert errors == []
    assert {insight_of(cell) or cell.id for cell in document.cells} == known
    for one in insights:
        (cell,) = [cell for cell in document.cells if one.id in (cell.id, insight_of(cell))]
        assert (cell.status.state == "retired") == bool(one.deleted_at)
