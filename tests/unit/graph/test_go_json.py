"""JSON as the engine's encoder writes it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.graph.go_json import dumps

VALUES: dict[str, tuple[Any, str]] = {
    "angle brackets and ampersand": ("<a href='x'>&", r'''"\u003ca href='x'\u003e\u0026"'''),
    "quotes and backslash": ('"\\', r'"\"\\"'),
    "line ends": ("a\nb\rc\td", r'"a\nb\rc\td"'),
    "other controls": ("\x00\x1f\x7f", '"\\u0000\\u001f\x7f"'),
    "line separators": ("\u2028\u2029", r'"\u2028\u2029"'),
    "not ASCII": ("缓存 é 🚀", '"缓存 é 🚀"'),
    "half a character": ("a\ud800b", '"a\ufffdb"'),
    "whole float": (1.0, "1"),
    "zero": (0.0, "0"),
    "three decimals": (0.525, "0.525"),
    "shortest digits": (0.1 + 0.2, "0.30000000000000004"),
    "small, plain": (0.000001, "0.000001"),
    "smaller": (0.0000001, "1e-7"),
    "much smaller": (1e-10, "1e-10"),
    "large, plain": (1e20, "100000000000000000000"),
    "larger": (1e21, "1e+21"),
    "int": (3, "3"),
    "bool": (True, "true"),
    "null": (None, "null"),
    "empty list": ([], "[]"),
    "empty object": ({}, "{}"),
    "nested": ({"a": [1, {"b": []}]}, '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ]\n}'),
    "key": ({"<": 1}, '{\n  "\\u003c": 1\n}'),
}


@pytest.mark.parametrize("name", VALUES)
def test_value(name: str) -> None:
    value, text = VALUES[name]
    assert dumps(value) == text


def test_one_line_without_html_escapes() -> None:
    assert dumps({"a": ["<&>", "\u2028"], "b": 1.5}, indent=False, html=False) == '{"a":["<&>","\\u2028"],"b":1.5}'


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), object(), {1, 2}])
def test_what_has_no_form(wrong: object) -> None:
    with pytest.raises((ValueError, TypeError), match="no form in JSON"):
        dumps(wrong)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(-1e15, 1e15) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=20,
    ),
    st.booleans(),
    st.booleans(),
)
def test_what_is_written_is_read_again(value: Any, indent: bool, html: bool) -> None:
    assert json.loads(dumps(value, indent=indent, html=html)) == value
