"""New text: it reads back as it was given, or is refused with a word on what to do. The law is in properties/."""

from __future__ import annotations

from typing import Any

import pytest

from mneme.errors import UsageError
from mneme.format import render as module
from mneme.format.model import Link
from mneme.format.parser import parse
from mneme.format.render import NewCell, check_sound, render

GOOD = NewCell("DEC-0001", "A gist", since="2026-06-03", seen="2026-06-03")


def test_every_part_in_its_place() -> None:
    cell = GOOD._replace(
        topic="storage/cache", cues=("slow queries", "CI/CD"), body=("Why.", "", "  indented"), imp="4", state="stale",
        conf="low", refs=("src/cache.py", "src/db.py:open"), origin=("by=me",),
        links=(Link("supersedes", "DEC-0000"), Link("relates", "FACT-1", (("weight", "0.80"),))),
    )  # fmt: skip
    assert render(cell) == (
        "@ DEC-0001  storage/cache\n"
        "gist  A gist\n"
        "state stale   conf low   since 2026-06-03   seen 2026-06-03   imp 4\n"
        "cue   slow queries / CI/CD\n"
        "> Why.\n"
        ">\n"
        ">   indented\n"
        "ref   src/cache.py src/db.py:open\n"
        "origin by=me\n"
        "link  supersedes DEC-0000\n"
        "link  relates FACT-1 weight 0.80\n"
    )
    assert render(cell, "\r\n") == render(cell).replace("\n", "\r\n")


@pytest.mark.parametrize(
    "values",
    [
        {"gist": "use C# and fix #42"}, {"gist": "# not a comment"}, {"gist": "state retired   seen never"},
        {"gist": "@ DEC-0009"}, {"gist": "tab\there"}, {"gist": "缓存使用 SQLite"}, {"gist": ">>>>>>> theirs"},
        {"cues": ("CI/CD",)}, {"cues": ("/etc/hosts", "a/")}, {"cues": ("C#", "#1")},
        {"body": ("> quoted", "@ DEC-0009", "# head", "<<<<<<< ours", "\tx")}, {"refs": ("#x", "a#b", "a:b")},
        {"topic": "a#b"},
    ],
    ids=str,
)  # fmt: skip
def test_text_that_looks_like_syntax_reads_back(values: dict[str, Any]) -> None:
    given = GOOD._replace(**values)
    check_sound(given)
    (cell,) = parse(render(given)).cells
    assert (cell.gist, cell.topic, cell.cues, cell.body) == (given.gist, given.topic, given.cues, given.body)
    assert cell.status.refs == given.refs
    assert not cell.oddities


def test_blanks_at_the_ends_of_a_value_are_no_part_of_it() -> None:
    (cell,) = parse(render(GOOD._replace(gist=" A gist\u3000", cues=(" a ",), body=(" b ",)))).cells
    assert (cell.gist, cell.cues, cell.body) == ("A gist", ("a",), (" b",))


@pytest.mark.parametrize(
    ("values", "message", "hint"),
    [
        ({"id": "dec-1"}, "no cell ID", "PREFIX-NUMBER"),
        ({"gist": "one\ntwo"}, "the gist has a line break", "--body"),
        ({"gist": " \u3000"}, "the gist is empty", "in one line"),
        ({"gist": "a\0b"}, "not valid UTF-8", "encoding"),
        ({"body": ("\udcff",)}, "the body is not valid UTF-8", "encoding"),
        ({"topic": "two words"}, "not one word", "path/of/words"),
        ({"topic": "#x"}, "not one word", "path/of/words"),
        ({"cues": ("a, b",)}, "would not read back as one cue", "--cue"),
        ({"cues": ("a / b",)}, "would not read back as one cue", "--cue"),
        ({"cues": ("a、b",)}, "would not read back as one cue", "--cue"),
        ({"cues": ("/",)}, "would not read back as one cue", "--cue"),
        ({"cues": (" ",)}, "would not read back as one cue", "--cue"),
        ({"refs": ("my file.py",)}, "the reference 'my file.py' is not one word", "my?file.py"),
        ({"refs": ("",)}, "not one word", "my?file.py"),
        ({"origin": ("a b",)}, "not one word", "%20"),
        ({"links": (Link("", "DEC-1"),)}, "the link '' is not one word", "REL=ID"),
        ({"links": (Link("a", "#1"),)}, "the link '#1' is not one word", "REL=ID"),
        ({"links": (Link("a", "DEC-1", (("k", "v w"),)),)}, "not one word", "REL=ID"),
        ({"state": "alive"}, "state 'alive'", "proposed, live"),
        ({"conf": "medium"}, "conf 'medium'", "high, med, low"),
        ({"imp": "6"}, "imp '6'", "1, 2, 3, 4, 5"),
        ({"since": "2026-6-3"}, "since '2026-6-3' is no date", "YYYY-MM-DD"),
        ({"seen": "2026-02-30"}, "seen '2026-02-30' is no date", "YYYY-MM-DD"),
    ],
)  # fmt: skip
def test_what_would_not_read_back_is_refused_with_advice(values: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        render(GOOD._replace(**values))
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"gist": "red \x1b[31m"}, "the gist holds the control character U+001B"),
        ({"gist": "carriage\rreturn"}, "U+000D"),
        ({"topic": "a\u2028b"}, "the topic holds the control character U+2028"),
        ({"cues": ("a\x85",)}, "the cue holds the control character U+0085"),
        ({"body": ("\x0c",)}, "the body holds the control character U+000C"),
        ({"links": (Link("a\x07", "DEC-1"),)}, "the link holds the control character U+0007"),
        ({"gist": "\u200b\u200d"}, "the gist is empty"),
        ({"refs": ("state",)}, "the reference 'state' is a key of the format"),
        ({"origin": ("link",)}, "the origin 'link' is a key of the format"),
        ({"seen": "2026-06-02"}, "seen 2026-06-02 is before since 2026-06-03"),
    ],
)
def test_what_the_linter_or_another_reader_would_trip_over_is_refused(values: dict[str, Any], message: str) -> None:
    given = GOOD._replace(**values)
    with pytest.raises(UsageError) as caught:
        check_sound(given)
    assert message in caught.value.message


def test_what_no_check_foresaw_is_refused_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("@ DEC-0001\ngist  Another gist\n", "", "stray\n@ DEC-0001\ngist  A gist\n"):
        monkeypatch.setattr(module, "parse", lambda _, text=text: parse(text))
        with pytest.raises(UsageError, match="would not read back as it was given"):
            render(GOOD)
