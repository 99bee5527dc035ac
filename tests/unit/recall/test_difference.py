"""How a new text stands to what is there (engine's facts, 3.2 and 3.3, the newest generation of them)."""

from __future__ import annotations

import pytest

from mneme.graph.store import memory_store
from mneme.graph.view import Scope
from mneme.recall.difference import classify, difference, turns
from tests.graphs import MemoryView, insight

CLASSES = {
    "3.2 below a half is new": (0.4999, False, "ADD"),
    "3.2 below a half is new, turned or not": (0.4999, True, "ADD"),
    "3.2 from a half on an update": (0.5, False, "UPDATE"),
    "3.2 turned, and not near enough for a conflict": (0.6999, True, "UPDATE"),
    "3.2 turned, from 0.7 on": (0.7, True, "CONFLICT"),
    "3.2 not turned": (0.7, False, "UPDATE"),
    "3.2 0.9 is still an update": (0.9, False, "UPDATE"),
    "3.2 above 0.9 the same": (0.9001, False, "DUPLICATE"),
    "3.2 a conflict comes before the same": (1.0, True, "CONFLICT"),
}


@pytest.mark.parametrize("check", CLASSES)
def test_classes(check: str) -> None:
    similarity, turned, kind = CLASSES[check]
    assert classify(similarity, turned=turned) == kind


TURNS = {
    "3.2 no longer": ("we use tabs", "we no longer use tabs", True),
    "3.2 don't": ("use tabs", "don't use tabs", True),
    "3.2 doesn't, with a curly apostrophe": ("it scales", "it doesn’t scale", True),
    "3.2 never": ("retry", "never retry", True),
    "3.2 switched from": ("redis", "switched from redis", True),
    "3.2 instead of": ("json", "sqlite instead of json", True),
    "3.2 rather than": ("json", "sqlite rather than json", True),
    "3.2 replaced": ("json is used", "json was replaced", True),
    "3.2 deprecated": ("the api", "the api is Deprecated", True),
    "3.2 不再": ("使用缓存", "不再使用缓存", True),
    "3.2 放弃": ("使用缓存", "放弃缓存", True),
    "3.2 替换": ("使用缓存", "缓存被替换", True),
    "3.2 取消": ("使用缓存", "取消缓存", True),
    "3.2 a plain not, newest": ("the cache is shared", "the cache is not shared", True),
    "3.2 cannot, newest": ("tokens can be revoked", "tokens cannot be revoked", True),
    "3.2 a word boundary, newest": ("a note on knots", "a nota on nevermore", False),
    "3.2 不": ("使用缓存", "不使用缓存", True),
    "3.2 不同 denies nothing": ("相同", "不同", False),
    "11.3 what both deny": ("do not use tabs", "don't use tabs", False),
    "11.3 what both gave up": ("a instead of b", "c instead of b", False),
    "11.3 one denial more": ("it ends, tokens cannot live on", "it does not end, tokens cannot live on", True),
    "3.2 nothing is denied": ("use tabs", "use tabs everywhere", False),
}


@pytest.mark.parametrize("check", TURNS)
def test_who_denies(check: str) -> None:
    one, other, turned = TURNS[check]
    assert turns(one, other) is turns(other, one) is turned


THERE = [
    insight("A", "alpha beta gamma delta"),
    insight("B", "alpha beta gamma delta epsilon zeta", 1),
    insight("C", "omega", 2),
    insight("D", "alpha beta gamma delta", 3, deleted_at="2026-11-02T00:00:00Z"),
]
DIFFERENCES = {
    "3.2 nothing in common": ("unheard of", "ADD", []),
    "3.2 nothing said": ("the a of", "ADD", []),
    "3.2 the most similar decides": ("alpha beta gamma delta epsilon zeta eta", "UPDATE", [("B", 6 / 7), ("A", 4 / 7)]),
    "3.2 any duplicate decides": ("Alpha, beta gamma: delta", "DUPLICATE", [("A", 1.0), ("B", 4 / 6)]),
    "3.2 a near duplicate that denies": ("never alpha beta gamma delta", "CONFLICT", [("A", 4 / 5), ("B", 4 / 7)]),
    "3.2 too far is no match": ("alpha one two three", "ADD", []),
    "5.3 stop words do not count": ("The alpha, the beta; gamma is DELTA", "DUPLICATE", [("A", 1.0), ("B", 4 / 6)]),
}


@pytest.mark.parametrize("check", DIFFERENCES)
def test_difference(check: str) -> None:
    text, suggestion, matches = DIFFERENCES[check]
    found = difference(MemoryView(THERE, scope=Scope(every_state=True)), text)
    assert found.suggestion == suggestion
    assert [(match.insight.id, pytest.approx(match.similarity)) for match in found.matches] == matches


def test_a_first_line_that_begins_the_rest_is_not_said_twice() -> None:
    """3.2: a cell of a long text has its first clause as gist; one denial in it stays one."""
    text = "We do not page. " + "Rows are read by many workers at once, each takes one. " * 3
    there = [insight("A", f"We do not page.\n{text}"), insight("B", f"Title\n{text}", 1)]
    found = difference(MemoryView(there), text)
    assert (found.suggestion, found.matches[0].insight.id, found.matches[0].kind) == ("DUPLICATE", "A", "DUPLICATE")


def test_the_five_that_share_most_are_compared_whatever_was_deleted() -> None:
    """3.2: the top five, of the active ones alone; 5.2 orders them."""
    gone = [insight(f"G{n}", "alpha beta", n, deleted_at="2026-11-02T00:00:00Z") for n in range(40)]
    there = [insight(f"A{n}", "alpha beta", importance=1 + n % 5) for n in range(8)]
    with memory_store() as store:
        with store.transaction():
            store.put_insights([*gone, *there])
        found = difference(store.view(Scope(every_state=True)), "alpha beta", without=("A4",))
    assert [match.insight.id for match in found.matches] == ["A3", "A2", "A7", "A1", "A6"]
