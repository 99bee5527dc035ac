"""Packing: what matters most, to the byte, in the order it was given in."""

from __future__ import annotations

from datetime import date

from mneme.bridge.projection.packing import fill, is_note, pack
from mneme.format.entry import Entry, is_nearly_full, used_bytes


def entry(name: str, size: int = 20, **values: object) -> Entry:
    text = f"[{name}] ".ljust(size, "x")
    made = Entry(name, text, 3, False, 1, date(2026, 11, 1), "a/b", False)
    return made._replace(**values)


def names(found: list[Entry]) -> list[str]:
    return [one.id for one in found]


def test_a_too_large_normal_one_is_skipped_and_a_smaller_low_one_taken() -> None:  # test 14
    given = [
        entry("LOW-1", 20, importance=1), entry("NORM-1", 200, importance=3), entry("CRIT-1", 30, importance=5),
    ]  # fmt: skip
    packed = pack(given, 60)
    assert names(packed.kept) == ["LOW-1", "CRIT-1"]  # the critical one was chosen first; the given order is kept
    assert names(packed.left_out) == ["NORM-1"]


def test_exactly_at_the_limit_is_allowed_and_one_more_byte_is_not() -> None:  # test 7
    given = [entry("A-1", 20), entry("B-1", 20)]
    assert used_bytes([one.text for one in given]) == 44
    assert names(pack(given, 44).kept) == ["A-1", "B-1"]
    assert names(pack(given, 43).kept) == ["A-1"]
    wide = entry("C-1")._replace(text="[C-1] " + "本" * 10)
    assert wide.size == 36
    assert names(pack([wide], 36).kept) == ["C-1"]
    assert names(pack([wide], 35).kept) == []


def test_the_order_of_worth() -> None:
    ranked = [
        entry("IMP-1", importance=4, stale=True, certainty=2),
        entry("LIVE-1", certainty=0),
        entry("LIVE-2", certainty=1, seen=date(2026, 11, 2)),
        entry("LIVE-3", certainty=1),
        entry("LIVE-4", certainty=1),
        entry("STALE-1", stale=True, certainty=0, seen=date(2026, 11, 9)),
    ]
    for count in range(len(ranked) + 1):
        room = 20 * count + 4 * max(0, count - 1)
        assert set(names(pack(ranked[::-1], room).kept)) == set(names(ranked[:count]))


def test_what_is_left_out_is_named_in_a_last_line_within_the_limit() -> None:
    given = [entry(f"DEC-{number:04}", 50) for number in range(1, 101)]
    filled = fill(given, 1000)
    assert used_bytes(filled.texts) <= 1000
    assert is_note(filled.texts[-1])
    assert f"{len(filled.left_out)} left out at the limit of 1000 bytes" in filled.texts[-1]
    assert filled.left_out[0].id in filled.texts[-1]
    assert filled.texts[:-1] == [one.text for one in filled.kept]
    assert sorted(names(filled.kept) + names(filled.left_out)) == names(given)


def test_nothing_left_out_has_no_last_line() -> None:
    given = [entry("A-1"), entry("B-1")]
    assert fill(given, 44).texts == [one.text for one in given]
    assert fill([], 44).texts == []


def test_an_entry_over_eight_kib_is_left_out() -> None:
    assert names(pack([entry("A-1", 8193), entry("B-1", 8192)], 99_999).kept) == ["B-1"]


def test_people_are_warned_from_ninety_percent_on() -> None:
    assert not is_nearly_full(3686, 4096)
    assert is_nearly_full(3687, 4096)
    assert not is_nearly_full(0, 0)
