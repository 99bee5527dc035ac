"""``mneme show``: what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mneme.format.parser import parse
from tests.conftest import Runner

MEMORY = """\
# Storage decisions
@ DEC-0041  storage/cache
gist  Local cache uses JSON files
state superseded   conf med   since 2026-01-03   seen 2026-03-01
link  superseded-by DEC-0042

@ DEC-0042  storage/cache
gist  Local cache uses SQLite
state live   conf high   since 2026-06-03   seen 2026-09-26   imp 4
cue   slow queries / CI/CD
> Two writers\u202e at once.
>
> Costs nothing.
ref   src/cache.py
origin session=7
link  supersedes DEC-0041
link  depends-on FACT-0009  weight 0.80

# mneme: ignore[no-cue]
@ GOTCHA-0001  storage/cache
gist  The cache is per user
state live   conf high   since 2026-11-25   seen 2026-11-25
link  refines DEC-0042
"""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "notes.mneme").write_text(MEMORY, encoding="utf-8")
    return tmp_path


def test_the_cell_whole_with_what_to_know_in_comment_lines(memory: Path, mneme: Runner) -> None:
    result = mneme("show", "DEC-0042")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "# notes.mneme:7   trust verify (not confirmed for 60 days)   seen 60 days ago\n"
        "@ DEC-0042  storage/cache\n"
        "gist  Local cache uses SQLite\n"
        "state live   conf high   since 2026-06-03   seen 2026-09-26   imp 4\n"
        "cue   slow queries / CI/CD\n"
        "> Two writers<U+202E> at once.\n"
        ">\n"
        "> Costs nothing.\n"
        "ref   src/cache.py\n"
        "origin session=7\n"
        "link  supersedes DEC-0041\n"
        "link  depends-on FACT-0009  weight 0.80\n"
        "# supersedes -> DEC-0041 (superseded) Local cache uses JSON files\n"
        "# depends-on -> FACT-0009: no such cell here\n"
        "# refines <- GOTCHA-0001 (live) The cache is per user\n"
    )


def test_what_is_printed_is_mneme_text(memory: Path, mneme: Runner) -> None:
    out = mneme("show", "DEC-0041", "GOTCHA-0001").out
    document = parse(out)
    assert [cell.id for cell in document.cells] == ["DEC-0041", "GOTCHA-0001"]
    assert not document.strays
    assert document.cells[0].text.splitlines()[1:4] == MEMORY.splitlines()[2:5]


def test_a_superseded_cell_names_what_to_read_instead(memory: Path, mneme: Runner) -> None:
    lines = mneme("show", "DEC-0041").out.splitlines()
    assert lines[0] == "# notes.mneme:2   trust history   seen 269 days ago"
    assert lines[1] == "# read instead: DEC-0042 (live) Local cache uses SQLite"


@pytest.mark.parametrize("spelling", ["dec-42", "DEC-42", "DEC–0042", "Dec-0042", "ＤＥＣ-0042"])
def test_other_spellings_are_read_with_a_note(memory: Path, mneme: Runner, spelling: str) -> None:
    result = mneme("show", spelling)
    assert result.code == 0
    assert result.out.splitlines()[1] == "@ DEC-0042  storage/cache"
    assert "read as DEC-0042" in result.err


def test_an_unknown_id_is_exit_2_the_nearest_is_named_and_the_others_are_shown(memory: Path, mneme: Runner) -> None:
    result = mneme("show", "DEC-0402", "GOTCHA-0001")
    assert result.code == 2
    assert "@ GOTCHA-0001" in result.out
    assert "no cell has the ID 'DEC-0402'" in result.err
    assert "did you mean DEC-0042?" in result.err
    for token in ("dec0042", "Dec0042", "DEC 0042"):
        result = mneme("show", token)
        assert (result.code, result.out) == (2, "")
        assert "did you mean DEC-0042?" in result.err
    assert "mneme spine --all" in mneme("show", "nothing\x1b[31m").err
    assert "\x1b" not in mneme("show", "nothing\x1b[31m").err


def test_an_id_given_twice_shows_both(memory: Path, mneme: Runner) -> None:
    (memory / "other.mneme").write_text("@ DEC-0042\ngist Another\nstate live\n\n@ DEC-42\ngist A third\n")
    result = mneme("show", "DEC-0042")
    assert result.out.count("@ DEC-0042") == 2
    assert "other.mneme:1" in result.out
    assert "DEC-0042 and DEC-42 are the same number" in result.err


def test_an_id_asked_for_twice_is_shown_once(memory: Path, mneme: Runner) -> None:
    assert mneme("show", "DEC-0042", "dec-42").out.count("@ DEC-0042") == 1


def test_a_chain_ends_at_the_current_cell(memory: Path, mneme: Runner) -> None:
    (memory / "new.mneme").write_text(
        "@ DEC-0050\ngist Cache moves to the server\nstate stale\nlink supersedes DEC-0042\n\n"
        "@ DEC-0051\ngist Only an idea\nstate proposed\nlink supersedes DEC-0050\n"
    )
    assert "# read instead: DEC-0050 (stale) Cache moves to the server\n" in mneme("show", "DEC-0041").out
    shown = mneme("show", "DEC-0050").out
    assert "read instead" not in shown
    assert "# supersedes <- DEC-0051 (proposed) Only an idea\n" in shown


def test_json(memory: Path, mneme: Runner) -> None:
    document = json.loads(mneme("show", "DEC-0042", "--format", "json").out)
    assert (document["version"], document["kind"]) == (1, "show")
    (cell,) = document["cells"]
    assert cell["links"] == [
        {"relation": "supersedes", "id": "DEC-0041", "attributes": {}, "found": True, "state": "superseded",
         "gist": "Local cache uses JSON files"},
        {"relation": "depends-on", "id": "FACT-0009", "attributes": {"weight": "0.80"}, "found": False},
    ]  # fmt: skip
    assert [(back["relation"], back["id"]) for back in cell["linked_from"]] == [
        ("superseded-by", "DEC-0041"),
        ("refines", "GOTCHA-0001"),
    ]
    expected = {
        "path": "notes.mneme", "line": 7, "trust": "verify", "verify": "not confirmed for 60 days", "seen_days_ago": 60,
        "cues": ["slow queries", "CI/CD"], "body": "Two writers\u202e at once.\n\nCosts nothing.", "imp": "4",
        "refs": ["src/cache.py"], "origin": ["session=7"], "current": [],
    }  # fmt: skip
    assert {name: cell[name] for name in expected} == expected
    assert cell["digest"].startswith("m1:")


@pytest.mark.parametrize(
    ("seen", "text"), [("2026-11-25", "today"), ("2026-11-24", "1 day ago"), ("2026-11-27", "2 days ahead")]
)
def test_ages(tmp_path: Path, mneme: Runner, seen: str, text: str) -> None:
    (tmp_path / "a.mneme").write_text(f"@ A-1\ngist x\nstate live seen {seen}\n")
    assert f"seen {text}\n" in mneme("show", "A-1").out


def test_no_age_without_a_date(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "a.mneme").write_text("@ A-1\ngist x\nstate live seen soon\n")
    assert mneme("show", "A-1").out.startswith("# a.mneme:1   trust verify (seen is no date: 'soon')\n")


def test_crlf_and_standard_input(mneme: Runner) -> None:
    out = mneme("show", "A-1", "--file", "-", stdin=b"@ A-1\r\ngist x\r\nstate live\r\n\r\n").out
    assert out == "# <stdin>:1   trust verify (never seen)\n@ A-1\ngist x\nstate live\n"
