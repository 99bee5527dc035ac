"""Our entries in a settings file: where they go, what goes with them, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mneme.agents.settings import Record, Wanted, changed_commands, is_strict, put_in, recognised, take_out
from mneme.errors import ConfigError, UnreadableFile

WANTED = Wanted("spine-command", ("Bash(mneme find:*)", "Bash(mneme show:*)"), "startup|resume|clear|compact", 20)

FULL = """\
{
    // the team's settings
    "permissions": {
        "allow": [
            "Bash(ls:*)", // harmless
            "Bash(mneme show:*)"
        ],
        "deny": ["Bash(rm:*)"]
    },
    "hooks": {
        "SessionStart": [
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo mneme" }] }
        ]
    },
    "model": "large"
}
"""


def test_entries_join_what_is_there() -> None:
    after, record = put_in(FULL, WANTED, None, "s")
    assert after == FULL.replace(
        '"Bash(mneme show:*)"\n', '"Bash(mneme show:*)",\n            "Bash(mneme find:*)"\n'
    ).replace(
        '"command": "echo mneme" }] }\n',
        """"command": "echo mneme" }] },
            {
                "matcher": "startup|resume|clear|compact",
                "hooks": [
                    {
                        "type": "command",
                        "command": "spine-command",
                        "timeout": 20
                    }
                ]
            }
""",
    )
    assert record.rules == ("Bash(mneme find:*)",)  # the other one was there before, and stays
    assert record.created == frozenset()
    assert take_out(after, record, "s") == FULL


def test_a_file_of_our_own_is_removed_with_the_entries() -> None:
    after, record = put_in(None, WANTED, None, "s")
    assert json.loads(after) == WANTED.document
    assert take_out(after, record, "s") is None
    assert take_out(after, replace(record, digest=""), "s") is None


def test_a_file_of_our_own_stays_when_somebody_added_to_it() -> None:
    after, record = put_in(None, WANTED, None, "s")
    changed = after.replace('{\n  "hooks"', '{\n  "model": "large",\n  "hooks"', 1)
    assert take_out(changed, record, "s") == '{\n  "model": "large"\n}\n'


def test_a_handler_that_joined_our_group_stays() -> None:
    after, record = put_in("{}", WANTED, None, "s")
    document = json.loads(after)
    mine = {"type": "command", "command": "date"}
    document["hooks"]["SessionStart"][0]["hooks"].insert(0, mine)
    left = take_out(json.dumps(document), record, "s")
    assert left is not None
    matcher = WANTED.matcher
    assert json.loads(left) == {"hooks": {"SessionStart": [{"matcher": matcher, "hooks": [mine]}]}}


def test_only_what_was_created_goes_when_it_is_empty() -> None:
    text = '{"hooks": {"SessionStart": [], "Stop": []}, "permissions": {}}'
    after, record = put_in(text, WANTED, None, "s")
    left = take_out(after, replace(record, digest=""), "s")
    assert left is not None
    assert json.loads(left) == json.loads(text)


def test_our_entry_is_known_by_its_whole_command() -> None:
    text = json.dumps({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "spine-command; date"}]}]}})
    after, record = put_in(text, WANTED, None, "s")
    left = take_out(after, replace(record, digest=""), "s")
    assert left is not None
    assert json.loads(left) == json.loads(text)


def test_a_handler_that_nothing_remembers_goes_too() -> None:
    pasted, _ = put_in("{}", WANTED, None, "s")
    after, record = put_in(pasted, WANTED, None, "s")
    assert after == pasted
    assert take_out(after, record, "s") is None
    more = after.replace("{", '{"model": "large",', 1)
    left = take_out(more, record, "s")
    assert left is not None
    assert json.loads(left) == {"model": "large"}


@pytest.mark.parametrize("remembered", [True, False])
def test_a_command_that_was_changed_stays_and_gets_no_second_one(remembered: bool) -> None:
    wanted = replace(WANTED, command="python3 x/mneme.pyz spine", tool="x/mneme.pyz")
    after, record = put_in(FULL, wanted, None, "s")
    assert changed_commands(after, wanted, "s") == []
    edited = after.replace("mneme.pyz spine", "mneme.pyz spine --all")
    again, record = put_in(edited, wanted, record if remembered else None, "s")
    assert again == edited
    left = take_out(again, record, "s")
    assert left is not None
    assert changed_commands(left, wanted, "s") == ["python3 x/mneme.pyz spine --all"]


@pytest.mark.parametrize("deep", ["[" * 5000 + "]" * 5000, '{"a":' * 5000 + "1" + "}" * 5000])
def test_settings_may_be_nested_deeply(deep: str) -> None:
    text = f'{{"model": {deep}}}'
    after, record = put_in(text, WANTED, None, "s")
    assert is_strict(after)
    assert take_out(after, record, "s") == text
    assert take_out(after, replace(record, digest=""), "s") == text


def test_without_a_record_entries_are_told_by_what_they_say() -> None:
    rules = ("Bash(mneme find:*)", "Bash(python3 x/mneme.pyz find:*)")
    wanted = replace(WANTED, rules=rules, tool="x/mneme.pyz")
    after, _ = put_in(FULL, wanted, None, "s")
    assert take_out(after, recognised(after, wanted, "s"), "s") == FULL
    changed = after.replace("spine-command", "spine-command; date")
    left = take_out(changed, recognised(changed, wanted, "s"), "s")
    assert left is not None
    assert "spine-command; date" in left
    assert "Bash(mneme find:*)" in left
    assert "mneme.pyz" not in left


def test_a_rule_that_was_taken_away_comes_back() -> None:
    after, record = put_in(FULL, WANTED, None, "s")
    fewer = after.replace(',\n            "Bash(mneme find:*)"', "")
    again, record = put_in(fewer, WANTED, record, "s")
    assert again == after
    left = take_out(again, record, "s")
    assert left == FULL


def test_nothing_to_take_out_changes_nothing() -> None:
    record = Record("spine-command", ("Bash(mneme find:*)",), frozenset({"file", "hooks"}), (), "")
    assert take_out("{}", record, "s") == "{}"
    assert take_out(FULL.replace("echo mneme", "date"), record, "s") == FULL.replace("echo mneme", "date")


@pytest.mark.parametrize(
    "text",
    [
        "[]", '"x"', '{"hooks": []}', '{"hooks": {"SessionStart": {}}}', '{"permissions": null}',
        '{"permissions": {"allow": "Bash"}}', '{"hooks": "x"}',
    ],
)  # fmt: skip
def test_settings_of_another_shape_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="nothing was written"):
        put_in(text, WANTED, None, "settings.json")


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "// nothing\n"])
def test_settings_that_do_not_parse_are_refused(text: str) -> None:
    with pytest.raises(UnreadableFile, match="not valid JSON"):
        put_in(text, WANTED, None, "settings.json")
    with pytest.raises(UnreadableFile, match="not valid JSON"):
        take_out(text, Record("x"), "settings.json")


@pytest.mark.parametrize(
    ("text", "strict"), [("{}", True), ("\ufeff{}", True), ('{"a": 1,}', False), ("{} // x", False)]
)
def test_strict_json_is_told_from_json_with_comments(text: str, strict: bool) -> None:
    assert is_strict(text) is strict
