"""What the default ranker answers: the cases of tests/cases/recall/ranking.case, whole stores, and its figures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mneme.graph.view import Scope
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
