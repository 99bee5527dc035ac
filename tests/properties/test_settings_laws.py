"""Settings files of any shape: what is put in comes out again, and nothing else moves."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.agents.settings import Wanted, holds, put_in, take_out
from mneme.text.jsonc import parse

WANTED = Wanted("{ x \"$A\"/y || echo 'z'; } | head", ("Bash(mneme find:*)", "Bash(mneme lint)"), "startup|resume", 20)

HANDLERS = st.fixed_dictionaries(
    {
        "type": st.just("command"),
        "command": st.sampled_from(["echo mneme", "mneme spine", "date", WANTED.command + " "]),
    },
    optional={"timeout": st.integers(1, 99)},
)
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": st.sampled_from(["", "startup", "mneme"])}
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(["", "x", "// no", "/* no */", "中文", '"\\', "}"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab,"), inner, max_size=2),
    max_leaves=4,
)
HOOKS = st.dictionaries(st.sampled_from(["SessionStart", "Stop"]), st.lists(GROUPS, max_size=3), max_size=2)
PERMISSIONS = st.fixed_dictionaries(
    {},
    optional={
        "allow": st.lists(st.sampled_from(["Bash(ls:*)", "Bash(mneme find:*)", "Bash(mneme:*)"]), max_size=3),
        "deny": st.just(["Bash(rm:*)"]),
    },
)
DOCUMENTS = st.fixed_dictionaries(
    {}, optional={"model": VALUES, "hooks": HOOKS, "permissions": PERMISSIONS, "env": VALUES}
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Write a document as people and programs write settings: any blanks, comments, trailing commas, line ends."""
    document = draw(DOCUMENTS)
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    gaps = st.sampled_from(
        ["", "", " ", newline, f"{newline}\t", f"{newline}    ", f" // c, ]{newline}  ", " /* { */ "]
    )
    trailing = draw(st.booleans())

    def gap() -> str:
        return draw(gaps)

    def written(value: Any) -> str:
        if isinstance(value, dict):
            parts = [f"{json.dumps(key)}{gap()}:{gap()}{written(inner)}" for key, inner in value.items()]
        elif isinstance(value, list):
            parts = [written(inner) for inner in value]
        else:
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        body = f"{gap()},{gap()}".join(parts) + (f"{gap()}," if parts and trailing else "")
        first, last = "{}" if isinstance(value, dict) else "[]"
        return f"{first}{gap()}{body}{gap()}{last}"

    style = draw(st.sampled_from(["free", "free", "indented", "tabs", "compact"]))
    if style == "free":
        body = gap() + written(document) + gap()
    else:
        indent = {"indented": 4, "tabs": "\t", "compact": None}[style]
        body = json.dumps(document, indent=indent).replace("\n", newline) + draw(st.sampled_from(["", newline]))
    return draw(st.sampled_from(["", "\ufeff"])) + body


def comments(text: str) -> list[str]:
    strings_and_comments = re.findall(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', text)
    return [found for found in strings_and_comments if not found.startswith('"')]


def expected(data: Any) -> Any:
    """Return ``data`` with the entries put in, as a program that knows only the meaning would do it."""
    data = copy.deepcopy(data)
    data.setdefault("hooks", {}).setdefault("SessionStart", []).append(parse(json.dumps(WANTED.group)).data)
    allow = data.setdefault("permissions", {}).setdefault("allow", [])
    allow += [rule for rule in WANTED.rules if rule not in allow]
    return data


@settings(max_examples=120)
@given(texts())
def test_put_in_means_what_it_should_and_keeps_every_comment(text: str) -> None:
    after, _ = put_in(text, WANTED, None, "s")
    assert parse(after).data == expected(parse(text).data)
    assert holds(after, WANTED.command, "s") == 1
    assert comments(after) == comments(text)


@settings(max_examples=120)
@given(texts())
def test_putting_in_twice_is_putting_in_once(text: str) -> None:
    after, record = put_in(text, WANTED, None, "s")
    assert put_in(after, WANTED, record, "s") == (after, record)
    again, _ = put_in(after, WANTED, None, "s")  # the record was lost
    assert again == after


@settings(max_examples=120)
@given(texts())
def test_taking_out_restores_every_byte(text: str) -> None:
    after, record = put_in(text, WANTED, None, "s")
    assert take_out(after, record, "s") == text


@settings(max_examples=120)
@given(texts())
def test_taking_out_of_a_changed_file_takes_the_entries_and_nothing_else(text: str) -> None:
    after, record = put_in(text, WANTED, None, "s")
    found = take_out(after, replace(record, digest=""), "s")
    assert found is not None
    assert parse(found).data == parse(text).data
    assert comments(found) == comments(text)
    after, record = put_in(text, WANTED, None, "s")
    changed = "// changed by hand\n" + after.removeprefix("\ufeff")
    found = take_out(changed, record, "s")
    assert found is not None
    assert parse(found).data == parse(text).data


@settings(max_examples=100)
@given(texts())
def test_another_version_replaces_its_entries(text: str) -> None:
    old = replace(WANTED, command="old command", rules=(*WANTED.rules, "Bash(mneme old:*)"))
    before, record = put_in(text, old, None, "s")
    after, record = put_in(before, WANTED, record, "s")
    assert parse(after).data == expected(parse(text).data)
    assert take_out(after, record, "s") == text
