"""What the default ranker answers: the cases of tests/cases/recall/ranking.case, whole stores, and its figures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mneme.graph.view import Scope
from mneme.recall.pins import pinned
from mneme.recall.pipeline import recall
from tests.unit.recall.compiled import cases, compiled


def asked() -> Iterator[tuple[str, str, str, str, bool]]:
    for title, parts in cases("ranking.case"):
        for part, lines in parts.items():
            if part.startswith("asks"):
                for line in lines.strip().splitlines():
                    question, _, wanted = line.partition("  =>  ")
                    yield title, parts["cells"], question, wanted, part == "asks every state"


@pytest.mark.parametrize(("title", "cells", "question", "wanted", "every"), list(asked()))
@pytest.mark.parametrize("backwards", [False, True])
def test_cases(title: str, cells: str, question: str, wanted: str, *, every: bool, backwards: bool) -> None:
    view = compiled(cells, Scope(every_state=every), backwards=backwards)
    found = [hit.id for hit in recall(view, question).hits]
    if wanted == "nothing":
        assert not found, title
        return
    names = wanted.split()
    first = [name for name in names if not name.startswith("-")]
    assert found[: len(first)] == first, title
    assert not {name[1:] for name in names if name.startswith("-")} & set(found), title


RULES = """\
@ PREF-0001  code
gist  Python is formatted by ruff
state live   conf high   since 2026-01-05   seen 2026-11-01

@ PREF-0002  ops
gist  Agents never migrate the production database
state live   conf high   since 2026-01-05   seen 2026-11-02
cue   migrations

@ PREF-0003  ops
gist  Agents deploy everything
state retired   conf high   since 2026-01-05   seen 2026-11-22

@ FACT-0001  ops
gist  The cluster has nine nodes
state live   conf high   since 2026-01-05   seen 2026-11-22
"""


@pytest.mark.parametrize(
    ("questions", "most", "wanted"),
    [
        (["the cluster"], 2, ["PREF-0002", "PREF-0001"]),
        (["the cluster", "ruff"], 2, ["PREF-0001", "PREF-0002"]),
        (["run the migration on production"], 1, ["PREF-0002"]),
        (["nodes"], 0, []),
    ],
)
def test_standing_rules_that_are_pinned(questions: list[str], most: int, wanted: list[str]) -> None:
    assert [hit.id for hit in pinned(compiled(RULES), questions, most)] == wanted


def test_several_questions_have_one_answer() -> None:
    answer = recall(compiled(RULES), ["who may migrate the database", "how many nodes has the cluster", "agents"])
    assert {hit.id: hit.serves for hit in answer.hits} == {"FACT-0001": (1,), "PREF-0002": (0, 2)}


def test_what_a_link_brings_is_attached() -> None:
    cells = next(parts["cells"] for title, parts in cases("ranking.case") if title.startswith("a link brings"))
    answer = recall(compiled(cells), "newsletter", attach=2)
    assert [hit.id for hit in answer.hits] == ["DEC-0001"]
    assert [(one.insight.id, one.relation) for one in answer.hits[0].attached] == [
        ("GOTCHA-0002", "causes (from there)")
    ]


def test_a_hit_says_why_it_is_there() -> None:
    cells = next(parts["cells"] for title, parts in cases("ranking.case") if title.startswith("a link brings"))
    direct, linked = recall(compiled(cells), "the newsletter").hits
    assert (direct.via, direct.words, direct.cue) == ("keyword", ("newsletter",), "newsletter")
    assert (linked.via, linked.cue, linked.path[0].origin) == ("causal", "", "DEC-0001")
    assert linked.path[0].edge[:3] == ("GOTCHA-0002", "DEC-0001", "causal")
