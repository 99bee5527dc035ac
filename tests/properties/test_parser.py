"""Laws of the parser."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.format.parser import parse

PIECES = st.sampled_from([
    "@ ", "@", "DEC-0042", "dec-1", "gist ", "gist", "gist:", "state ", "conf ", "since ", "seen ", "imp ", "hot ",
    "cue ", "link ", "ref ", "origin ", "> ", ">", "# ", "#", "\n", "\r\n", "\r", "\u2028", "\f", "\ufeff", " ", "\t",
    "\u00a0", "\u3000", "live", "2026-06-03", "<<<<<<< x", "=======", ">>>>>>> y", "storage/cache", "supersedes",
    "one two three", " / ", ",", "\uff20", "\uff1a", "\x00",
])  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=40).map("".join))


@settings(max_examples=500)
@given(TEXTS)
def test_any_text_parses_and_is_kept(text: str) -> None:
    document = parse(text)
    assert document.text == text
    rest = text[: document.starts[0]] if document.starts else text
    assert rest + "".join(cell.text for cell in document.cells) == text
    for cell in document.cells:
        for _, line, start, end in cell.fields:
            assert 0 <= line <= start <= end <= len(cell.text)
