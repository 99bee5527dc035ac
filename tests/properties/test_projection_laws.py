"""Laws of projections, on any gist and any text of a person's."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.bridge.projection.blocks import BEGIN, END, block_text, find_block, put_block
from mneme.bridge.projection.claude import MAX_BYTES, MAX_LINES, auto_memory, count_lines
from mneme.bridge.projection.hand import compose, part, room_taken, used
from mneme.bridge.projection.packing import fill, is_note, pack
from mneme.config import Config
from mneme.format.entry import Entry, entries, inert, normalise, read_line, used_bytes, worth
from mneme.format.parser import parse

HOSTILE = st.sampled_from([
    "§", "\n§\n", "# x", "```", "~~~", "---", "@a/b.md", "<!--", "-->", END, BEGIN, "<!-- mneme:end", "</MEMORY>",
    "&sect;", "\u2028", "\u200b", "\x85", "\x1c", "[DEC-0001] x", "- ", "> ", "{{x}}", "\ufeff", "本", "\r", "<?x",
    "<!x",
])  # fmt: skip
TEXTS = st.lists(HOSTILE | st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=6).map(" ".join)
LINES = st.lists(TEXTS | st.sampled_from(["", "§", "mine", "a\r"]), max_size=6).map("\n".join)


@st.composite
def memories(draw: st.DrawFn) -> list[Entry]:
    made = []
    for number in range(draw(st.integers(0, 8))):
        gist = re.sub(r"[\r\n]", " ", draw(TEXTS)) or "x"
        state = draw(st.sampled_from(["live", "stale"]))
        rest = draw(st.sampled_from(["", "   imp 1", "   imp 5", "   conf low", "   conf high"]))
        seen = draw(st.sampled_from(["2026-11-01", "2026-11-20", "no-date"]))
        made.append(f"@ DEC-{number:04}  t{number % 3}/x\ngist  {gist}\nstate {state}{rest}   seen {seen}\n")
    cells = [(cell, False) for cell in parse("\n".join(made)).cells]
    return entries(cells, Config(), "memory")


@given(TEXTS)
def test_an_inert_text_is_one_line_in_which_nothing_acts(text: str) -> None:
    made = inert(text)
    assert not re.search("[\n\r§\x00-\x1f\u2028\u2029\u200b\ufeff]|<[!/?]|--!?>", made)
    assert not re.search(r"(?:^|\s)@", made)
    assert normalise(made) == made


@given(memories())
def test_an_entry_is_text_wherever_it_stands(found: list[Entry]) -> None:
    for entry in found:
        assert re.match(r"\[DEC-\d{4}\] \S", entry.text)
        assert read_line(entry.text) is not None
        assert entry.size == len(entry.text.encode()) == used_bytes([entry.text])


@given(memories(), st.integers(0, 400), st.integers(0, 100))
def test_packing_fits_and_misses_nothing_that_would(found: list[Entry], limit: int, taken: int) -> None:
    packed = pack(found, limit, taken=taken)
    assert sorted([*packed.kept, *packed.left_out]) == sorted(found)
    size = used_bytes([entry.text for entry in packed.kept])
    assert not packed.kept or taken + size <= limit
    gap = 4 if packed.kept else 0
    assert all(taken + size + gap + entry.size > limit for entry in packed.left_out)
    assert [entry for entry in found if entry in packed.kept] == packed.kept
    best = min(found, key=worth, default=None)
    assert best is None or best in packed.kept or taken + best.size > limit


@given(memories(), LINES, st.integers(0, 600))
def test_hand_written_text_stays_and_a_second_time_changes_nothing(found: list[Entry], hand: str, limit: int) -> None:
    known = {entry.text for entry in found}

    def ours(line: str) -> bool:
        return line in known or is_note(line)

    if any(ours(line.rstrip("\r")) for line in hand.split("\n")):
        return
    parted = part(hand, ours)
    filled = fill(found, limit, taken=room_taken(parted.hand))
    text = compose(parted, filled.texts)
    said = re.sub(r"(?:\s|(?<![^\n])§(?=\r?(?:\n|\Z)))+\Z", "", hand)  # all but blanks and separators at the end
    assert not said.strip("\ufeff").strip() or text.startswith(said)
    assert not filled.texts or used(text) == len(text.encode()) - 1 <= limit
    again = part(text, ours)
    assert again.ours == filled.texts
    refilled = fill(found, limit, taken=room_taken(again.hand))
    assert compose(again, refilled.texts) == text


@given(LINES, LINES, LINES, memories())
def test_outside_of_the_marks_nothing_moves(before: str, inside: str, after: str, found: list[Entry]) -> None:
    if any("mneme:" in text for text in (before, inside, after)):
        return
    before = f"{before}\n"
    text = f"{before}{BEGIN}\n{inside}\n{END}\n{after}"
    made = put_block(text, block_text(found), "f")
    block = find_block(made, "f")
    assert block is not None
    assert made[: block.start] == before
    assert made[block.end :] == f"\n{after}"
    assert put_block(made, block_text(found), "f") == made
    appended = put_block(before, block_text(found), "f")
    assert appended.startswith(before)
    assert put_block(appended, block_text(found), "f") == appended


@settings(max_examples=40)
@given(memories(), st.lists(st.sampled_from(["own", "o" * 900, ""]), max_size=230).map("\n".join))
def test_the_index_never_grows_over_what_is_read(found: list[Entry], own: str) -> None:
    folder = auto_memory(found, own)
    assert folder.text.startswith(own)
    assert auto_memory(found, folder.text) == folder
    if folder.kept:
        assert count_lines(folder.text) <= MAX_LINES
        assert len(folder.text.encode()) <= MAX_BYTES
    assert sum(block.count("\n- [DEC-") for block in folder.topics.values()) == len(found)
