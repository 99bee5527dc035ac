"""Memories that broke other programs: what spine, new-id and lint say of each, and that none of them writes."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path

import pytest

from mneme.lint.sample import unescape
from tests.conftest import Result, Runner

STATE = "state live   conf high   since 2026-11-01   seen 2026-11-20\ncue   some / cue"


class Memory:
    """One memory file, and the commands that read it."""

    def __init__(self, mneme: Runner, path: Path) -> None:
        self._mneme = mneme
        self._path = path

    def write(self, text: str) -> None:
        """Write ``text`` (with the escapes of samples; ``STATE`` as a line of its own is a sound state and cue)."""
        self._path.write_bytes(unescape(cleandoc(text).replace("STATE", STATE) + "\n"))

    def run(self, command: str, *options: str) -> Result:
        """Run a reading command on the file, and check that it left the bytes alone."""
        before = self._path.read_bytes()
        result = self._mneme(command, *options, self._path.name)
        assert self._path.read_bytes() == before
        return result

    def spine(self) -> list[str]:
        """Return the lines of the spine."""
        result = self.run("spine")
        assert (result.code, result.err) == (0, "")
        return result.out.split("\n")[:-1]

    def new_id(self, prefix: str) -> str:
        """Return what new-id prints, to the last character."""
        result = self.run("new-id", prefix)
        assert (result.code, result.err) == (0, "")
        return result.out

    def lint(self) -> tuple[int, list[str]]:
        """Return the exit code, and for each finding line, severity, code and name."""
        result = self.run("lint", "--format", "concise")
        findings = [line for line in result.out.split("\n")[:-1] if line.startswith("notes.mneme:")]
        return result.code, [" ".join([line.split(":")[1], *line.split()[1:3]]) for line in findings]


@pytest.fixture
def memory(mneme: Runner, tmp_path: Path) -> Memory:
    return Memory(mneme, tmp_path / "notes.mneme")


def test_a_byte_order_mark_is_no_part_of_the_first_header(memory: Memory) -> None:
    memory.write(r"""
        \ufeff@ FACT-0001  runtime/python
        gist  The build image ships Python 3.13
        STATE
        """)
    assert memory.spine() == ["FACT-0001      live   The build image ships Python 3.13  [runtime/python]"]
    assert memory.new_id("FACT") == "FACT-0002\n"
    assert memory.lint() == (0, [])


def test_crlf_reads_as_lf(memory: Memory) -> None:
    text = r"""
        @ DEC-0001  release/wheels
        gist  One wheel a platform
        STATE

        @ PREF-0002  style/names
        gist  Short names
        STATE
        """
    memory.write(text)
    plain = (memory.spine(), memory.new_id("DEC"), memory.lint())
    memory.write(cleandoc(text).replace("STATE", STATE).replace("\n", "\\r\n") + "\\r")
    assert (memory.spine(), memory.new_id("DEC"), memory.lint()) == plain
    assert plain[1:] == ("DEC-0002\n", (0, []))


def test_no_break_blanks_and_tabs_separate_tokens(memory: Memory) -> None:
    memory.write(
        r"""
        @\u00a0PREF-0001\u00a0 style/commit
        gist\u00a0\u00a0Titles stay under 50 letters
        state\u00a0live\u00a0conf\u00a0high\u00a0since\u00a02026-11-01\u00a0seen\u00a02026-11-20
        cue\u00a0title

        @\tPREF-0003\tstyle/docs
        gist\tPresent tense
        state\tlive\tconf\tmed\tsince\t2026-11-01\tseen\t2026-11-20
        cue\tdocs
        """
    )
    assert memory.spine() == [
        "PREF-0001      live   Titles stay under 50 letters  [style/commit]",
        "PREF-0003      live   Present tense  [style/docs]",
    ]
    assert memory.new_id("PREF") == "PREF-0004\n"
    assert memory.lint() == (0, [f"{line} warning MN009" for line in (1, 2, 3, 4)])


def test_look_alike_ids_are_errors_and_take_up_their_numbers(memory: Memory) -> None:
    memory.write(
        r"""
        @ DEC-0041  db/engine
        gist  Postgres for billing
        STATE
        @ DEC\u20110042  db/cache
        gist  Rows for an hour
        STATE
        @ DEC\u20130043  db/pool
        gist  Twenty connections a worker
        STATE
        """
    )
    assert memory.new_id("DEC") == "DEC-0044\n"
    assert memory.lint() == (1, ["5 error MN103", "9 error MN103"])
    said = memory.run("lint").out
    assert "DEC<U+2011>0042 is not DEC-0042 (U+2011 non-breaking hyphen)" in said
    assert "DEC<U+2013>0043 is not DEC-0043 (U+2013 en dash)" in said


def test_an_at_sign_without_a_blank_begins_no_cell(memory: Memory) -> None:
    memory.write(
        r"""
        @ DEC-0007  team/review
        gist  Two approvals before billing code merges
        @reviewers asked for this
        STATE
        rota@example.org keeps the rota
        > @ DEC-9999  fake/quoted
        > gist  quoted
        > ```
        > @ DEC-8888  also
        """
    )
    assert memory.spine() == ["DEC-0007       live   Two approvals before billing code merges  [team/review]"]
    assert memory.new_id("DEC") == "DEC-0008\n"
    assert memory.lint() == (0, ["3 warning MN005", "6 warning MN005"])


def test_prose_that_names_fields_sets_none(memory: Memory) -> None:
    memory.write(
        r"""
        @ DEC-0001  db/engine
        gist  Postgres holds the invoices
        STATE
        The previous state retired last year and nobody has seen it since then
        """
    )
    assert memory.spine() == ["DEC-0001       live   Postgres holds the invoices  [db/engine]"]
    assert memory.lint() == (0, ["5 warning MN005"])


def test_trailing_comments_have_no_effect_and_hashes_in_text_are_text(memory: Memory) -> None:
    memory.write(
        r"""
        # whole line: state retired
        @ DEC-0042  storage/cache     # ID, then topic
        gist  Keep the C# bindings; issue #42 has the reason
        state live   conf high   since 2026-11-01   seen 2026-11-20   # before that it was state stale
        cue   c# / issue #42
        > the #1 reason
        link  refines DEC-0043     # typed, repeatable

        @ DEC-0043  storage/files
        gist  One folder a tenant
        STATE
        """
    )
    assert memory.spine() == [
        "DEC-0042       live   Keep the C# bindings; issue #42 has the reason  [storage/cache]",
        "DEC-0043       live   One folder a tenant  [storage/files]",
    ]
    assert memory.lint() == (0, ["2 warning MN010", "4 warning MN010", "7 warning MN010"])


def test_two_state_lines_are_an_error_and_fields_on_lines_of_their_own_are_none(memory: Memory) -> None:
    memory.write(
        r"""
        @ DEC-0001  log/format
        gist  Logs are plain text
        state stale   conf high   since 2026-11-01   seen 2026-11-09
        STATE
        """
    )
    assert memory.lint() == (1, ["4 error MN202", "4 error MN202"])
    assert "DEC-0001: duplicate field: two values for state" in memory.run("lint").out
    memory.write(
        r"""
        @ FACT-0001  env/staging
        gist  Staging has two nodes
        state stale
        conf low
        since 2026-11-01
        seen 2026-11-20
        cue   staging
        """
    )
    assert memory.lint() == (0, [])
    assert memory.spine() == ["FACT-0001      stale  Staging has two nodes  [env/staging]"]


def test_a_conflict_is_an_error_line_by_line(memory: Memory) -> None:
    memory.write(
        r"""
        @ DEC-0001  api/paging
        gist  Page size is 200
        <<<<<<< HEAD
        STATE
        =======
        >>>>>>> feature/limits
        """
    )
    assert memory.lint() == (1, ["3 error MN002", "6 error MN002", "7 error MN002"])


def test_ids_are_numbers_of_any_width(memory: Memory) -> None:
    memory.write(
        r"""
        @ GOTCHA-003  storage/paths
        gist  Long paths fail on the build host
        STATE
        @ DEC-9999  misc/last
        gist  The last of four digits
        STATE
        """
    )
    assert memory.new_id("GOTCHA") == "GOTCHA-0004\n"
    assert memory.new_id("DEC") == "DEC-10000\n"
    assert memory.new_id("OKR") == "OKR-0001\n"
    assert memory.lint() == (0, [])
    memory.write(r"""
        @ DEC-42  a/b
        gist  Short spelling
        STATE
        @ DEC-0042  a/c
        gist  Long spelling
        STATE
        """)
    assert memory.lint() == (0, ["5 warning MN104"])
    assert "DEC-0042 and DEC-42 (notes.mneme:1) are the same number" in memory.run("lint").out
    assert memory.new_id("DEC") == "DEC-0043\n"


def test_an_id_that_a_link_names_is_spent(memory: Memory) -> None:
    memory.write(
        r"""
        @ DEC-0001  cache/ttl
        gist  Cache lives ten minutes
        state superseded   conf high   since 2026-11-01   seen 2026-11-20
        link  superseded-by DEC-0003

        @ DEC-0002  cache/size
        gist  Cache holds 1 GB
        STATE
        """
    )
    assert memory.new_id("DEC") == "DEC-0004\n"
    assert memory.lint() == (0, ["4 warning MN301"])
    assert "DEC-0003" in memory.run("lint").out


def test_only_line_feeds_end_lines(memory: Memory) -> None:
    memory.write(
        r"""
        @ DEC-0001  logs/rotate
        gist  Logs rotate weekly\u2028@ DEC-0500  fake/cell
        STATE
        > page one\x0c@ DEC-0600  fake/two\x0b@ DEC-0700  x\u0085@ DEC-0800  y

        @ DEC-0002  logs/keep
        gist  Logs are kept for a month
        state live   conf high   since 2026-11-01   seen 2026-13-01
        cue   logs
        """
    )
    assert [line.split()[0] for line in memory.spine()] == ["DEC-0001", "DEC-0002"]
    assert memory.new_id("DEC") == "DEC-0003\n"
    code, findings = memory.lint()
    assert code == 1
    assert "9 error MN203" in findings
    assert memory.run("lint", "--select", "MN2").out.count("DEC-0002") == 1


@pytest.mark.parametrize(
    ("since", "seen"),
    [
        ("2026-11-01", "2026-11"), ("2026-11-01", "26"), ("2026-11-01", "Nov"), ("2026-11-01", "11/20/2026"),
        ("2026-11-01", "yesterday"), ("2026-13-01", "2026-11-20"), ("2026-11-01", "2026-11-20T10:00"),
        ("20261101", "2026-11-20"), ("2026-11-1", "2026-11-20"), ("2026-11-01", "2026-11-31"),
    ],
)  # fmt: skip
def test_a_date_is_a_real_day_in_one_spelling(memory: Memory, since: str, seen: str) -> None:
    memory.write(
        rf"""
        @ DEC-0001  d/a
        gist  One thing
        state live   conf high   since {since}   seen {seen}
        cue   a thing
        @ DEC-0002  d/b
        gist  Another thing holds
        STATE
        """
    )
    assert memory.lint() == (1, ["3 error MN203"])
    assert "DEC-0002" not in memory.run("lint").out


def test_no_cell_leaves_the_spine_without_a_word(memory: Memory) -> None:
    memory.write(
        r"""
        @ FACT-0001  s/a
        gist  A capital letter
        state Live   conf high   since 2026-11-01   seen 2026-11-20
        cue   a
        @ FACT-0002  s/b
        gist  Another word
        state active   conf high   since 2026-11-01   seen 2026-11-20
        cue   b
        @ FACT-0003  s/c
        gist  A comma
        state live,   conf high   since 2026-11-01   seen 2026-11-20
        cue   c
        @ FACT-0004  s/d
        gist  A long word
        state live   conf medium   since 2026-11-01   seen 2026-11-20
        cue   d
        """
    )
    assert memory.spine() == ["FACT-0004      live   A long word  [s/d]"]
    assert memory.lint() == (1, ["3 error MN205", "7 error MN205", "11 error MN205", "15 warning MN206"])
    said = memory.run("lint").out
    assert "FACT-0002: unknown state 'active'" in said
    memory.run("lint", "--fix", "--diff")  # shows, and writes nothing


def test_a_fix_that_would_add_an_error_is_left_out_and_named(memory: Memory, mneme: Runner, tmp_path: Path) -> None:
    memory.write("""
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        STATE
        ＠ DEC-0002  api/auth
        """)
    before = (tmp_path / "notes.mneme").read_bytes()
    result = mneme("lint", "--fix", "notes.mneme")
    assert (
        "fixes left out, since they would add an error or change too much: notes.mneme:5 malformed-header" in result.err
    )
    assert (tmp_path / "notes.mneme").read_bytes() == before
