"""For every file free of errors: the spine and the next ID are what a plain line-splitting reader would say.

The reader below knows the format only as its own small script does: first tokens of lines, one pass, no grammar. It
stands for the other readers that users have. Where format.md settles something otherwise, the texts made here hold none
of it: look-alike IDs, trailing comments, blanks outside ASCII.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from mneme.config import Config
from mneme.format.parser import parse
from mneme.lint.engine import run
from mneme.lint.rule import Settings, Severity
from mneme.lint.rules import RULES
from mneme.lint.select import make_selection
from tests.conftest import Runner

TODAY = date(2026, 11, 25)


class Plain(NamedTuple):
    """What a plain reader makes of a file: spine lines, and the largest number by prefix."""

    spine: str
    largest: dict[str, int]


def read_plainly(text: str) -> Plain:
    cells: list[dict[str, str]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.split(None, 3)
        if line.startswith("@") and words[0] == "@":
            _, cell_id, topic, *_ = [*words, "", "", ""]
            cells.append({"id": cell_id, "topic": topic, "gist": "", "state": ""})
        elif cells and words and words[0] == "gist":
            cells[-1]["gist"] = line.split(None, 1)[1].rstrip() if len(words) > 1 else ""
        elif cells and words and words[0] in ("state", "conf", "since", "seen"):
            found = re.findall(r"(?:^|\s)(state|conf|since|seen)\s+(\S+)", line)
            cells[-1] |= dict(found)
    largest: dict[str, int] = {}
    for cell in cells:
        prefix, _, number = cell["id"].partition("-")
        if number.isdigit():
            largest[prefix] = max(largest.get(prefix, 0), int(number))
    lines = [
        f"{cell['id'].ljust(14)} {cell['state'].ljust(6)} {cell['gist']}  [{cell['topic']}]\n"
        for cell in cells
        if cell["state"] in ("live", "stale")
    ]
    return Plain("".join(lines), largest)


GAP = st.sampled_from([" ", "  ", "\t", " \t "])
WORDS = st.lists(
    st.sampled_from(["cache", "state", "live", "SQLite", "a/b", "#42", "C#", "本地", "@home", ">", "é"]),
    min_size=1, max_size=6,
)  # fmt: skip
IDS = st.builds(
    lambda prefix, number, width: f"{prefix}-{number:0{width}d}",
    st.sampled_from(["DEC", "FACT", "D2"]), st.integers(0, 12000) | st.integers(0, 10**40), st.integers(1, 5),
)  # fmt: skip
RANDOM_IDS = st.from_regex(r"(DEC|FACT)-[a-z0-9]{4}[a-z]", fullmatch=True)
DAYS = st.dates(date(2025, 1, 1), date(2026, 11, 27)).map(date.isoformat)
EXTRA = st.sampled_from(
    [
        "", "   ", "# a comment", "cue  slow queries / cache", "> state retired", ">",
        "Prose about seen and state", "unknown line",
    ]
)  # fmt: skip


@st.composite
def cell_texts(draw: st.DrawFn, cell_id: str) -> str:
    """Draw one cell: mostly free of errors, in any order and spacing."""
    since, seen = sorted([draw(DAYS), draw(DAYS)])
    gap = draw(GAP)
    pairs = [
        ("state", draw(st.sampled_from(["proposed", "live", "live", "stale", "superseded", "retired", "Live"]))),
        ("since", since),
        ("seen", seen),
        *draw(st.lists(st.just(("conf", "low")), max_size=1)),
    ]
    pairs = draw(st.permutations(pairs))
    cut = draw(st.integers(0, len(pairs)))
    lines = [
        f"gist{gap}{' '.join(draw(WORDS))}",
        *(gap.join(f"{key}{gap}{value}" for key, value in part) for part in (pairs[:cut], pairs[cut:]) if part),
        *draw(st.lists(EXTRA, max_size=3)),
        *draw(st.lists(st.builds("link  relates {}".format, IDS), max_size=2)),
    ]
    topic = draw(st.sampled_from(["", "storage", "storage/cache", "本地/缓存"]))
    head = f"@{gap}{cell_id}{gap if topic else ''}{topic}"
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join([head, *draw(st.permutations(lines)), ""])


@st.composite
def memory_texts(draw: st.DrawFn) -> str:
    """Draw a memory file, now and then one with errors."""
    ids = draw(st.lists(IDS | RANDOM_IDS, max_size=5, unique=True))
    text = draw(st.sampled_from(["", "\ufeff", "# Our memory\n"])) + "".join(
        draw(cell_texts(cell_id)) for cell_id in ids
    )
    return text.rstrip("\r\n") if draw(st.booleans()) else text


SELECTION = make_selection(RULES, Config())


def is_error_free(text: str) -> bool:
    report = run([parse(text)], SELECTION, Settings(Config(), TODAY))
    return report.count(Severity.ERROR) == 0


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=memory_texts())
def test_spine_and_new_id_agree_with_a_plain_reader(
    text: str, tmp_path: Path, mneme: Runner, mneme_tool: Runner
) -> None:
    assume(is_error_free(text))
    (tmp_path / "notes.mneme").write_bytes(text.encode())
    plain = read_plainly(text.removeprefix("\ufeff"))
    for command in (mneme, mneme_tool):
        spine = command("spine", "notes.mneme")
        assert (spine.out, spine.err, spine.code) == (plain.spine, "", 0)
    for prefix in ("DEC", "FACT", "D2", "NEW"):
        printed = mneme_tool("new-id", prefix, "notes.mneme")
        assert mneme("new-id", prefix, "notes.mneme") == printed
        found = re.fullmatch(rf"{prefix}-([0-9]{{4,}})\n", printed.out)
        assert found
        assert int(found[1]) > plain.largest.get(prefix, 0)
        assert printed.code == 0


@pytest.mark.parametrize(
    ("text", "spine"),
    [
        ("@ DEC-1 t\ngist g\nstate live since 2026-11-01 seen 2026-11-20\n", "DEC-1          live   g  [t]\n"),
        ("@ DEC-1\nseen 2026-11-20\nstate stale since 2026-11-01\ngist g h\n", "DEC-1          stale  g h  []\n"),
        ("@ DEC-1\ngist g\nstate retired\n", ""),
    ],
)
def test_the_plain_reader_reads(text: str, spine: str) -> None:
    assert read_plainly(text).spine == spine


def test_most_texts_made_here_are_free_of_errors() -> None:
    seen: list[bool] = []

    @settings(max_examples=60, database=None, derandomize=True, deadline=None)
    @given(memory_texts())
    def look(text: str) -> None:
        seen.append(bool(text.strip()) and is_error_free(text))

    look()
    assert sum(seen) > len(seen) / 3
