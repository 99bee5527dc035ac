"""What an unrecognised line or word was meant to be."""

from __future__ import annotations

import pytest

from mneme.format.parser import parse
from mneme.format.slips import fits, judge, judge_word


@pytest.mark.parametrize(
    ("line", "rule", "head"),
    [
        ("Gist  One thing", "key-slip", "gist"),
        ("GIST:One thing", "key-slip", "gist"),
        ("gist：One thing", "key-slip", "gist"),
        ("ｇｉｓｔ One thing", "key-slip", "gist"),
        ("gіst One thing", "key-slip", "gist"),  # a Cyrillic letter
        ("\u200bgist  One thing", "key-slip", "gist"),
        ("gits  One thing", "key-slip", "gist"),
        ("Gits  One thing", "unknown-line", "gist"),  # may be prose
        ("Gits: One thing", "key-slip", "gist"),
        ("list of things", "unknown-line", "gist"),
        ("gist:", "unknown-line", "gist"),
        ("State: live", "key-slip", "state"),
        ("Status: Live,", "key-slip", "state"),
        ("State machines drive it", "unknown-line", "state"),
        ("Since 2026-06-03", "key-slip", "since"),
        ("Since then it holds", "unknown-line", "since"),
        ("Confidence: medium", "key-slip", "conf"),
        ("Link: relates DEC-0001", "key-slip", "link"),
        ("Link to the minutes", "unknown-line", "link"),
        ("Ref: minutes", "key-slip", "ref"),
        ("Ref src/a.py", "key-slip", "ref"),
        ("Ref minutes", "unknown-line", "ref"),
        ("Origin by=me", "key-slip", "origin"),
        ("Origin unknown", "unknown-line", "origin"),
        ("The rest is prose", "unknown-line", ""),
        ("- a list item", "unknown-line", ""),
        ("\x0c", "unknown-line", ""),
        ("＠ DEC-0001", "malformed-header", "@"),
        ("＠DEC-0001 a/b", "malformed-header", "@"),
        ("＠dec-0001", "malformed-header", "@"),
        ("＠everybody", "unknown-line", ""),
        ("＞ prose", "full-width-mark", ">"),
        ("  ＃note", "full-width-mark", "#"),
        ("  @ DEC-0001", "malformed-header", "@"),
        ("  @dec-0001", "unknown-line", "@"),
        ("\ufeff@ DEC-0001", "malformed-header", "@"),
        ("  @ home", "unknown-line", ""),
        ("  > prose", "indented-key", ">"),
        ("\t# note", "indented-key", "#"),
        ("@dec-0001", "unknown-line", "@"),
        ("要点：分页上限 200", "key-slip", "gist"),
        ("状态 live", "key-slip", "state"),
        ("状态：生效", "unknown-line", "state"),
        ("线索: 分页", "key-slip", "cue"),
        ("关联：relates DEC-0001", "key-slip", "link"),
        ("要点说明", "unknown-line", ""),
        ("@reviewers", "unknown-line", ""),
    ],
)
def test_lines(line: str, rule: str, head: str) -> None:
    found = judge(line)
    assert (found.rule, found.head) == (rule, head)
    # The parser says the same of a line inside a cell.
    oddity = parse(f"@ DEC-0001\n{line}\n").cells[0].oddities[-1]
    assert (oddity.name, oddity.detail) == (rule, head)


@pytest.mark.parametrize(
    ("word", "following", "key", "length", "taken"),
    [
        ("Conf:", "high", "conf", 5, True),
        ("CONF", "high", "conf", 4, True),
        ("conf:high", "since", "conf", 5, False),
        ("Seen=", "20260603", "seen", 5, True),
        ("cofn", "low", "conf", 4, True),
        ("cofn", "very", "conf", 0, False),
        ("Conf:", "", "conf", 0, False),
        ("Imp", "5", "imp", 3, True),
        ("HOT", "no", "hot", 3, True),
        ("priority", "5", "", 0, False),
    ],
)
def test_words(word: str, following: str, key: str, length: int, taken: bool) -> None:
    assert judge_word(word, following) == (key, length, taken)


def test_a_value_must_fit_its_key() -> None:
    assert fits("seen", "2026-6-3")
    assert not fits("seen", "in production")
    assert fits("link", "supersedes DEC-0001")
    assert fits("link", "replaces DEC-0001")
    assert not fits("link", "supersedes")
    assert not fits("gist", "")
    assert not fits("nonsense", "value")
