"""docs/verbs.md names every key of every receipt."""

from __future__ import annotations

import re

import pytest

from mneme.graph.model import Insight
from mneme.memory.forget import Forgotten
from mneme.memory.link import Linked
from mneme.memory.receipts import forgotten, linked, remembered
from mneme.memory.remember import ADDED, SKIPPED, Remembered
from tests.conftest import ROOT

INSIGHT = Insight("DEC-0001", "x")
RECEIPTS = {
    "remember": (
        remembered(Remembered(ADDED, "x", INSIGHT, "a.mneme", 1)),
        remembered(Remembered(SKIPPED, "x", INSIGHT, "a.mneme", 1, replaced_id="DEC-0002")),
    ),
    "link": (linked(Linked("DEC-0001", "DEC-0002", "causal", 0.5, {}, "added", "a.mneme", 1)),),
    "forget": (forgotten(Forgotten("DEC-0001", "a.mneme", 1)), forgotten(Forgotten("u-1"))),
}


@pytest.mark.parametrize("verb", RECEIPTS)
def test_every_key_is_described(verb: str) -> None:
    text = (ROOT / "docs" / "verbs.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {verb}\n")[2].partition("\n## ")[0]
    table = section[section.index("| key | value |") :]
    described = set(re.findall(r"`(\w+)`", table))
    for receipt in RECEIPTS[verb]:
        assert set(receipt) <= described
