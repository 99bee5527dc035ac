"""What the guard lets pass, what it never lets pass, and that no text upsets it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.format.model import Document
from mneme.format.parser import parse
from mneme.format.vocabulary import STATES, TRANSITIONS
from mneme.history.changes import VIOLATIONS, compare
from mneme.history.guard import Parent, Past, Verdict, Violation, judge

Cell = dict[str, str]
Memory = dict[str, list[Cell]]
"""Files by name; a cell as its fields."""

FILES = ("a.mneme", "b.mneme")
IDS = [f"DEC-{number:04}" for number in range(1, 7)]


def written(cell: Cell) -> str:
    fields = {name: cell[name] for name in ("state", "since", "seen")}
    pairs = "   ".join([f"{name} {value}" for name, value in fields.items()])
    return f"@ {cell['id']}  {cell['topic']}\ngist  {cell['gist']}\n{pairs}\ncue   {cell['cue']}\n{cell['rest']}"


def documents(memory: Memory) -> list[Document]:
    return [parse("\n".join(written(cell) for cell in cells), name=name) for name, cells in memory.items()]


def verdicts(before: Memory, after: Memory) -> list[Violation]:
    past, present = documents(before), documents(after)
    return judge(present, Past([Parent("HEAD", past, {document.name for document in (*past, *present)})]))


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    memory: Memory = {name: [] for name in FILES}
    for cell_id in draw(st.lists(st.sampled_from(IDS), min_size=2, max_size=5, unique=True)):
        memory[draw(st.sampled_from(FILES))].append({
            "id": cell_id, "topic": draw(st.sampled_from(["a", "b/c"])), "gist": f"What {cell_id} says",
            "state": draw(st.sampled_from(STATES)), "since": "2026-01-01", "seen": "2026-06-01",
            "cue": "one, two", "rest": draw(st.sampled_from(["", "> body\n", "link  relates DEC-0001\n"])),
        })  # fmt: skip
    return memory


def a_cell(draw: Callable[..., object], memory: Memory) -> tuple[str, int]:
    places = [(name, at) for name, cells in memory.items() for at in range(len(cells))]
    place = draw(st.sampled_from(places))
    assert isinstance(place, tuple)
    return place


@st.composite
def legal_steps(draw: st.DrawFn) -> tuple[Memory, Memory]:
    """A memory, and what any number of allowed changes make of it."""
    before = draw(memories())
    after = {name: [dict(cell) for cell in cells] for name, cells in before.items()}
    changed: set[str] = set()
    for step in draw(st.lists(st.integers(0, 6), max_size=6)):
        name, at = a_cell(draw, after)
        cell = after[name][at]
        if step == 0 and cell["id"] not in changed and TRANSITIONS[cell["state"]]:
            cell["state"] = draw(st.sampled_from(TRANSITIONS[cell["state"]]))
            changed.add(cell["id"])  # a second step would have to be committed in between
        elif step == 1:
            seen = date.fromisoformat(cell["seen"]) + timedelta(days=draw(st.integers(0, 90)))
            cell["seen"] = seen.isoformat()
        elif step == 2:
            cell["rest"] += draw(st.sampled_from(["link  refines DEC-0002\n", "# a remark\n", "\n", "imp 3 hot no\n"]))
        elif step == 3:
            target = draw(st.sampled_from([*FILES, "new.mneme"]))
            after.setdefault(target, []).append(after[name].pop(at))
        elif step == 4:
            after[name] = draw(st.permutations(after[name]))
        elif step == 5:
            after[name].append({**cell, "id": f"DEC-{100 + len(after[name]) + 10 * len(changed)}{name[0] == 'a':d}"})
            after[name][-1]["gist"] += " and is new"
        elif step == 6:
            cell["cue"] = cell["cue"].replace(", ", " / ")
    return before, after


@given(legal_steps())
@settings(max_examples=120)
def test_allowed_changes_pass_without_a_word(steps: tuple[Memory, Memory]) -> None:
    before, after = steps
    assert verdicts(before, after) == []
    changes = compare(documents(before), documents(after))
    assert not [change for change in changes if change.kind in VIOLATIONS or change.forbidden]


@given(legal_steps(), st.data())
@settings(max_examples=120)
def test_one_forbidden_change_among_allowed_ones_is_told(steps: tuple[Memory, Memory], data: st.DataObject) -> None:
    before, after = steps
    known = {cell["id"] for cells in before.values() for cell in cells}
    places = [(name, at) for name, cells in after.items() for at, cell in enumerate(cells) if cell["id"] in known]
    name, at = data.draw(st.sampled_from(places))
    cell = after[name][at]
    old = next(cell_ for cells in before.values() for cell_ in cells if cell_["id"] == cell["id"])
    what = data.draw(st.sampled_from(["gist", "topic", "since", "cue", "seen", "state", "gone", "link"]))
    expected = Verdict.EDITED
    if what == "seen":
        cell["seen"], expected = "2026-05-31", Verdict.SEEN_BACK
    elif what == "state":
        illegal = [state for state in STATES if state != old["state"] and state not in TRANSITIONS[old["state"]]]
        if not illegal:
            return
        cell["state"], expected = data.draw(st.sampled_from(illegal)), Verdict.ILLEGAL
    elif what == "gone":
        after[name].pop(at)
        expected = Verdict.DELETED
    elif what == "link":
        if "relates" not in old["rest"]:
            return
        cell["rest"], expected = cell["rest"].replace("link  relates DEC-0001\n", ""), Verdict.LINK_REMOVED
    else:
        cell[what] = "2026-01-02" if what == "since" else "else"
    found = [(violation.verdict, violation.old.id) for violation in verdicts(before, after)]
    assert found == [(expected, old["id"])]


TEXTS = st.lists(
    st.sampled_from([
        "@ DEC-0001 a\n", "@ DEC-0002\n", "@DEC-0003 x\n", "@ dec-0001\n", "@ \n", "gist one\n", "gist two\n",
        "Gist: x\n",
        "state live since 2026-01-01 seen 2026-01-01\n", "state retired seen 20260101\n", "cue a, b\n", "> x\n", "x\n",
        "link relates DEC-0001\n", "link relates\n", "<<<<<<< a\n",
        "# mneme: renumbered[DEC-0001] a1:" + "0" * 64 + "\n",
        "# mneme: redacted[gist] m1:" + "0" * 64 + "\n", "\u3000\n", "\r\n", "\ufeff",
    ]),
    max_size=14,
).map("".join)  # fmt: skip


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=2), st.booleans())
@settings(max_examples=200)
def test_no_text_upsets_the_guard(olds: list[str], news: list[str], merging: bool) -> None:
    present = [parse(text, name=FILES[at]) for at, text in enumerate(news)]
    parents = [Parent(f"P{at}", [parse(text, name=FILES[0])], set(FILES)) for at, text in enumerate(olds)]
    for violation in judge(present, Past(parents, merging=merging)):
        assert violation.place.start <= len(violation.place.document.text)
    compare(list(parents[0].documents), present)


@given(TEXTS)
def test_what_did_not_change_is_no_violation(text: str) -> None:
    document, again = parse(text, name="a.mneme"), parse(text.replace("\n", "\r\n"), name="a.mneme")
    for present in (document, again):
        assert judge([present], Past([Parent("HEAD", [document], {"a.mneme"})])) == []
