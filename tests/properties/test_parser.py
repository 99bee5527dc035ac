"""The parser takes any text, and keeps every character of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.errors import UnreadableFile
from mneme.format.digest import content_digest
from mneme.format.model import Document
from mneme.format.parser import forget, parse
from mneme.format.spine import spine_line
from mneme.text.source import BOM, decode

PIECES = st.sampled_from([
    "@ ", "@", "DEC-0042", "dec-1", "gist ", "gist", "gist:", "state ", "conf ", "since ", "seen ", "imp ", "hot ",
    "cue ", "link ", "ref ", "origin ", "> ", ">", "# ", "#", "\n", "\n", "\n", "\r\n", "\r", "\u2028", "\f", "\ufeff",
    " ", "\t", "\u00a0", "\u3000", "live", "2026-06-03", "<<<<<<< x", "=======", ">>>>>>> y", "storage/cache",
    "supersedes", "one two three", " / ", ",", "\uff20", "\uff1a", "\x00", "\u0301", "漢字", "😀",
])  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=40).map("".join))


def check(document: Document, text: str) -> None:
    """Every character of ``text`` is in the document once, and every place lies where it says."""
    assert document.text == text
    before = text[: document.starts[0]] if document.starts else text
    assert before + "".join([cell.text for cell in document.cells]) == text
    assert before.removeprefix(BOM).startswith("@ ") is False
    for stray in document.strays:
        assert 0 <= stray.start <= stray.end <= len(before)
    for cell in document.cells:
        assert cell.text.startswith("@")
        for _, line, start, end in cell.fields:
            assert 0 <= line <= start <= end <= len(cell.text)
            assert "\n" not in cell.text[line:end]
        for oddity in cell.oddities:
            assert 0 <= oddity.start <= oddity.end <= len(cell.text)
        assert "\n" not in spine_line(cell)
        assert content_digest(cell).startswith("m1:")


@settings(max_examples=1000, deadline=None)
@given(st.lists(TEXTS, min_size=10, max_size=10))
def test_ten_thousand_texts_parse_and_are_kept(texts: list[str]) -> None:
    for text in texts:
        check(parse(text), text)


EXAMPLE = """\ufeff# Decisions of the storage team
@ DEC-0042  storage/cache
gist  Local cache uses SQLite, 不用 JSON
state live   conf high   since 2026-06-03   seen 2026-06-09   imp 4
cue   concurrent writes / 缓存损坏
> Why: two writers.
>
ref   src/cache.py
origin session=7
link  supersedes DEC-0031  weight 0.80

@ DEC-0031  storage/cache\r
gist  Local cache uses JSON files\r
state superseded   conf med   since 2026-01-03   seen 2026-03-01 # old\r
link  superseded-by DEC-0042"""

INTERESTING = b"\n\r\t @>#/,:-\x00\x0b\x0c\x1b\x1c\x7f\x80\xa0\xc2\xe2\xef\xf0\xff"


def mutations(data: bytes) -> Iterator[bytes]:
    for at in range(len(data) + 1):
        head, tail = data[:at], data[at:]
        for byte in INTERESTING:
            yield head + bytes([byte]) + tail
        if tail:
            yield head + tail[1:]
            yield head + tail[:1] + tail
            for bit in range(8):
                yield head + bytes([tail[0] ^ (1 << bit)]) + tail[1:]


def test_every_byte_level_mutation_of_an_example_parses_or_is_called_unreadable() -> None:
    data = EXAMPLE.encode()
    parsed = 0
    refusals = []
    for mutant in mutations(data):
        try:
            text = decode(mutant, "mutant.mneme")
        except UnreadableFile as error:
            refusals.append((error.line <= mutant.count(b"\n") + 1, "byte offset" in error.reason))
            continue
        parsed += 1
        document = parse(text)
        assert text.encode() == mutant
        check_joined(document, text)
    forget()
    assert parsed > 10 * len(data)
    assert len(refusals) > 5 * len(data)
    assert set(refusals) == {(True, True)}


def check_joined(document: Document, text: str) -> None:
    before = text[: document.starts[0]] if document.starts else text
    assert before + "".join([cell.text for cell in document.cells]) == text


@pytest.mark.parametrize("text", ["", "\ufeff", "\n", "\r\n", "\r", "# only a comment", "@", "@\n@\n@", "@ A-1"])
def test_small_texts(text: str) -> None:
    check(parse(text), text)


def test_equal_cell_text_is_one_object() -> None:
    assert parse(EXAMPLE).cells[0] is parse(f"x\n{EXAMPLE[1:]}").cells[0]
