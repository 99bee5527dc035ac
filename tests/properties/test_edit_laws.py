"""Laws of edits and layout: what no patch names keeps its bytes, content keeps its digest, the value reads back."""

from __future__ import annotations

from collections import Counter

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mneme.errors import EditError
from mneme.format.digest import content_digest
from mneme.format.edits import add_link, append_cell, perform, set_field
from mneme.format.layout import formatted, layout
from mneme.format.model import Document, Link
from mneme.format.parser import parse
from mneme.format.render import NewCell, render
from mneme.text.patch import Patch, apply

BLANK = st.sampled_from([" ", "  ", "   ", "\t", " \t", "\u00a0", "\u3000"])
END = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r\n", " \n", "\t\r\n", "\r \n", "\u2028\n", "\f\n"])
WORD = st.sampled_from([
    "state", "live", "conf", "high", "since", "2026-06-03", "seen", "imp", "3", "hot", "no", "gist", "cue", "link",
    "ref", "origin", "relates", "DEC-0001", "dec-2", "# note", "#", "@", ">", "a/b", "/", ",", "v\r", "\r", "\u2028",
])  # fmt: skip
HEAD = st.sampled_from([
    "@", "@", "@", "gist", "gist", "state", "state", "conf", "since", "seen", "cue", "link", "ref", "origin", ">", ">",
    "#", "  gist", "\tstate", " link", "@DEC-0009", "@x", "gist:", "<<<<<<<", "=======", ">>>>>>>", "prose", "", "", "",
])  # fmt: skip
LINE = st.builds(
    lambda head, words, end: head + "".join(blank + word for blank, word in words) + end,
    HEAD, st.lists(st.tuples(BLANK, WORD), max_size=9), END,
)  # fmt: skip
CELL = st.builds(
    "@{0}DEC-{1:04d}{0}a/b{2}gist{0}It uses SQLite{2}state{0}live{3}since 2026-06-03{0}seen{0}2026-06-03{2}".format,
    BLANK, st.integers(1, 9), END, st.sampled_from([" ", "   ", "   conf high   ", "\t", "  imp 2\thot no "]),
)  # fmt: skip
DOCUMENTS = st.builds(
    lambda bom, lines, tail: parse(bom + "".join(lines) + tail),
    st.sampled_from(["", "\ufeff"]),
    st.lists(st.one_of(LINE, LINE, CELL, st.text(max_size=5)), max_size=14),
    st.sampled_from(["", "", "> no line end", "state live", "cue a\r", "@ DEC-7", "gist x  ", "  ", "\r"]),
)
VALUES = {
    "state": ("live", "stale", "retired"), "conf": ("high", "low"), "seen": ("2026-11-25",), "imp": ("1", "5"),
    "hot": ("no", "yes"),
}  # fmt: skip


def cells_but(document: Document, index: int) -> list[str]:
    return [cell.text for place, cell in enumerate(document.cells) if place != index]


def assert_only_named_bytes_differ(before: Document, after: Document, patches: list[Patch]) -> None:
    """What lies between the patches is the same on both sides, in order, and nothing else is new."""
    rest, at, shift = [], 0, 0
    for start, end, new in sorted(patches, key=lambda patch: patch[:2]):
        assert before.text[at:start] == after.text[at + shift : start + shift]
        assert after.text[start + shift : start + shift + len(new)] == new
        at, shift = end, shift + len(new) - (end - start)
        rest.append(new)
    assert before.text[at:] == after.text[at + shift :]


@settings(max_examples=400)
@given(DOCUMENTS, st.data())
def test_setting_a_field_changes_that_field_only(document: Document, data: st.DataObject) -> None:
    assume(document.cells)
    index = data.draw(st.integers(0, len(document.cells) - 1))
    name = data.draw(st.sampled_from(sorted(VALUES)))
    value = data.draw(st.sampled_from(VALUES[name]))
    place = document.placed[index]
    try:
        patches = set_field(place, name, value)
    except EditError as error:
        assert "two values" in error.message or "no state line" in error.message  # noqa: PT017
        return
    after = perform(document, patches)
    old, new = document.cells[index], after.cells[index]
    assert new.status == old.status._replace(**{name: value})
    assert new.links == old.links
    assert content_digest(new) == content_digest(old)
    assert cells_but(after, index) == cells_but(document, index)
    assert len(new.oddities) == len(old.oddities)
    assert_only_named_bytes_differ(document, after, patches)
    assert set_field(after.placed[index], name, value) == []


@settings(max_examples=400)
@given(DOCUMENTS, st.data())
def test_adding_a_link_adds_one_line(document: Document, data: st.DataObject) -> None:
    assume(document.cells)
    index = data.draw(st.integers(0, len(document.cells) - 1))
    patches = add_link(document.placed[index], Link("refines", "DEC-0042"))
    after = perform(document, patches)
    old, new = document.cells[index], after.cells[index]
    assert new.links == (*old.links, Link("refines", "DEC-0042"))
    assert new.status == old.status
    assert content_digest(new) == content_digest(old)
    assert cells_but(after, index) == cells_but(document, index)
    assert len(new.oddities) == len(old.oddities)
    assert_only_named_bytes_differ(document, after, patches)
    assert add_link(after.placed[index], Link("refines", "DEC-0042")) == []


@settings(max_examples=400)
@given(DOCUMENTS, st.booleans())
def test_an_appended_cell_reads_back_and_moves_nothing(document: Document, mark_last: bool) -> None:
    rendered = render(
        NewCell("DEC-0042", "use C# #1", "a/b", ("CI/CD",), ("why", "", " x"), since="2026-11-25", seen="2026-11-25")
    )
    patches = append_cell(document, rendered)
    if mark_last and document.cells:  # both operations of a supersession, on one text, at one place
        patches = add_link(document.placed[-1], Link("superseded-by", "DEC-0042")) + patches
    after = perform(document, patches)
    assert len(after.cells) == len(document.cells) + 1
    assert after.cells[-1].text.replace("\r\n", "\n") == rendered
    assert [content_digest(cell) for cell in after.cells[:-1]] == [content_digest(cell) for cell in document.cells]
    assert [cell.status for cell in after.cells[:-1]] == [cell.status for cell in document.cells]
    before_it = after.text[: after.starts[-1]].removeprefix("\ufeff").split("\n")
    assert not document.text.strip("\ufeff") or before_it[-2].strip(" \t\r\u00a0\u3000") == ""
    assert_only_named_bytes_differ(document, after, patches)


@settings(max_examples=800)
@given(DOCUMENTS)
def test_formatting_says_what_was_said(document: Document) -> None:
    after = formatted(document)
    assert [content_digest(cell) for cell in after.cells] == [content_digest(cell) for cell in document.cells]
    assert [cell.status for cell in after.cells] == [cell.status for cell in document.cells]
    assert [cell.links for cell in after.cells] == [cell.links for cell in document.cells]
    assert layout(after) == []
    for old, new in zip(document.cells, after.cells, strict=True):
        assert not Counter(entry.name for entry in new.oddities) - Counter(entry.name for entry in old.oddities)
    assert said(after.text) == said(document.text)
    assert after.text.count("\ufeff") == document.text.count("\ufeff")
    assert ("\r\n" in after.text) <= ("\r\n" in document.text)


@settings(max_examples=400)
@given(DOCUMENTS)
def test_formatting_is_a_matter_of_blanks(document: Document) -> None:
    patches = layout(document)
    for start, end, new in patches:
        assert not document.text[start:end].strip(" \t\r\n\u00a0\u3000")
        assert not new.strip(" \r\n")
    assert apply(document.text, patches) == formatted(document).text


def said(text: str) -> list[str]:
    """The lines that say something, without blanks: none is joined, split or dropped."""
    lines = [line.replace(" ", "").translate(NO_BLANKS) for line in text.removeprefix("\ufeff").split("\n")]
    return [line for line in lines if line]


NO_BLANKS = dict.fromkeys(map(ord, "\t\u00a0\u3000\r"))
