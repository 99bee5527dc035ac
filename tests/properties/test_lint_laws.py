"""Laws of linting and fixing, for any text."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.config import Config
from mneme.format.digest import content_digest
from mneme.format.parser import parse
from mneme.lint.engine import Report
from mneme.lint.report import REPORTERS
from mneme.lint.rule import Severity
from mneme.lint.session import Session
from mneme.workspace import Workspace
from tests.conftest import TODAY

HEADS = st.sampled_from([
    "@ DEC-0001  a/b", "@ DEC-0002  a/b", "@DEC-0003", "@ DEC-1 a/b", "@ dec-0001", "@ DEC\u20110001 x y", "@", "@ x",
    "\uff20 DEC-0004  a/b", "\uff20DEC-0005", " @ DEC-0006", "\ufeff@ DEC-0007", "@\u00a0DEC-0008 a # note", "",
])  # fmt: skip
LINES = st.sampled_from([
    "gist  One thing holds", "Gist: one thing holds", "gits one", "gist", "gist  One   # note", "gist\u3000One",
    "state live   conf high   since 2026-11-01   seen 2026-11-20", "State: Live  Conf: medium  Since: 20261101",
    "state live,  seen 2026-11-1  # was stale", "state superseded", "seen 2026/10/01", "seen", "conf HIGH extra words",
    "  state stale  since 2026-12-30", "imp 9", "state live imp 7 hot No", "cue   a / b", "Cue\uff1a c", "  cue d",
    "> body", "\uff1e body", "  > body", "  # note", "\uff03 note", "# mneme: ignore[no-cue]", "# note", "",
    "link  relates DEC-0001", "link supersedes DEC-0002 # x", "Link: superseded-by DEC-0001", "link", "link relates",
    "link relates DEC\u200b-0001", "link b\u202ead DEC-0001", "state li\u200bve",
    "conf h\ufeffigh", "since 2026\u200b-11-01", "# mneme: ignore[no\u200bcue, key-slip]",
    "# mneme: ignore-file[\u2028]",
    "\u00a0link\u00a0relates\u00a0DEC-0002", "ref  src/a.py state", "origin by=me seen", "prose without a mark",
    "<<<<<<< a", "=======", ">>>>>>> b", "Seen it all", "zero\u200bwidth",
])  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r\r\n"])
LINE = st.one_of(HEADS, LINES, LINES, LINES, st.text(max_size=12))
MEMORIES = st.one_of(
    st.text(),
    st.builds(
        lambda bom, lines, last: bom + "".join([line + end for line, end in lines]) + last,
        st.sampled_from(["", "", "\ufeff"]), st.lists(st.tuples(LINE, ENDS), max_size=16), st.one_of(st.just(""), LINE),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Session:
    return Session.open(Workspace(Path("/nowhere"), Config()), date.fromisoformat(TODAY), select=["ALL"])


def errors(report: Report) -> Counter[str]:
    return Counter(finding.code for finding in report.findings if finding.severity is Severity.ERROR)


@settings(max_examples=150, deadline=None)
@given(text=MEMORIES)
def test_lint_answers_any_text_and_every_place_is_in_it(session: Session, text: str) -> None:
    document = parse(text, name="project.mneme")
    report = session.lint([document])
    for finding in report.findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.message.isprintable(), finding
        assert finding.hint.isprintable(), finding
    for reporter in REPORTERS.values():
        assert isinstance(reporter(report, False), str)
    assert [finding._replace(document=None) for finding in session.lint([document]).findings] == [
        finding._replace(document=None) for finding in report.findings
    ]


@pytest.mark.parametrize("unsafe", [False, True])
@settings(max_examples=150, deadline=None)
@given(text=MEMORIES)
def test_fixes_are_idempotent_add_no_error_and_keep_content(session: Session, unsafe: bool, text: str) -> None:
    document = parse(text, name="project.mneme")
    before = session.lint([document])
    fixed = session.fix(before, unsafe=unsafe).documents
    after = session.lint(fixed)
    assert session.fix(after, unsafe=unsafe).documents[0].text == fixed[0].text
    assert not errors(after) - errors(before)
    repairs = [finding for finding in before.findings if finding.fix and finding.fix.repairs]
    repaired = {place.start for finding in repairs if (place := document.cell_at(finding.start))}
    kept = [content_digest(cell) for cell, _, start in document.placed if start not in repaired]
    left = iter([content_digest(cell) for cell in fixed[0].cells])
    assert all(digest in left for digest in kept)
