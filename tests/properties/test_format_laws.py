"""Laws of the format: what is written reads back, layout says nothing, and both ways of reading a line agree."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.errors import UsageError
from mneme.format.cues import split_cues
from mneme.format.digest import anonymous_digest, content_digest
from mneme.format.grammar import the_grammar
from mneme.format.lines import CellReader, strict_cell
from mneme.format.model import Cell, Link
from mneme.format.parser import parse, parse_cell
from mneme.format.render import NewCell, render
from mneme.format.vocabulary import BLANKS, CONFIDENCES, STATES

# Characters that a value may hold and that other programs take for blanks, line ends or syntax.
CHARS = st.one_of(
    st.sampled_from("abz09-_.:=%@#>/,é漢か한😀\u2028\u0085\x0c\x1f\u0301"),
    st.characters(exclude_categories=("Cs", "Zs", "Cc")),
)
TOKENS = st.text(CHARS, min_size=1, max_size=8).filter(lambda token: not token.startswith("#"))
WORDS = st.text(CHARS, min_size=1, max_size=8)
LINES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
CUES = st.lists(
    LINES.map(lambda text: "".join(char for char in text if char not in "/,\uff0c\u3001").strip(BLANKS)).filter(bool),
    max_size=4,
)
IDS = st.from_regex(r"[A-Z][A-Z0-9]{0,5}-([0-9]{1,6}|[a-z0-9]{8})", fullmatch=True)
DATES = st.dates(min_value=date(1000, 1, 1)).map(str)
LINKS = st.builds(Link, TOKENS, IDS, st.lists(st.tuples(TOKENS, TOKENS), max_size=2).map(tuple))
NEW_CELLS = st.builds(
    NewCell,
    id=IDS,
    gist=LINES,
    topic=st.one_of(st.just(""), TOKENS),
    cues=CUES.map(tuple),
    body=st.lists(st.one_of(st.just(""), LINES, LINES.map("   {}".format)), max_size=3).map(tuple),
    links=st.lists(LINKS, max_size=3).map(tuple),
    refs=st.lists(WORDS, max_size=3).map(tuple),
    origin=st.lists(WORDS, max_size=3).map(tuple),
    state=st.sampled_from(STATES),
    conf=st.sampled_from(CONFIDENCES),
    imp=st.sampled_from(["", "1", "5"]),
    since=DATES,
    seen=DATES,
)


def values(cell: Cell) -> Cell:
    """Return the cell without the text it came from and without what there is to say about its layout."""
    return cell._replace(text="", oddities=())


def spelled(cell: Cell) -> list[tuple[str, str]]:
    """Return the fields with what stands at their places."""
    return [(field.name, cell.text[field.start : field.end]) for field in cell.fields]


@settings(max_examples=300, deadline=None)
@given(NEW_CELLS, st.sampled_from(["\n", "\r\n"]))
def test_what_is_rendered_reads_back(new: NewCell, newline: str) -> None:
    document = parse(render(new, newline))
    assert len(document.cells) == 1
    assert not document.strays
    cell = document.cells[0]
    assert not cell.oddities
    assert (cell.id, cell.topic, cell.gist, cell.since) == (new.id, new.topic, new.gist, new.since)
    assert (cell.cues, cell.body, cell.origin, cell.links) == (new.cues, new.body, new.origin, new.links)
    status = cell.status
    assert (status.state, status.conf, status.seen, status.imp) == (new.state, new.conf, new.seen, new.imp)
    assert status.refs == new.refs


@pytest.mark.parametrize(
    "broken",
    [
        {"gist": " "}, {"gist": "a\nb"}, {"gist": "a\r"}, {"topic": "two words"}, {"topic": "#x"}, {"cues": ("a, b",)},
        {"cues": ("a", "b / c")}, {"body": ("a\n@ DEC-0002",)}, {"id": "dec-1"}, {"state": "alive"}, {"conf": "sure"},
        {"since": "2026-6-3"}, {"refs": ("a b",)}, {"origin": ("a\tb",)}, {"imp": "6"},
    ],
    ids=str,
)  # fmt: skip
def test_what_would_not_read_back_is_refused(broken: dict[str, object]) -> None:
    good = NewCell("DEC-0001", "A gist", since="2026-06-03", seen="2026-06-03")
    assert parse(render(good)).cells[0].gist == "A gist"
    with pytest.raises(UsageError):
        render(good._replace(**broken))  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(NEW_CELLS)
def test_both_readers_agree_on_a_strict_cell(new: NewCell) -> None:
    new = new._replace(links=tuple(Link(*link[:2]) for link in new.links), refs=(), origin=())
    text = render(new)
    grammar = the_grammar()
    matches = list(grammar.line.finditer(text))
    plan = grammar.plan(tuple([match.lastgroup for match in matches]), text)
    reader = CellReader(text)
    reader.read(matches, plan)
    if {"HEADER_ODD", "GIST_ODD", "PAIRS_ODD", "CUE_ODD", "LINK_ODD", "BODY_ODD"}.isdisjoint(plan):
        assert strict_cell(text, matches, plan) == reader.cell()
    assert parse_cell(text) == reader.cell()


def odd(text: str, blank: str, note: str, indent: str) -> str:
    """Return ``text`` with its lines in a form that only the tolerant terminals know."""
    lines = []
    for line in text.split("\n"):
        key, gap, rest = line.partition(" ")
        value = rest.lstrip(" ")
        gap += rest[: len(rest) - len(value)]
        if key == "@":
            lines.append(f"@{gap}{value}{note}")
        elif key in ("state", "link"):
            lines.append(f"{indent}{key}{blank}{value}{note}")
        elif key in ("gist", "cue"):
            lines.append(f"{indent}{key}{blank}{value}{blank}")
        elif key == ">":
            lines.append(f">{blank}{rest}" if rest or gap else line)
        else:
            lines.append(line)
    return "\n".join(lines)


PLAIN_CELLS = st.builds(
    lambda gist, topic, body, cues, link: (
        f"@ DEC-0042{topic}\ngist  {gist}\nstate live   conf high   since 2026-06-03   seen 2026-06-09\n"
        f"cue   {cues}\n{''.join(f'> {line}'.rstrip() + chr(10) for line in body)}link  relates {link}\n"
    ),
    st.text("ab #>@漢é/,", min_size=1, max_size=20).map(lambda text: f"x{text}".rstrip()),
    st.sampled_from(["", "  storage/cache"]),
    st.lists(st.text("ab #>", max_size=8).map(lambda text: f"x{text}".rstrip()), max_size=3),
    st.sampled_from(["a / b", "CI/CD, storage", "a/b", "one"]),
    IDS,
)


@settings(max_examples=200, deadline=None)
@given(
    PLAIN_CELLS,
    st.sampled_from(["\u00a0", "\u3000", "\u2003", " \u00a0", "\t\u202f"]),
    st.sampled_from(["", " # note", "\t#", "\u00a0# state stale"]),
    st.sampled_from(["", " ", "\t", "\u3000"]),
)
def test_strict_and_tolerant_lines_give_equal_values_and_places(text: str, blank: str, note: str, indent: str) -> None:
    strict = parse_cell(text)
    assert not strict.oddities
    one = blank if len(blank) == 1 else "\u00a0"
    tolerant = parse_cell(odd(text, one, note, indent))
    assert values(tolerant) == values(strict)
    assert spelled(tolerant) == spelled(strict)
    assert tolerant.oddities
    assert content_digest(tolerant) == content_digest(strict)


@settings(max_examples=100, deadline=None)
@given(NEW_CELLS, st.data())
def test_a_digest_sees_content_and_nothing_else(new: NewCell, data: st.DataObject) -> None:
    cell = parse(render(new)).cells[0]
    same = new._replace(
        links=(), refs=("a.py",), state=data.draw(st.sampled_from(STATES)), conf="low", seen="2026-11-01", imp="3"
    )
    for layout in (render(same), render(same, "\r\n"), unicodedata.normalize("NFD", render(same))):
        assert content_digest(parse(layout).cells[0]) == content_digest(cell)
    other = parse(render(new._replace(id="ZZZ-9999999"))).cells[0]
    assert anonymous_digest(other) == anonymous_digest(cell)
    assert content_digest(other) != content_digest(cell)
    for name, value in {
        "gist": f"{new.gist}  x", "topic": f"{new.topic}x", "cues": (*new.cues, "x"), "body": (*new.body, "x"),
        "origin": (*new.origin, "x"), "since": "0999-01-01",
    }.items():  # fmt: skip
        changed = parse(render(new._replace(**{name: value}))).cells[0]  # type: ignore[arg-type]
        assert anonymous_digest(changed) != anonymous_digest(cell), name


@given(st.text("ab/, \u00a0\u3000，、", max_size=30))
def test_no_cue_is_empty_or_ends_in_a_blank(text: str) -> None:
    for cue in split_cues(text):
        assert cue
        assert cue == cue.strip(BLANKS)
