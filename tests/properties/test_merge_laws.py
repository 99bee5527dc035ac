"""Laws of the merge: symmetric, associative, idempotent, nothing lost, no ID twice. Sides come about by edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mneme.errors import EditError
from mneme.format.digest import anonymous_digest, content_digest
from mneme.format.edits import add_link, append_cell, perform, set_field
from mneme.format.model import Cell, Document, Link
from mneme.format.parser import parse
from mneme.format.render import NewCell, render
from mneme.format.vocabulary import TRANSITIONS
from mneme.history.merge.identity import MENTION, Known
from mneme.history.merge.items import split
from mneme.history.merge.result import Merged
from mneme.history.merge.three_way import merge
from mneme.text.patch import apply

DAYS = ("2026-11-20", "2026-11-21", "2026-11-22")
SINCE = ("2026-11-01", "2026-11-02", "2026-11-03")
GISTS = (
    "Pages hold 200 rows",
    "Tokens live for an hour",
    "The cache is SQLite",
    "Builds run on ARM",
    "Queues are FIFO",
)

Edit = Callable[[str], str]


def new_cell(cell_id: str, gist: str, since: str, seen: str, body: tuple[str, ...], link: str) -> str:
    links = (Link("relates", link),) if link else ()
    return render(NewCell(cell_id, gist, "a/b", ("x",), body, links, since=since, seen=seen))


BASES = st.builds(
    lambda bom, head, cells, join, tail: f"{bom}{head}{join.join(cells)}{tail}",
    st.sampled_from(["", "", "\ufeff"]),
    st.sampled_from(["", "# Memory\n\n", "# of one project\n", "stray words\n\n"]),
    st.integers(0, 4).map(
        lambda count: [
            new_cell(f"DEC-{n:04d}", GISTS[n], SINCE[n % 3], DAYS[0], ("why",) * (n % 2), "DEC-0001" if n else "")
            for n in range(count)
        ]
    ),
    st.sampled_from(["\n", "\n", "", "\n\n", "\n# --- part ---\n\n", "\n# above\n"]),
    st.sampled_from(["", "", "\n", "# end\n", "\n# end\n"]),
)  # fmt: skip


def on_cell(number: int, change: Callable[[Document, int], str]) -> Edit:
    """An edit of cell ``number``, counted round."""

    def edit(text: str) -> str:
        document = parse(text)
        if not document.cells:
            return text
        try:
            return change(document, number % len(document.cells))
        except EditError:  # an earlier edit left a cell that takes none
            return text

    return edit


def set_state(field: str, value: str) -> Callable[[Document, int], str]:
    def change(document: Document, index: int) -> str:
        place = document.placed[index]
        status = place.cell.status
        if field == "state" and value not in TRANSITIONS.get(status.state, ()):
            return document.text
        if field == "seen" and value < status.seen:
            return document.text
        return perform(document, set_field(place, field, value)).text

    return change


def link(target: str) -> Callable[[Document, int], str]:
    return lambda document, index: perform(document, add_link(document.placed[index], Link("refines", target))).text


def line_above(words: str) -> Callable[[Document, int], str]:
    def change(document: Document, index: int) -> str:
        start = document.starts[index]
        return f"{document.text[:start]}{words}{document.text[start:]}"

    return change


def line_inside(words: str) -> Callable[[Document, int], str]:
    def change(document: Document, index: int) -> str:
        at = document.text.find("\n", document.starts[index]) + 1
        return f"{document.text[:at]}{words}{document.text[at:]}"

    return change


def append(cell_id: str, gist: str, since: str, seen: str, body: tuple[str, ...], target: str) -> Edit:
    def edit(text: str) -> str:
        document = parse(text)
        if any(cell.id == cell_id for cell in document.cells):
            return text
        return apply(text, append_cell(document, new_cell(cell_id, gist, since, seen, body, target)))

    return edit


def append_own(cell_id: str, gist: str, since: str, seen: str, body: tuple[str, ...], target: str) -> Edit:
    """Append a cell that says what no other does, unless it is that cell."""
    return append(cell_id, f"{gist}, since {since}{', at length' * bool(body)}", since, seen, body, target)


CELL_NUMBER = st.integers(0, 7)
HARMLESS = st.one_of(
    st.builds(on_cell, CELL_NUMBER, st.sampled_from([
        *(set_state("state", value) for value in ("stale", "superseded", "retired", "live")),
        *(set_state("conf", value) for value in ("high", "low")),
        *(set_state("seen", value) for value in DAYS),
        set_state("imp", "4"), set_state("imp", "2"), set_state("hot", "no"),
        link("DEC-0001"), link("DEC-0099"), link("GOTCHA-0003"),
        line_above("# above\n"), line_above("# para\n\n"), line_above("# mneme: ignore[no-cue]\n"),
        line_inside("# inside\n"), line_inside("# too\n"),
    ])),
)  # fmt: skip
NEW_CELL = (
    st.sampled_from(["GOTCHA-0001", "GOTCHA-0002", "GOTCHA-0003", "DEC-0051", "DEC-0052", "DEC-k2"]),
    st.sampled_from(GISTS), st.sampled_from(SINCE), st.sampled_from(DAYS),
    st.sampled_from([(), (), ("see GOTCHA-0001, GOTCHA-0002",)]), st.sampled_from(["", "", "GOTCHA-0001", "DEC-0051"]),
)  # fmt: skip
GROWING = st.builds(append_own, *NEW_CELL)


def delete(document: Document, index: int) -> str:
    start = document.starts[index]
    return document.text[:start] + document.text[start + len(document.cells[index].text) :]


def move_to_end(document: Document, index: int) -> str:
    text = delete(document, index)
    return "\n\n".join([text.rstrip("\n"), document.cells[index].text]).lstrip("\n")


def edit_gist(document: Document, index: int) -> str:
    return document.text.replace(document.cells[index].gist, "Something else altogether", 1)


REWORKING = st.one_of(
    HARMLESS, GROWING, st.builds(append, *NEW_CELL),
    st.builds(on_cell, CELL_NUMBER, st.sampled_from([
        delete, move_to_end, edit_gist, line_inside("unknown words\n"), line_inside("link  relates DEC-7   # note\n"),
        lambda document, _: document.text.replace("seen 2026-11-20", "seen 2026-11-19", 1),
        lambda document, _: document.text.replace("state live", "state odd", 1),
    ])),
    st.sampled_from([
        lambda text: text if "\r" in text else text.replace("\n", "\r\n"),
        lambda text: text.removesuffix("\n").removesuffix("\r"),
        lambda text: text.replace("   ", "  "), lambda text: text if text.startswith("\ufeff") else f"\ufeff{text}",
        lambda text: text.replace("# above\n", ""), lambda _text: "",
        lambda text: text.replace("DEC-0001", "DEC-0077"),
    ]),
)  # fmt: skip
ANY = st.one_of(REWORKING, st.sampled_from([
    lambda text: f"{text}state stale\n", lambda text: text + text, lambda text: text.replace("\n\n", "\n"),
]))  # fmt: skip


def edited(text: str, edits: list[Edit]) -> str:
    for edit in edits:
        text = edit(text)
    return text


def sides(edit: st.SearchStrategy[Edit], count: int, most: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    """A base and ``count`` texts made of it."""
    return st.tuples(BASES, *[st.lists(edit, max_size=most) for _ in range(count)]).map(
        lambda drawn: (drawn[0], *(edited(drawn[0], edits) for edits in drawn[1:]))
    )


WORK = st.one_of(HARMLESS, GROWING)


def clean(merged: Merged) -> str:
    """The text of a merge that left no conflict."""
    assert not merged.conflicts, merged.text()
    return merged.text()


@settings(max_examples=120)
@given(sides(ANY, 2))
def test_it_does_not_matter_which_side_is_ours(texts: tuple[str, ...]) -> None:
    base, one, two = texts
    ours, theirs = merge(base, one, two), merge(base, two, one)
    turned = [
        piece if isinstance(piece, str) else piece._replace(one=piece.two, two=piece.one) for piece in theirs.pieces
    ]
    assert list(ours.pieces) == turned
    assert ours.clashes == theirs.clashes


@settings(max_examples=120)
@given(sides(ANY, 2))
def test_a_side_that_did_nothing_or_the_same_gives_way(texts: tuple[str, ...]) -> None:
    base, one, _ = texts
    assert clean(merge(base, one, base)) == one
    assert clean(merge(base, base, one)) == one
    assert clean(merge(base, one, one)) == one


@settings(max_examples=120)
@given(sides(WORK, 2))
def test_ordinary_work_merges_without_a_conflict_and_nothing_is_lost(texts: tuple[str, ...]) -> None:
    base, one, two = texts
    merged = merge(base, one, two)
    if mean_two_things(one, two, merged):
        return
    document = parse(clean(merged))
    ids = Counter(cell.id for cell in document.cells)
    assert max(ids.values(), default=1) == 1
    moved = {content_digest(clash.moved): clash.new_id for clash in merged.clashes}
    for side in (parse(one), parse(two)):
        for cell in side.cells:
            found = next(own for own in document.cells if own.id == moved.get(content_digest(cell), cell.id))
            assert found.gist == cell.gist
            assert len(found.links) >= len(cell.links)
            assert found.status.seen >= cell.status.seen
            if cell.status.state in ("superseded", "retired"):
                assert found.status.state in ("superseded", "retired")
            for line in (*comments(cell), *(f"link  {own.relation} {own.target}" for own in cell.links)):
                words = line.split()
                words[-1] = {clash.moved.id: clash.new_id for clash in merged.clashes}.get(words[-1], words[-1])
                assert line in document.text or " ".join(words) in " ".join(document.text.split())
    assert {anonymous(cell) for cell in document.cells} >= {anonymous(cell) for cell in parse(base).cells}


def mean_two_things(one: str, two: str, merged: Merged) -> bool:
    """Whether both sides have the same cell, which mentions a number that is not the same cell's on both."""
    taken = {clash.moved.id for clash in merged.clashes}
    return any(
        token in taken
        for cell in parse(one).cells if cell.id in {other.id for other in parse(two).cells}
        for token in MENTION.findall(cell.text[2:].partition(cell.id)[2])
    )  # fmt: skip


def comments(cell: Cell) -> list[str]:
    return [line for line in cell.text.splitlines() if line.startswith("#")]


def anonymous(cell: Cell) -> str:
    return anonymous_digest(cell)


@settings(max_examples=120)
@given(sides(REWORKING, 2))
def test_merging_again_changes_nothing(texts: tuple[str, ...]) -> None:
    base, one, two = texts
    assume(all(has_each_once(text) for text in texts))
    merged = merge(base, one, two)
    assume(not merged.conflicts)
    text = merged.text()
    for side in (one, two):
        again = clean(merge(base, text, side))
        assert sorted(item.text for item in split(again).items) == sorted(item.text for item in split(text).items)
        assert again == text or (reordered(base, one) and reordered(base, two))


def reordered(base: str, side: str) -> bool:
    """Whether the cells that a side kept stand in another order."""
    before, after = ([cell.id for cell in parse(text).cells] for text in (base, side))
    return [token for token in before if token in after] != [token for token in after if token in before]


def has_each_once(text: str) -> bool:
    """Whether nothing in a text is there twice, so that each thing can be told from all others."""
    side = split(text)
    names = [item.cell.id if item.cell else item.text for item in side.items]
    lines = [
        f"{name}: {line}"
        for name, item in zip(names, side.items, strict=True)
        for line in item.text.split("\n")
        if line
    ]
    return len(names) == len(set(names)) and len(lines) == len(set(lines))


@settings(max_examples=120)
@given(sides(WORK, 3, most=3))
def test_three_branches_merge_to_one_text_in_any_order(texts: tuple[str, ...]) -> None:
    base, *branches = texts
    one, two, three = branches
    added = [cell.id for branch in branches for cell in parse(branch).cells if f"@ {cell.id}" not in base]
    assume(len(added) == len(set(added)))
    assume(all(has_each_once(text) for text in texts))  # equal comments beside each other are not to be told apart
    pairs = [merge(base, one, two), merge(base, two, three), merge(base, one, three)]
    results = {
        clean(merge(base, clean(pair), rest)) for pair, rest in zip(pairs, (three, one, two), strict=True)
    }  # fmt: skip
    assert len(results) == 1


@settings(max_examples=120)
@given(sides(st.one_of(WORK, st.builds(append, *NEW_CELL)), 2), st.sets(st.integers(1, 60), max_size=20))
def test_no_id_is_given_that_anybody_used(texts: tuple[str, ...], numbers: set[int]) -> None:
    used = [f"{prefix}-{number:04d}" for prefix in ("DEC", "GOTCHA") for number in numbers]
    merged = merge(*texts, Known(used=lambda: used))
    given_new = [
        clash.new_id for clash in merged.clashes if clash.reason != "the other has a number of its own already"
    ]
    assert len(given_new) == len(set(given_new))
    written = {token for text in texts for token in MENTION.findall(text)}
    assert not set(given_new) & {*used, *written}


@settings(max_examples=120)
@given(sides(ANY, 2))
def test_no_cell_is_lost_whatever_was_done(texts: tuple[str, ...]) -> None:
    base, one, two = texts
    merged = merge(base, one, two)
    text = merged.text()
    shapes = {said(cell) for cell in parse(text).cells} | {
        said(cell)
        for piece in merged.pieces if not isinstance(piece, str)
        for version in piece for cell in parse(version).cells
    }  # fmt: skip
    kept = [{said(cell) for cell in parse(side).cells} for side in (base, one, two)]
    for gist in (kept[1] - kept[0]) | (kept[2] - kept[0]) | (kept[0] & kept[1] & kept[2]):
        assert gist in shapes or gist in text


def said(cell: Cell) -> str:
    return cell.gist


@settings(max_examples=120)
@given(sides(ANY, 2))
def test_no_line_is_lost_that_a_side_wrote(texts: tuple[str, ...]) -> None:
    base, one, two = texts
    merged = saying(merge(base, one, two).text())
    for side in (one, two):
        assert saying(side) - saying(base) <= merged


def saying(text: str) -> set[str]:
    """The lines but for those that a merge settles; IDs left out, since a cell may get another number.

    Byte order marks at the head of a line are not looked at, nor lines of nothing else.
    """
    lines = (" ".join(line.lstrip("\ufeff").split()) for line in text.split("\n"))
    settled = ("@", "state ", "seen ", "conf ")
    return {MENTION.sub("ID", line) for line in lines if line and not line.startswith(settled)}
