"""JSON with comments: read with places, changed by patches."""

from __future__ import annotations

import json

import pytest

from mneme.errors import UnreadableFile
from mneme.text.jsonc import Container, parse
from mneme.text.jsonc_edit import append, newline_of, remove
from mneme.text.patch import apply


def root_of(text: str) -> Container:
    root = parse(text)
    assert isinstance(root, Container)
    return root


def test_what_is_json_means_what_json_says() -> None:
    text = r'{"a": [1, -2.5e3, true, false, null, "\"\\\/\b\f\n\r\t\u4e2d\ud83d\ude00"], "": {}, "b": []}'
    assert parse(text).data == json.loads(text)


def test_comments_and_trailing_commas_are_read_over() -> None:
    text = '\ufeff// head\r\n{ /* one, "two": */ "a": [1, 2,], // "b": 3\n "c": "// no comment", /**/ } // end'
    assert parse(text).data == {"a": [1, 2], "c": "// no comment"}


def test_places_are_offsets_into_the_text() -> None:
    text = '\ufeff{"a": [10, "x"],\n "a": 2}'
    root = root_of(text)
    assert [text[item.start : item.end] for item in root.items] == ['"a": [10, "x"]', '"a": 2']
    assert [text[comma] for comma in root.commas] == [","]
    last = root.member("a")
    assert last is not None
    assert last.value.data == root.data["a"] == 2
    assert root.member("b") is None


def test_nesting_costs_no_recursion() -> None:
    depth = 20_000
    node = parse("[" * depth + "]" * depth)
    assert node.end == 2 * depth


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "1:1"), ("{", "1:2"), ('{"a":}', "1:6"), ("[1,,2]", "1:4"), ('{"a" 1}', "1:6"), ("'x'", "1:1"),
        ("{} x", "1:4"), ("{,}", "1:2"), ("[1] /*", "1:5"), ('"\x01"', "1:1"), ("01", "1:2"), ("/**/", "1:5"),
        ('{\r\n  "a": 1,\r\n  b: 2\r\n}', "3:3"), ("\ufeff{\n", "2:1"), ("{}\ufeff", "1:3"), ("[1 2]", "1:4"),
        ('"\\x"', "1:1"), ("nul", "1:1"), ("NaN", "1:1"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_its_place(text: str, where: str) -> None:
    with pytest.raises(UnreadableFile, match="not valid JSON") as caught:
        parse(text, "settings.json")
    assert caught.value.message.startswith(f"settings.json:{where}: ")


APPENDED = {
    "empty": ("{}", '{\n  "new": [\n    1\n  ]\n}'),
    "empty over two lines": ("{\n}\n", '{\n  "new": [\n    1\n  ]\n}\n'),
    "one line": ('{"a": 1}', '{"a": 1, "new": [1]}'),
    "four blanks": ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "new": [\n        1\n    ]\n}\n'),
    "tabs": ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": [\n\t\t1\n\t]\n}'),
    "CRLF": ('{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "new": [\r\n    1\r\n  ]\r\n}'),
    "a comment after the last": ('{\n  "a": 1 // why\n}', '{\n  "a": 1, // why\n  "new": [\n    1\n  ]\n}'),
    "a comment before the end": ('{\n  "a": 1\n  /* end */\n}', '{\n  "a": 1,\n  /* end */\n  "new": [\n    1\n  ]\n}'),
    "trailing comma": ('{\n  "a": 1,\n}', '{\n  "a": 1,\n  "new": [\n    1\n  ],\n}'),
    "only a comment": ("{ // nothing yet\n}", '{ // nothing yet\n  "new": [\n    1\n  ]\n}'),
    "BOM": ('\ufeff{\n "a": 1\n}', '\ufeff{\n "a": 1,\n "new": [\n  1\n ]\n}'),
}


@pytest.mark.parametrize(("text", "expected"), APPENDED.values(), ids=APPENDED.keys())
def test_additions_take_the_style_of_the_text(text: str, expected: str) -> None:
    root = root_of(text)
    assert apply(text, append(text, root, root, {"new": [1]})) == expected


@pytest.mark.parametrize(("text", "expected"), APPENDED.values(), ids=APPENDED.keys())
def test_what_was_added_last_can_be_taken_out(text: str, expected: str) -> None:
    root = root_of(expected)
    left = apply(expected, remove(expected, root, len(root.items) - 1))
    blank_inside = not root_of(text).items and "//" not in text
    assert left == ("{}\n" if text.endswith("\n") else "{}") if blank_inside else left == text


def test_an_empty_list_inside_a_line_stays_on_it() -> None:
    text = '{"a": {"b": []}}'
    root = root_of(text)
    inner = root.items[0].value.items[0].value
    assert apply(text, append(text, root, inner, ["x", "y"])) == '{"a": {"b": ["x", "y"]}}'


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("[1, 2, 3]", 0, "[ 2, 3]"),
        ("[1, 2, 3]", 1, "[1, 3]"),
        ("[1, 2, 3]", 2, "[1, 2]"),
        ("[1, 2, 3,]", 2, "[1, 2,]"),
        ("[ 1 ]", 0, "[]"),
        ("[\n  1, // one\n  2\n]", 1, "[\n  1 // one\n]"),
        ("[ // all\n  1, 2\n]", 0, "[ // all\n  2\n]"),
        ("[\n  1, // one\n  2 // two\n]", 0, "[\n  // one\n  2 // two\n]"),
        ("[\n  1 /* a */, /* b */\n]", 0, "[\n   /* a *//* b */\n]"),
    ],
)
def test_removal_keeps_every_comment(text: str, index: int, expected: str) -> None:
    root = root_of(text)
    left = apply(text, remove(text, root, index))
    assert left == expected
    assert parse(left).data == [value for number, value in enumerate(root.data) if number != index]


@pytest.mark.parametrize(("text", "newline"), [("{}", "\n"), ("{\r\n}\n", "\r\n"), ("{\n}\r\n", "\n"), ("{\r}", "\r")])
def test_the_first_line_end_is_the_style(text: str, newline: str) -> None:
    assert newline_of(text) == newline
