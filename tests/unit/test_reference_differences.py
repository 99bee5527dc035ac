"""Where this project differs from the reference tool: one test a row of the table in docs/format.md.

``theirs`` is what the reference tool prints for the text, ``ours`` what mneme prints.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from tests.conftest import ROOT, Runner

PAIRS = "state live   conf high   since 2026-11-02   seen 2026-11-20\n"
CELL = f"@ DEC-0042  storage/cache\ngist  SQLite\n{PAIRS}cue   slow\n"
LINE = "DEC-0042       live   SQLite  [storage/cache]\n"
STALE = LINE.replace("live  ", "stale ")


class Row:
    """A text with what both print, and whether it is an error here."""

    def __init__(self, text: str, theirs: str, ours: str, *, error: bool = False) -> None:
        self.text, self.theirs, self.ours, self.error = text, theirs, ours, error


SPINES = {
    "byte-order-mark": Row(f"\ufeff{CELL}", "", LINE),
    "lone-cr": Row(
        CELL.replace("SQLite", "SQLite\rstate stale"),
        "DEC-0042       live   SQLite  [storage/cache]\n",
        "DEC-0042       live   SQLite\rstate stale  [storage/cache]\n",
    ),
    "unusual-separators": Row(
        CELL.replace("@ DEC-0042  storage", "@ DEC-0042  storage\x0cold"),
        "DEC-0042       live   SQLite  [storage]\n",
        "DEC-0042       live   SQLite  [storage\x0cold/cache]\n",
    ),
    "blanks-at-the-end-of-a-gist": Row(
        CELL.replace("SQLite\n", "SQLite  \n"), "DEC-0042       live   SQLite    [storage/cache]\n", LINE
    ),
    "prose-with-key-words": Row(
        f"{CELL}The previous state retired last year and nobody has seen it since\n", "", LINE
    ),
    "gist-on-a-state-line": Row(
        CELL.replace("seen 2026-11-20\n", "seen 2026-11-20   gist changed\n"),
        "DEC-0042       live   live   conf high   since 2026-11-02   seen 2026-11-20   gist changed  [storage/cache]\n",
        LINE,
    ),
    "key-words-in-origin-and-ref": Row(f"{CELL}origin  moved from state files\n", "", LINE),
    "indented-body-or-comment": Row(f"{CELL} > once it was state stale or so\n", STALE, LINE),
    "at-lines": Row(
        f"@ DEC-0042  storage/cache\ngist  SQLite\n@reviewers look\n{PAIRS}cue   slow\n",
        "reviewers look live     []\n",
        LINE,
    ),
    "comment-for-a-topic": Row(
        CELL.replace("  storage/cache", "  # the cache"),
        LINE.replace("storage/cache", "#"),
        LINE.replace("storage/cache", ""),
    ),
    "trailing-comment-on-a-state-line": Row(
        CELL.replace("11-20\n", "11-20   # before that it was state stale\n"), STALE, LINE
    ),
    "conflict-markers": Row(f"{CELL}<<<<<<< state stale\n", STALE, LINE, error=True),
    "gist-emptied": Row(CELL.replace("SQLite\n", "SQLite\ngist\n"), LINE, LINE.replace("SQLite", ""), error=True),
    "glued-header": Row(
        CELL.replace("@ ", "@"), "DEC-0042  storage/cache live   SQLite  []\n", LINE, error=True
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", SPINES.values(), ids=SPINES.keys())
def test_spine(row: Row, tmp_path: Path, mneme: Runner) -> None:
    path = write(tmp_path, row.text)
    assert row.theirs != row.ours
    assert mneme("spine", path).out == row.ours
    assert mneme("lint", path, "--no-cache").code == row.error


def write(folder: Path, text: str) -> Path:
    path = folder / "notes.mneme"
    path.write_bytes(text.encode())
    return path


def test_other_spellings_of_dates(tmp_path: Path, mneme: Runner) -> None:
    assert date.fromisoformat("20261120")  # what the reference tool asks; it takes more with every version
    path = write(tmp_path, CELL.replace("seen 2026-11-20", "seen 20261120"))
    result = mneme("lint", path, "--format", "concise", "--no-cache")
    assert result.code == 1
    assert "bad-date" in result.out


def test_look_alikes_are_in_use(tmp_path: Path, mneme: Runner) -> None:
    theirs = "DEC-0001\n"
    ours = mneme("new-id", "DEC", write(tmp_path, CELL.replace("DEC-0042", "DEC–0042"))).out
    assert ours == "DEC-0043\n" != theirs


def test_links_are_in_use(tmp_path: Path, mneme: Runner) -> None:
    theirs = "DEC-0043\n"
    ours = mneme("new-id", "DEC", write(tmp_path, f"{CELL}link  relates DEC-0050\n")).out
    assert ours == "DEC-0051\n" != theirs


def test_malformed_prefix(tmp_path: Path, mneme: Runner) -> None:
    result = mneme("new-id", "dec", write(tmp_path, CELL))
    assert (result.code, result.out) == (2, "")
    assert "did you mean DEC?" in result.err


def test_unreadable_files(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "bad.mneme").write_bytes(b"@ DEC-0001\ngist caf\xe9\n")
    result = mneme("spine", tmp_path / "bad.mneme", write(tmp_path, CELL))
    assert (result.code, result.out) == (2, LINE)
    assert "bad.mneme:2:9" in result.err
    assert "byte offset 19" in result.err


def test_no_file_named(tmp_path: Path, mneme: Runner, mneme_tool: Runner) -> None:
    (tmp_path / "a.mneme").write_text(CELL)
    (tmp_path / "b.mneme").write_text(CELL.replace("DEC-0042", "DEC-0043"))
    assert mneme("spine").out == LINE + LINE.replace("DEC-0042", "DEC-0043")
    assert mneme_tool("spine").out == LINE


def test_the_table_has_a_row_for_each_test_and_none_else() -> None:
    page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    table = page.partition("## 9. ")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| ([a-z-]+) \|", table, re.MULTILINE)
    listed.remove("difference")
    own = ("test_spine", test_the_table_has_a_row_for_each_test_and_none_else.__name__)
    names = [name for name, value in globals().items() if name.startswith("test_") and callable(value)]
    others = [name.removeprefix("test_").replace("_", "-") for name in names if name not in own]
    assert listed == [*SPINES, *others]
