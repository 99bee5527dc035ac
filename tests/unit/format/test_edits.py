"""Edits, one by one: where a field goes, what is refused, which bytes change. The laws are in properties/."""

from __future__ import annotations

import pytest

from mneme.errors import EditError, IllegalTransition
from mneme.format.edits import (
    add_link,
    append_cell,
    check_transition,
    end_of_content,
    newline_of,
    perform,
    set_field,
    set_weight,
)
from mneme.format.model import Link
from mneme.format.parser import parse
from mneme.format.vocabulary import STATES, TRANSITIONS
from mneme.text.patch import Patch


def edited(text: str, name: str, value: str) -> str:
    document = parse(text)
    return perform(document, set_field(document.placed[0], name, value)).text


HEAD = "@ DEC-0001\ngist  One\n"


@pytest.mark.parametrize(
    ("before", "name", "value", "after"),
    [
        ("state live   conf high\n", "conf", "low", "state live   conf low\n"),
        ("state live\n", "conf", "low", "state live   conf low\n"),
        ("state live since 2026-01-01\n", "conf", "low", "state live conf low since 2026-01-01\n"),
        ("state live\tsince 2026-01-01\n", "imp", "3", "state live\tsince 2026-01-01\timp 3\n"),
        ("state live\u00a0since 2026-01-01\n", "imp", "3", "state live\u00a0since 2026-01-01   imp 3\n"),
        ("conf high   since 2026-01-01\n", "state", "stale", "state stale   conf high   since 2026-01-01\n"),
        ("  since 2026-01-01 seen 2026-01-01\n", "conf", "low", "  conf low since 2026-01-01 seen 2026-01-01\n"),
        ("state live\nsince 2026-01-01\n", "seen", "2026-01-02", "state live\nsince 2026-01-01   seen 2026-01-02\n"),
        ("state live # so far\n", "state", "stale", "state stale # so far\n"),
        ("state live # so far\n", "hot", "no", "state live   hot no # so far\n"),
        ("state live odd conf\n", "imp", "2", "state live   imp 2 odd conf\n"),
        ("state live   imp 2 hot no\n", "conf", "low", "state live   conf low   imp 2 hot no\n"),
        ("state live\r\n", "seen", "2026-01-02", "state live   seen 2026-01-02\r\n"),
        ("state live", "seen", "2026-01-02", "state live   seen 2026-01-02"),
        ("state live\nstate live\n", "state", "stale", "state stale\nstate stale\n"),
        ("", "state", "live", "state live\n"),
        ("> body\n", "seen", "2026-01-02", "seen 2026-01-02\n> body\n"),
        ("state live\n", "state", "live", "state live\n"),
    ],
)
def test_a_field_goes_where_the_cell_has_its_like(before: str, name: str, value: str, after: str) -> None:
    assert edited(HEAD + before, name, value) == HEAD + after


def test_a_field_in_a_cell_that_ends_without_line_end() -> None:
    assert edited("@ DEC-0001\ngist One", "state", "live") == "@ DEC-0001\ngist One\nstate live"
    assert edited("@ DEC-0001", "conf", "low") == "@ DEC-0001\nconf low"
    assert edited("@ A-1\r\n@ DEC-0001", "conf", "low") == "@ A-1\r\nconf low\r\n@ DEC-0001"


@pytest.mark.parametrize(
    ("text", "name", "value", "message"),
    [
        (HEAD, "since", "2026-01-01", "content and never changes"),
        (HEAD, "gist", "x", "content and never changes"),
        (HEAD, "conf", "", "not one token"),
        (HEAD, "conf", "very high", "not one token"),
        (HEAD, "conf", "#1", "not one token"),
        (HEAD, "conf", "a\u00a0b", "not one token"),
        (HEAD, "imp", "3", "no state line to put imp on"),
        (HEAD + "state live\nstate stale\n", "state", "retired", "two values for state"),
    ],
)
def test_what_cannot_be_set_is_refused(text: str, name: str, value: str, message: str) -> None:
    with pytest.raises(EditError, match=message):
        edited(text, name, value)


def test_another_field_of_a_cell_with_two_states_can_be_set() -> None:
    assert edited(HEAD + "state live\nstate stale\n", "conf", "low") == HEAD + "state live\nstate stale   conf low\n"


class TestTransitions:
    """The protocol's table, both ways."""

    @pytest.mark.parametrize("now", STATES)
    @pytest.mark.parametrize("then", STATES)
    def test_the_table(self, now: str, then: str) -> None:
        cell = parse(f"{HEAD}state {now}\n").cells[0]
        if then == now or then in TRANSITIONS[now]:
            check_transition(cell, then)
            return
        with pytest.raises(IllegalTransition) as caught:
            check_transition(cell, then)
        said = caught.value.message + caught.value.hint
        assert all(state in said for state in TRANSITIONS[now])
        assert TRANSITIONS[now] or 'mneme add DEC "…" --link relates=DEC-0001' in said

    @pytest.mark.parametrize(("line", "says"), [("state alive\n", "unknown state 'alive'"), ("", "has no state")])
    def test_nothing_follows_from_what_is_no_state(self, line: str, says: str) -> None:
        with pytest.raises(IllegalTransition, match=says):
            check_transition(parse(HEAD + line).cells[0], "retired")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@ A-1\n", "@ A-1\nlink  relates B-2\n"),
        ("@ A-1", "@ A-1\nlink  relates B-2"),
        ("@ A-1\r\ncue x\r\n\r\n", "@ A-1\r\ncue x\r\nlink  relates B-2\r\n\r\n"),
        (
            "@ A-1\ncue x\n\n# mneme: ignore[x]\n@ C-3\n",
            "@ A-1\ncue x\nlink  relates B-2\n\n# mneme: ignore[x]\n@ C-3\n",
        ),
        ("@ A-1\ncue x\r", "@ A-1\ncue x\r\r\nlink  relates B-2"),
        ("@ A-1\nlink relates B-2 weight 0.5\n", "@ A-1\nlink relates B-2 weight 0.5\n"),
    ],
    ids=["last", "no line end", "crlf", "before comments", "lone cr", "there already"],
)
def test_a_link_goes_to_the_end_of_its_cell(before: str, after: str) -> None:
    document = parse(before)
    assert perform(document, add_link(document.placed[0], Link("relates", "B-2"))).text == after


def test_a_link_with_attributes_may_stand_beside_one_without() -> None:
    document = parse("@ A-1\nlink relates B-2\n")
    entity = Link("relates", "B-2", (("weight", "0.8"), ("edge", "entity")))
    after = perform(document, add_link(document.placed[0], entity))
    assert after.text == "@ A-1\nlink relates B-2\nlink  relates B-2 weight 0.8 edge entity\n"
    assert add_link(after.placed[0], entity._replace(attributes=(("weight", "0.1"), ("edge", "entity")))) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("link relates B-2", "link relates B-2 weight 0.80"),
        ("link  blocks C-3\nlink  relates B-2 # why\n", "link  blocks C-3\nlink  relates B-2 weight 0.80 # why\n"),
        ("link relates B-2 edge entity weight  0.5\n", "link relates B-2 edge entity weight  0.80\n"),
        ("link relates B-2 edge entity\n", "link relates B-2 weight 0.80 edge entity\n"),
        ("link\trelates\u3000B-2\tby weight\r\n", "link\trelates\u3000B-2 weight 0.80\tby weight\r\n"),
    ],
    ids=["none yet", "comment", "there", "before others", "a value called so"],
)
def test_the_weight_of_a_link(before: str, after: str) -> None:
    document = parse(f"@ A-1\n{before}")
    (place,) = document.placed
    patches = set_weight(place, place.cell.links[-1], "0.80")
    assert perform(document, patches).text == f"@ A-1\n{after}"
    with pytest.raises(EditError, match="not one token"):
        set_weight(place, place.cell.links[-1], "0 80")


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("@ A-1", "@ A-1"), ("@ A-1\n\n \n#c\n", "@ A-1\n"), ("@ A-1\n#c\n> x\n#d", "@ A-1\n#c\n> x\n"),
        ("@ A-1\r\n\r\n", "@ A-1\r\n"), ("@ A-1\n\r", "@ A-1\n\r"), ("@ A-1\n\u3000\n", "@ A-1\n"),
        ("@ A-1\nprose\n\n", "@ A-1\nprose\n"),
    ],
)  # fmt: skip
def test_content_ends_before_trailing_blanks_and_comments(text: str, end: str) -> None:
    assert text[: end_of_content(parse(text).cells[0])] == end


@pytest.mark.parametrize(
    ("before", "gap"),
    [
        ("", ""), ("\ufeff", ""), ("@ A-1\n", "\n"), ("@ A-1", "\n\n"), ("@ A-1\n\n", ""), ("@ A-1\n\n\n", ""),
        ("@ A-1\r\n", "\r\n"), ("@ A-1\r\ngist x", "\r\n\r\n"), ("# c\n", "\n"), ("@ A-1\n  ", "\n"),
        ("@ A-1\ncue x\r", "\r\n\n"), ("\n", ""), ("\ufeff\n", ""), ("\ufeff# c", "\n\n"),
    ],
)  # fmt: skip
def test_a_new_cell_stands_apart(before: str, gap: str) -> None:
    document = parse(before)
    newline = "\r\n" if "\r\n" in before else "\n"
    rendered = "@ B-2\ngist  Two\n"
    after = perform(document, append_cell(document, rendered)).text
    assert after == before + gap + rendered.replace("\n", newline)


def test_the_line_end_is_that_of_the_neighbours() -> None:
    text = "a\r\nb\nc"
    assert newline_of(text) == "\n"
    assert newline_of(text, 3) == "\r\n"
    assert newline_of(text, 1) == "\r\n"
    assert newline_of("") == "\n"
    assert newline_of("\na") == "\n"


@pytest.mark.parametrize(
    "patch",
    [
        Patch(7, 8, "2"), Patch(0, 0, "stray\n"), Patch(0, 10, ""), Patch(16, 17, "x"), Patch(11, 11, "> more\n"),
        Patch(24, 31, "relates B-3"),
    ],
    ids=["id", "text before", "a cell gone", "gist", "body", "link re-aimed"],
)  # fmt: skip
def test_an_edit_that_changes_more_is_refused(patch: Patch) -> None:
    document = parse("@ DEC-01\ngist  One\nlink  blocks B-2\n")
    with pytest.raises(EditError, match="would change more than it should; nothing was written"):
        perform(document, [patch])
