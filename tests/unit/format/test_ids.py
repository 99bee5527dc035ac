"""IDs: their shape, what only looks like one, and the next number."""

from __future__ import annotations

from itertools import islice

import pytest

from mneme.errors import UsageError
from mneme.format import ids
from mneme.format.parser import parse


@pytest.mark.parametrize("token", ["DEC-0042", "DEC-1", "D-1", "R2D2-0007", "FACT-k3v9x2ma", "DEC-10000", "A-a"])
def test_well_formed(token: str) -> None:
    assert ids.is_id(token)
    assert ids.canonical(token) == token
    assert not ids.looks_like_id(token)


@pytest.mark.parametrize(
    "token",
    ["", "DEC", "DEC-", "-1", "2D-1", "dec-42", "DEC_42", "DEC-00AB", "DEC-42,", "DEC-1-2", "DEC–42", "DEC-42\n"],
)
def test_malformed(token: str) -> None:
    assert not ids.is_id(token)


LOOK_ALIKES = {
    "lower case": "dec-0042",
    "mixed case": "Dec-0042",
    "en dash": "DEC–0042",
    "no-break hyphen": "DEC‑0042",
    "minus sign": "DEC−0042",
    "soft hyphen instead": "DEC\u00ad0042",
    "zero width space": "DEC-\u200b0042",
    "zero width joiner before": "\u200dDEC-0042",
    "byte order mark before": "\ufeffDEC-0042",
    "full width": "ＤＥＣ－００４２",
    "Cyrillic E": "D\u0415C-0042",
    "combining mark": "DEC\u0301-0042",
    "Arabic digits": "DEC-\u0660\u0660\u0664\u0662",
    "control character": "DEC-\x070042",
}


@pytest.mark.parametrize("token", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes_are_no_ids_but_their_numbers_are_taken(token: str) -> None:
    assert not ids.is_id(token)
    assert ids.looks_like_id(token)
    assert ids.canonical(token) == "DEC-0042"
    assert ids.number(token) == ids.Number("DEC", 42)
    assert next(ids.next_numbers("DEC", [token])) == "DEC-0043"


def test_upper_case_in_a_random_suffix_looks_like_an_id() -> None:
    assert ids.canonical("DEC-K3V9") == "DEC-k3v9"
    assert ids.looks_like_id("DEC-K3V9")


@pytest.mark.parametrize("token", ["reviewers", "DEC_0042", "DEC 42", "", "中文-1"])
def test_other_words_do_not_look_like_ids(token: str) -> None:
    assert not ids.looks_like_id(token)
    assert ids.number(token) is None


def test_one_number_in_two_spellings() -> None:
    assert ids.number("DEC-42") == ids.number("DEC-0042") == ids.Number("DEC", 42)
    assert ids.number("FACT-k3v9") is None


NEXT = [
    ([], "DEC-0001"),
    (["DEC-0001"], "DEC-0002"),
    (["DEC-0009", "DEC-0003"], "DEC-0010"),
    (["DEC-007"], "DEC-0008"),
    (["DEC-42"], "DEC-0043"),
    (["DEC-9999"], "DEC-10000"),
    (["DEC-10000", "DEC-9999"], "DEC-10001"),
    (["DEC-00042"], "DEC-0043"),
    (["FACT-0099"], "DEC-0001"),
    (["DECX-0099", "XDEC-0099", "DE-0099"], "DEC-0001"),
    (["DEC-k3v9", "DEC-12ab"], "DEC-0001"),
    (["DEC-²"], "DEC-0003"),
    (["DEC", "DEC-", "", "DEC-1-2", "DEC\t-9"], "DEC-0010"),
    ([f"DEC-{10**24}"], f"DEC-{10**24 + 1}"),
    ([f"DEC-{'9' * 5000}"], "DEC-0001"),
]


@pytest.mark.parametrize(("used", "expected"), NEXT)
def test_next_number(used: list[str], expected: str) -> None:
    assert next(ids.next_numbers("DEC", used)) == expected


def test_next_numbers_go_on() -> None:
    assert list(islice(ids.next_numbers("DEC", ["DEC-9998"]), 3)) == ["DEC-9999", "DEC-10000", "DEC-10001"]


def test_heads_and_links_are_in_use_and_body_text_is_not() -> None:
    cells = parse(
        "@ DEC-0001\n> see DEC-0900\nlink relates DEC-0007\nref DEC-0800\n\n@ DEC-0003\nstate retired\n"
    ).cells
    assert next(ids.new_ids("DEC", cells)) == "DEC-0008"


@pytest.mark.parametrize(
    ("prefix", "meant"), [("dec", "DEC"), ("Dec", "DEC"), ("ＤＥＣ", "DEC"), (" DEC", "DEC"), ("DEC-", "DEC")]
)
def test_a_malformed_prefix_is_refused_and_the_right_one_named(prefix: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        next(ids.next_numbers(prefix, []))
    assert meant in caught.value.hint


@pytest.mark.parametrize("prefix", ["", "1X", "-", "A B", "中文"])
def test_a_hopeless_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(UsageError) as caught:
        ids.check_prefix(prefix)
    assert "upper-case" in caught.value.hint


def test_random_ids_have_a_letter_and_are_new() -> None:
    candidates = iter(["12345678", "aaaaaaa1", "bbbbbbb2", "aaaaaaa1", "ccccccc3"])
    made = list(ids.random_ids("DEC", ["DEC-bbbbbbb2"], candidates))
    assert made == ["DEC-aaaaaaa1", "DEC-ccccccc3"]


def test_random_suffixes_use_letters_that_are_not_misread() -> None:
    suffix = next(ids.suffixes())
    assert len(suffix) == ids.RANDOM_LENGTH
    assert set(suffix) <= set(ids.RANDOM_ALPHABET)
    assert not set("ilou") & set(ids.RANDOM_ALPHABET)
    assert ids.is_id(next(ids.new_ids("DEC", [], "random")))
