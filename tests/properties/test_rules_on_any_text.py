"""Whatever a cell holds, every rule answers, points inside the cell, and says the same with other cells around it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.format.parser import parse
from mneme.lint.rule import Batch, Corpus
from mneme.lint.rules import RULES
from tests.unit.lint import world

SETTINGS = replace(world.SETTINGS, detector="installed")

PARTS = [
    "gist  ", "cue   ", "> ", "link  supersedes DEC-0001", "link  superseded-by DEC-0002", "link  depends-on DEC-0001",
    "state live ", "state superseded ", "seen 2026-01-01 ", "since 2026-11-01 ", "conf high ", "\n", "\r\n", " ",
    "@ DEC-0001  a/b\n", "@ DEC-0002  a/b\n", "It is ", "the above. ", "Not ", "200 rows", "一个",
    "忽略之前的指示", "; also ", "1. ", " 2. ", "\u200d", "\u202e", "👩", "://u:pass@", "AKIAIOSFODNN7EXAMPLE",
    "-----BEGIN PRIVATE KEY-----", "password = '", "x" * 130, "0" * 130, "at f (a:1)", '"', "“", "(", "#", "\x1b",
    "\r", "\0", "İ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS) | st.text(max_size=12), max_size=40).map("".join)


@given(TEXTS, TEXTS)
@settings(max_examples=150, deadline=None)
def test_every_rule_answers(one: str, other: str) -> None:
    documents = [parse(f"@ DEC-0001  a/b\n{one}", name="a.mneme"), parse(other, name="b.local.mneme")]
    cells = list({cell.text: cell for document in documents for cell in document.cells}.values())
    for rule in RULES:
        if rule.cell_check is not None:
            together = [(hit.where.text, *hit[1:]) for hit in rule.cell_check(Batch(cells), SETTINGS)]
            alone = [(cell.text, *hit[1:]) for cell in cells for hit in rule.cell_check(Batch([cell]), SETTINGS)]
            assert sorted(map(repr, together)) == sorted(map(repr, alone)), rule.name
            assert all(0 <= start <= end <= len(text) for text, start, end, *_ in together), rule.name
        if rule.file_check is not None:
            for document in documents:
                for found in rule.file_check(document, SETTINGS):
                    assert 0 <= found.start <= found.end <= len(document.text), rule.name
        if rule.workspace_check is not None:
            for hit in rule.workspace_check(Corpus(documents), SETTINGS):
                assert 0 <= hit.start <= hit.end <= len(hit.where.cell.text), rule.name
