"""Which entities a text names, and which an insight has in the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme.errors import UsageError
from mneme.graph.entities import MODES, extract, fold, mentions, resolve
from mneme.graph.names import DICTIONARY, NO_ENTITIES
from tests.unit.graph.tables import checks, table

GROUPS = table("entities")["dictionary"]["groups"]
SHOUTED = table("entities")["no_entities"]["words"].split()


@pytest.mark.parametrize("check", checks("entities", "extract"))
def test_a_text_names_these_entities(check: dict[str, Any]) -> None:
    known = frozenset(check["known"]) if "known" in check else None
    assert extract(check["text"], known) == check["entities"]
    if known is not None:
        assert extract(check["text"], known.__contains__) == check["entities"]


@pytest.mark.parametrize("group", GROUPS)
def test_group_of_the_dictionary_4_2(group: str) -> None:
    size, names = GROUPS[group]
    assert len(names.split()) == size
    for name in names.split():
        assert extract(f"we use {name} today") == [name]


def test_the_dictionary_is_whole_4_2() -> None:
    assert {name for _, names in GROUPS.values() for name in names.split()} == DICTIONARY
    assert len(DICTIONARY) == table("entities")["dictionary"]["size"]


@pytest.mark.parametrize("word", SHOUTED)
def test_a_shouted_word_is_no_acronym_4_3(word: str) -> None:
    assert extract(f"{word} XYZ") == ["XYZ"]


def test_the_list_of_what_is_no_acronym_is_whole_4_3() -> None:
    assert set(SHOUTED) == NO_ENTITIES
    assert len(NO_ENTITIES) == table("entities")["no_entities"]["size"]


@pytest.mark.parametrize("check", checks("entities", "mode"))
def test_the_mode_decides_what_an_insight_has(check: dict[str, Any]) -> None:
    assert resolve(check["mode"], check["provided"], check["extracted"]) == check["entities"]


def test_any_other_mode_is_an_error_4_4() -> None:
    with pytest.raises(UsageError, match="mode 'all'") as problem:
        resolve("all", [], [])
    assert all(mode in problem.value.hint for mode in MODES)


def test_names_are_compared_without_case_width_and_composition() -> None:
    assert fold("SQLite") == fold("ＳＱＬＩＴＥ") == "sqlite"
    assert fold("Cafe\u0301") == fold("CAFÉ")


TEXTS = st.text(st.sampled_from("aB1 .-/_@《》「」：知识しガ끝ขอ้é\n"))


@given(TEXTS)
def test_entities_and_mentions_are_pieces_of_the_text_each_once(text: str) -> None:
    for found in (extract(text), mentions(text)):
        assert len(found) == len(set(found))
        assert all(name and name in text for name in found)


@given(TEXTS)
def test_known_names_only_add_to_what_is_found(text: str) -> None:
    plain = extract(text)
    everything = extract(text, lambda _: True)
    assert everything[: len(plain)] == plain
    assert set(everything) == {*plain, *mentions(text)}
    assert extract(text, lambda _: False) == plain
