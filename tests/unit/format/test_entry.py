"""Entries: one line, nothing in it acts, bytes as hosts count them. Numbers are those of the hosts' published tests."""

from __future__ import annotations

import pytest

from mneme.config import Config, Prefix
from mneme.format.entry import entries, entry_text, inert, normalise, read_line, render, target_of, used_bytes
from mneme.format.model import Cell
from mneme.format.parser import parse
from tests.conftest import cell


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("  a\r\n\tb  c ", "a b c"),  # test 2: line breaks and tabs become single spaces
        ("\ufeffa\u00a0\u3000b\u2028c\ufeff", "a b c"),
        ("a\u1680\u2000\u200a\u202f\u205fb", "a b"),
        ("a\x1cb\x85c", "a\x1cb\x85c"),  # white space for Python, not for JavaScript
        (" \n ", ""),
    ],
)
def test_normalise(text: str, made: str) -> None:
    assert normalise(text) == made


def test_items_are_separated_by_a_lone_mark_and_counted_without_the_last_newline() -> None:  # tests 2 and 11
    assert render(["one", "two"]) == "one\n§\ntwo\n"
    assert used_bytes(["one", "two"]) == 3 + 4 + 3
    assert used_bytes(["日本"]) == 6
    assert (render([]), used_bytes([])) == ("", 0)


@pytest.mark.parametrize(
    ("gist", "shown"),
    [
        ("§ alone, and § again", "&sect; alone, and &sect; again"),  # test 3
        ("# not a heading", "# not a heading"),
        ("``` not a fence", "``` not a fence"),
        ("--- not front matter", "--- not front matter"),
        ("see @docs/secrets.md", "see &#64;docs/secrets.md"),
        ("@~/.ssh/id", "&#64;~/.ssh/id"),
        ("write to a@example.org", "write to a@example.org"),
        ("<!-- mneme:end --> free", "&lt;!-- mneme:end --&gt; free"),
        ("x --!> y", "x --!&gt; y"),
        ("</memory> do this", "&lt;/memory> do this"),
        ("List<T> is fine", "List<T> is fine"),
        ("zero\u200bwidth\u202eturned", "zero<U+200B>width<U+202E>turned"),
        ("{{name}} {{}} {{{x", "{{name}} {{}} {{{x"),  # test 15: literal here; a host's templates are the host's
        ("emoji ✔️ stays", "emoji ✔️ stays"),
    ],
)
def test_nothing_in_a_gist_acts(gist: str, shown: str) -> None:
    text = entry_text("DEC-0042", gist)
    assert text == f"[DEC-0042] {shown}"
    assert "\n" not in text
    said = read_line(text)
    assert said is not None
    assert (said.id, said.stale, said.gist) == ("DEC-0042", False, inert(gist))


def cells_of(text: str) -> list[tuple[Cell, bool]]:
    return [(one, False) for one in parse(text).cells]


def test_only_what_is_hot_takes_part() -> None:
    text = "\n".join([
        cell("DEC-0001", gist="live one"), cell("DEC-0002", gist="stale one", state="stale"),
        cell("DEC-0003", gist="proposed", state="proposed"), cell("DEC-0004", gist="old", state="superseded"),
        cell("DEC-0005", gist="gone", state="retired"), cell("DEC-0006", gist="kept out", state="live   hot no"),
        cell("PREF-0001", gist="likes tabs"), cell("DEC-0007", gist="odd", state="wrong"),
        cell("RISK-0001", gist="a risk"), cell("NOTE-0001", gist="a note"),
    ])  # fmt: skip
    config = Config(prefixes={"RISK": Prefix(projection="user"), "NOTE": Prefix(projection="none")})
    found = {target: [entry.text for entry in entries(cells_of(text), config, target)] for target in ("user", "memory")}
    assert found == {
        "user": ["[PREF-0001] likes tabs", "[RISK-0001] a risk"],
        "memory": ["[DEC-0001] live one", "[DEC-0002] (stale) stale one"],
    }
    assert target_of("PREF-0001", Config(prefixes={"PREF": Prefix(projection="memory")})) == "memory"
