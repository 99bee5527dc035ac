"""The law of adding: the cell reads back as it was given and the linter has no error for it, or it is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.config import Config
from mneme.errors import UsageError
from mneme.format.parser import parse
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Severity
from mneme.lint.session import Session
from mneme.memory.draft import Draft, Target
from mneme.memory.new_cell import Given, append_new
from mneme.workspace import Workspace

TODAY = date(2026, 11, 25)
WORKSPACE = Workspace(Path("/nowhere"), Config())
SESSION = Session.open(WORKSPACE, TODAY)

GOOD = st.sampled_from(["#42", " # ", "@ ", "gist ", "> ", "/", " / ", ",", "state", "link", "缓存", "C#", "a b", "x"])
ODD = st.sampled_from([
    "state", "live", "#", " # ", "@ ", "gist ", "> ", "/", " / ", ",", "\n", "\r", "\r\n", "\t", "\u3000", "\u200b",
    "\u2028", "\x00", "\ufeff", "<<<<<<< ", "=======", "DEC-0001", "link", "缓存", "%20", "2026-06-03", "", " ",
    "\udc80",
])  # fmt: skip
PLAIN = st.lists(GOOD, min_size=1, max_size=5).map("".join)
TOKEN = st.lists(st.sampled_from(["a", "/", "b#", "state", "@", ">", "缓存", ","]), min_size=1, max_size=4).map("".join)
WILD = st.one_of(st.text(max_size=20), st.lists(st.one_of(ODD, st.text(max_size=3)), max_size=6).map("".join))


def mostly(usual: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.integers(0, 9).flatmap(lambda number: usual if number else WILD)


VALUES = st.builds(
    Given,
    gist=mostly(PLAIN),
    topic=st.one_of(st.none(), mostly(TOKEN)),
    cues=st.lists(mostly(PLAIN), max_size=3).map(tuple),
    body=st.lists(mostly(PLAIN), max_size=3).map(tuple),
    state=st.sampled_from(["live", "proposed", "stale", "retired"]),
    conf=st.sampled_from(["high", "med", "low", "low", "sure"]),
    imp=st.sampled_from(["", "1", "5", "6"]),
    links=st.sampled_from([(), ("relates=DEC-0001", "x=FACT-1"), ("relates=dec-1",), ("relates=DEC-0001",) * 2]),
    refs=st.lists(mostly(TOKEN), max_size=2).map(tuple),
)
BEFORE = st.sampled_from(["", "# head\n", "\ufeff@ FACT-0001\r\ngist x\r\nstate live since 2026-01-01 seen 2026-11-20"])


@settings(max_examples=500, deadline=None)
@given(VALUES, BEFORE)
def test_what_is_added_is_sound(values: Given, before: str) -> None:
    target = Target(Path("/nowhere/project.mneme"), None, parse(before, name="project.mneme"), personal=False)
    draft = Draft(WORKSPACE, [target], [])
    try:
        new, _ = append_new(draft, target, "DEC", values, TODAY)
    except UsageError:
        assert not draft.changes()
        return
    after = draft.after(target)
    cell = after.cells[-1]
    assert (cell.id, cell.gist, cell.topic) == (new.id, values.gist.strip(BLANKS), values.topic or "")
    assert cell.body == tuple(line.rstrip(BLANKS) for line in values.body)
    assert cell.status.refs == values.refs
    assert [link.target for link in cell.links] == [text.partition("=")[2] for text in dict.fromkeys(values.links)]
    assert new.id not in {link.target for link in cell.links}
    assert after.text.startswith(before)
    after.text.encode("utf-8")
    findings = SESSION.lint([after]).findings
    assert not [finding for finding in findings if finding.severity is Severity.ERROR and finding.cell_id == new.id]
