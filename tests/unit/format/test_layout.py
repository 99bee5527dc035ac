"""Canonical spacing by example. The laws are in properties/."""

from __future__ import annotations

import pytest

from mneme.errors import EditError
from mneme.format import layout as module
from mneme.format.layout import formatted, layout
from mneme.format.parser import parse
from mneme.format.render import NewCell, render
from mneme.text.patch import Patch

SAMPLE = """\
@ DEC-0042  storage/cache
gist  Local cache uses SQLite instead of JSON files
state live   conf high   since 2026-06-03   seen 2026-06-03
cue   concurrent writes / cache corruption / slow queries
> Why, cost, context: free prose, any number of `>` lines.
link  supersedes DEC-0031
"""


def test_the_formats_own_sample_is_canonical() -> None:
    assert layout(parse(SAMPLE)) == []


def test_what_is_rendered_is_canonical() -> None:
    cell = NewCell(
        "DEC-0001", "A gist", "a/b", ("one", "two"), ("body", ""), refs=("a.py", "b.py"), origin=("by=x", "at=y"),
        imp="3", since="2026-06-03", seen="2026-06-03",
    )  # fmt: skip
    assert layout(parse(render(cell))) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@   A-1 \t x/y \n", "@ A-1  x/y\n"),
        ("@\u3000A-1\u00a0x\n", "@ A-1  x\n"),
        ("@ A-1  x  more   tokens # note \n", "@ A-1  x  more   tokens # note\n"),
        ("@A-1 x\n", "@A-1 x\n"),
        ("@  a-1   x\n", "@  a-1   x\n"),
        ("@ \n", "@\n"),
        ("@ A-1\n\tgist\u00a0It  has   blanks \n", "@ A-1\ngist  It  has   blanks\n"),
        ("@ A-1\ngist \n", "@ A-1\ngist\n"),
        ("@ A-1\n state  live conf\thigh\n", "@ A-1\nstate live   conf high\n"),
        ("@ A-1\nstate live since state\n", "@ A-1\nstate live   since state\n"),
        ("@ A-1\nstate live odd  more  # note  x\n", "@ A-1\nstate live   odd   more  # note  x\n"),
        ("@ A-1\nstate\n", "@ A-1\nstate\n"),
        ("@ A-1\ncue a/b ,c\n", "@ A-1\ncue   a/b ,c\n"),
        ("@ A-1\nlink  relates   A-2 weight  0.5 # note\n", "@ A-1\nlink  relates A-2 weight 0.5 # note\n"),
        ("@ A-1\nlink relates\n", "@ A-1\nlink  relates\n"),
        ("@ A-1\nref a.py  #b\n", "@ A-1\nref   a.py #b\n"),
        ("@ A-1\n  origin   by=x  at=y\n", "@ A-1\norigin by=x at=y\n"),
        ("@ A-1\n>text\n>  two\n> \n>\u00a0odd\n>\n", "@ A-1\n> text\n>  two\n>\n> odd\n>\n"),
        ("@ A-1\n>>>>>>> theirs \n#  comment \n  prose  \n", "@ A-1\n>>>>>>> theirs \n#  comment \n  prose  \n"),
        ("@ A-1\ncue x\r \n", "@ A-1\ncue   x\r \n"),
        ("@ A-1\ncue x \r\n", "@ A-1\ncue   x\r\n"),
        ("@ A-1 ", "@ A-1"),
    ],
)
def test_a_line(before: str, after: str) -> None:
    assert formatted(parse(before)).text == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@ A-1\n@ A-2\n", "@ A-1\n\n@ A-2\n"),
        ("@ A-1\r\n@ A-2\r\n", "@ A-1\r\n\r\n@ A-2\r\n"),
        ("@ A-1\n\n \n\n@ A-2\n\n\n", "@ A-1\n\n@ A-2\n"),
        ("@ A-1\n \n@ A-2\n  ", "@ A-1\n\n@ A-2\n"),
        ("@ A-1\n# on two\n@ A-2\n", "@ A-1\n\n# on two\n@ A-2\n"),
        ("@ A-1\n# on one\n\n\n@ A-2\n", "@ A-1\n# on one\n\n@ A-2\n"),
        ("@ A-1\n\n\n# on two\n@ A-2\n", "@ A-1\n\n# on two\n@ A-2\n"),
        ("@ A-1\n\n# alone\n\n\n@ A-2\n", "@ A-1\n\n# alone\n\n@ A-2\n"),
        ("\n\n# file\n\n\n@ A-1\n", "# file\n\n@ A-1\n"),
        ("\ufeff\n@ A-1\n", "\ufeff@ A-1\n"),
        ("\n\n@ A-1\n", "@ A-1\n"),
        ("\n \n\ufeffstray\n@ A-1\n", "\n\ufeffstray\n@ A-1\n"),  # U+FEFF does not become a byte order mark
        ("# file\n@ A-1\n", "# file\n@ A-1\n"),
        ("stray  text\n\n\n@ A-1\n", "stray  text\n\n@ A-1\n"),
        ("@ A-1\n\n\ncue   x\n\t\n> y\n", "@ A-1\n\n\ncue   x\n\n> y\n"),
        ("@ A-1\n\n# end \n\n", "@ A-1\n\n# end \n"),
        ("\n\n# only a comment\n\n", "\n\n# only a comment\n\n"),
        ("", ""),
    ],
)
def test_blank_lines(before: str, after: str) -> None:
    assert formatted(parse(before)).text == after


@pytest.mark.parametrize(
    "patch", [Patch(25, 29, "dead"), Patch(30, 30, "x"), Patch(30, 32, "")], ids=["state", "comment", "comment gone"]
)
def test_a_layout_that_would_say_something_else_is_refused(patch: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "layout", lambda _: [patch])
    with pytest.raises(EditError, match="would change more than blanks"):
        formatted(parse("@ DEC-01\ngist  One\nstate live\n# c\n"))
