"""Two states of a memory compared: the pure part, without git."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.format.digest import anonymous_digest
from mneme.format.model import Document
from mneme.format.parser import parse, parse_cell
from mneme.format.vocabulary import STATES, TRANSITIONS
from mneme.history.changes import Kind, compare, differences, many_steps, one_step, swaps
from mneme.history.content import CONTENT, content


def memory(*texts: str, name: str = "a.mneme") -> Document:
    return parse("\n".join(texts), name=name)


def a_cell(cell_id: str = "DEC-0001", gist: str = "One", **values: str) -> str:
    state = f"state {values.get('state', 'live')}   since 2026-11-01   seen {values.get('seen', '2026-11-20')}"
    return f"@ {cell_id}  {values.get('topic', 'a')}\ngist  {gist}\n{state}\n{values.get('more', '')}"


def kinds(old: str, new: str) -> list[tuple[str, str]]:
    return [(difference.kind.value, difference.field) for difference in differences(parse_cell(old), parse_cell(new))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (a_cell(), a_cell(), []),
        (a_cell(), a_cell(more="# a remark\n\n"), []),
        (a_cell(gist="One"), a_cell(gist="Two"), [("content-edited", "gist")]),
        (a_cell(state="live"), a_cell(state="stale"), [("state", "state")]),
        (a_cell(state="retired"), a_cell(state="live"), [("illegal-transition", "state")]),
        (a_cell(state="active"), a_cell(state="live"), [("repaired", "state")]),
        (a_cell(state="live"), a_cell(state="active"), [("state", "state")]),
        (a_cell(seen="2026-11-20"), a_cell(seen="2026-11-21"), [("reaffirmed", "seen")]),
        (a_cell(seen="2026-11-20"), a_cell(seen="2026-11-19"), [("seen-moved-back", "seen")]),
        (a_cell(seen="20261120"), a_cell(seen="2026-11-19"), [("repaired", "seen")]),
        (a_cell(seen="2026-11-20"), a_cell(seen="soon"), [("field", "seen")]),
        (a_cell(), a_cell(more="conf med\n"), []),
        (a_cell(), a_cell(more="conf low imp 4 hot no\n"), [("field", "conf"), ("field", "imp"), ("field", "hot")]),
        (a_cell(), a_cell(more="ref a.py\n"), [("field", "ref")]),
        (a_cell(), a_cell(more="link relates DEC-0002\n"), [("link-added", "link")]),
        (a_cell(more="link relates DEC-0002\n"), a_cell(), [("link-removed", "link")]),
        (
            a_cell(more="link relates DEC-0002 weight 0.1\n"), a_cell(more="link relates DEC-0002\n"),
            [("link-weight", "link")],
        ),
        (
            a_cell(more="link relates DEC-0002 edge a\n"), a_cell(more="link relates DEC-0002 edge b\n"),
            [("link-removed", "link")],
        ),
    ],
)  # fmt: skip
def test_what_differs_between_two_versions(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(old, new) == expected


def test_several_steps_lead_wherever_single_ones_do() -> None:
    for before in STATES:
        assert all(many_steps(before, after) for after in TRANSITIONS[before])
        assert {after for after in STATES if one_step(before, after)} == set(TRANSITIONS[before])
    assert many_steps("proposed", "stale")
    assert not many_steps("retired", "live")
    assert not many_steps("live", "proposed")


def test_a_whole_comparison() -> None:
    past = [
        memory(
            a_cell("DEC-0001", "One"), a_cell("DEC-0002", "Two"), a_cell("DEC-0003", "Three"), a_cell("DEC-0004", "4")
        ),
        memory(a_cell("DEC-0009", "Nine"), name="b.mneme"),
    ]
    present = [
        memory(a_cell("DEC-0002", "Two"), a_cell("DEC-0001", "One"), a_cell("DEC-0005", "4")),
        memory(a_cell("DEC-0003", "Three", state="stale"), a_cell("DEC-0008", "Eight"), name="b.mneme"),
    ]
    told = [
        (change.kind.value, change.place.cell.id, change.moved, [entry.kind.value for entry in change.differences])
        for change in compare(past, present)
    ]
    assert sorted(told) == sorted([
        ("moved", "DEC-0002", True, []),
        ("renumbered", "DEC-0005", False, []),
        ("removed", "DEC-0009", False, []),
        ("state", "DEC-0003", True, ["state"]),
        ("added", "DEC-0008", False, []),
    ])  # fmt: skip


def test_the_fewest_cells_are_called_moved() -> None:
    old = [f"DEC-{number:04}" for number in range(1, 9)]
    new = [old[7], *old[:7]]
    past, present = ([memory(*[a_cell(cell_id, cell_id) for cell_id in order])] for order in (old, new))
    assert [change.place.cell.id for change in compare(past, present)] == [old[7]]


def test_swaps_are_circles() -> None:
    def pair(cell_id: str, before: str, after: str) -> tuple[object, object]:
        return parse_cell(a_cell(cell_id, before)), parse_cell(a_cell(cell_id, after))

    pairs = [pair("DEC-1", "a", "b"), pair("DEC-2", "b", "c"), pair("DEC-3", "c", "a"), pair("DEC-4", "d", "a")]
    assert swaps(pairs) == {"DEC-1": "DEC-2", "DEC-2": "DEC-3", "DEC-3": "DEC-1"}  # type: ignore[arg-type]
    assert swaps(pairs[:2]) == {}  # type: ignore[arg-type]


WORDS = st.text(alphabet="ab éé\u0301,/、 \u3000", max_size=6)
CELLS = st.builds(
    lambda topic, gist, cue, body, origin: (
        f"@ DEC-1 {topic}\ngist {gist}\nsince 2026-11-01\ncue {cue}\n" + "".join(f"> {line}\n" for line in body)
        + (f"origin {origin}\n" if origin else "")
    ),
    WORDS, WORDS, WORDS, st.lists(WORDS, max_size=2), st.sampled_from(["", "a=b", "a=b c=d"]),
)  # fmt: skip


@given(CELLS, CELLS)
def test_fields_are_equal_exactly_when_digests_are(one: str, other: str) -> None:
    left, right = parse_cell(one), parse_cell(other)
    equal = all(content(left, name) == content(right, name) for name in CONTENT)
    assert equal == (anonymous_digest(left) == anonymous_digest(right))


@given(st.lists(st.tuples(st.sampled_from(["DEC-0001", "DEC-0002", "DEC-0003"]), CELLS), max_size=4), st.data())
def test_a_memory_does_not_differ_from_itself_in_another_form(
    cells: list[tuple[str, str]], data: st.DataObject
) -> None:
    texts = [text.replace("DEC-1", cell_id) for cell_id, text in dict(cells).items()]
    past = [memory(*texts)]
    spaced = data.draw(st.permutations(texts))
    present = [memory(*[f"{text}\n# a remark\n" for text in spaced])]
    assert all(change.kind is Kind.MOVED for change in compare(past, present))
    assert compare(past, [memory(*[f"{text}\n\n" for text in texts])]) == []
