"""``mneme spine`` and ``mneme new-id`` as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Runner, cell

FILE = "".join(
    [
        cell("DEC-0001", gist="First"),
        "\n",
        cell("DEC-0002", gist="Second", state="stale", conf="low", topic="storage/files"),
        "\n",
        cell("PREF-0003", gist="Third", state="proposed"),
        "\n",
        cell("LONGPREFIX-000123", gist="Überlänge 长", conf="med", seen="2026-11-21", topic="other"),
    ]
)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "project.mneme"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_the_default_form_is_padded_and_shows_working_memory(mneme: Runner, memory: Path) -> None:
    assert mneme("spine").out == (
        "DEC-0001       live   First  [storage/cache]\n"
        "DEC-0002       stale  Second  [storage/files]\n"
        "LONGPREFIX-000123 live   Überlänge 长  [other]\n"
    )


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--all"], ["DEC-0001", "DEC-0002", "PREF-0003", "LONGPREFIX-000123"]),
        (["--state", "proposed"], ["PREF-0003"]),
        (["--state", "proposed", "--state", "stale"], ["DEC-0002", "PREF-0003"]),
        (["--topic", "storage/*"], ["DEC-0001", "DEC-0002"]),
        (["--topic", "other", "--topic", "storage/f*"], ["DEC-0002", "LONGPREFIX-000123"]),
        (["--topic", "nothing"], []),
    ],
)
def test_choosing(mneme: Runner, memory: Path, options: list[str], shown: list[str]) -> None:
    assert [line.split()[0] for line in mneme("spine", *options).out.splitlines()] == shown


def test_no_escape_code_of_a_gist_is_lost(mneme: Runner, mneme_tool: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_bytes(cell(gist="The \x1b[31mred\x1b[0m one").encode())
    line = "DEC-0001       live   The \x1b[31mred\x1b[0m one  [storage/cache]\n"
    assert (mneme("spine").out, mneme_tool("spine").out) == (line, line)


def test_max_bytes_keeps_whole_lines_worth_most(mneme: Runner, memory: Path) -> None:
    for room in range(150):
        result = mneme("spine", "--max-bytes", str(room))
        assert len(result.out.encode()) <= room
        lines = result.out.splitlines()
        assert lines == [line for line in mneme("spine").out.splitlines() if line in lines]
        assert (f"{3 - len(lines)} of 3 cells left out" in result.err) == (len(lines) < 3)
    # One line fits: the live cell of high confidence, not the newer one of med; then the stale one goes last.
    assert mneme("spine", "--max-bytes", "60").out.startswith("DEC-0001")
    assert "stale" not in mneme("spine", "--max-bytes", "110").out


def test_markdown_and_json_carry_trust(mneme: Runner, memory: Path) -> None:
    text = mneme("spine", "--format", "markdown").out
    assert "- DEC-0001 use: First [storage/cache]\n" in text
    assert "- DEC-0002 verify (marked stale): Second [storage/files]\n" in text
    data = json.loads(mneme("spine", "--all", "--format", "json").out)
    assert (data["version"], data["kind"], data["omitted"]) == (1, "spine", 0)
    assert [(entry["id"], entry["trust"]) for entry in data["cells"]] == [
        ("DEC-0001", "use"), ("DEC-0002", "verify"), ("PREF-0003", "not-a-conclusion"), ("LONGPREFIX-000123", "use"),
    ]  # fmt: skip
    assert data["cells"][0] == {
        "id": "DEC-0001", "topic": "storage/cache", "gist": "First", "state": "live", "conf": "high",
        "since": "2026-11-01", "seen": "2026-11-20", "trust": "use", "path": "project.mneme",
    }  # fmt: skip


def test_markdown_keeps_its_limit(mneme: Runner, memory: Path) -> None:
    for room in (0, 10, 200, 250, 400):
        result = mneme("spine", "--format", "markdown", "--max-bytes", str(room))
        assert len(result.out.encode()) <= room
        left = 3 - result.out.count("\n- ")
        assert (f"{left} of 3 cells left out for want of room: `mneme find WORDS`" in result.out) == (
            left > 0 < room - 80
        )


def test_decay_by_the_day_given(mneme: Runner, memory: Path) -> None:
    text = mneme("--today", "2027-01-20", "spine", "--format", "markdown").out
    assert "- DEC-0001 verify (not confirmed for 61 days): First" in text


def test_standard_input_and_unreadable_files(mneme: Runner, memory: Path, tmp_path: Path) -> None:
    assert mneme("spine", "-", stdin=cell("FACT-0009").encode()).out.startswith("FACT-0009")
    (tmp_path / "bad.mneme").write_bytes(b"@ DEC-0009  x\ngist caf\xe9\n")
    result = mneme("spine")
    assert result.code == 2
    assert "bad.mneme:2:9: not valid UTF-8: byte 0xe9 at byte offset 22" in result.err
    assert result.out.startswith("DEC-0001")


@pytest.mark.parametrize("options", [["--state", "alive"], ["--max-bytes", "-1"], ["--nope"], ["--today", "x"]])
def test_misuse(mneme: Runner, memory: Path, options: list[str]) -> None:
    result = mneme("spine", *options)
    assert (result.code, result.out) == (2, "")
    assert result.err


@pytest.mark.parametrize("today", ["2026-13-01", "2026-1-1", "yesterday", "２０２６-01-01"])
def test_today_must_be_a_date(mneme: Runner, memory: Path, today: str) -> None:
    result = mneme("--today", today, "spine")
    assert result.code == 2
    assert "YYYY-MM-DD" in result.err


@pytest.mark.parametrize(
    ("text", "prefix", "expected"),
    [
        ("", "DEC", "DEC-0001"),
        (cell("DEC-0041"), "DEC", "DEC-0042"),
        (cell("DEC-0041"), "FACT", "FACT-0001"),
        (cell("GOTCHA-003"), "GOTCHA", "GOTCHA-0004"),
        (cell("DEC-9999"), "DEC", "DEC-10000"),
        (cell("DEC-0002", more="link  relates DEC-0007\n"), "DEC", "DEC-0008"),
        (cell("dec-0042"), "DEC", "DEC-0043"),
        (cell("DEC\u20110043"), "DEC", "DEC-0044"),
        (cell("DEC\u200b-0044"), "DEC", "DEC-0045"),
        (cell("DEC-0001", gist="see DEC-0099"), "DEC", "DEC-0002"),
        (cell("DEC-k3v9"), "DEC", "DEC-0001"),
        (cell("DECK-0009"), "DEC", "DEC-0001"),
        (cell("DEC-0003", state="retired"), "DEC", "DEC-0004"),
    ],
)
def test_next_number(mneme: Runner, tmp_path: Path, text: str, prefix: str, expected: str) -> None:
    (tmp_path / "a.mneme").write_text(text, encoding="utf-8")
    assert mneme("new-id", prefix, "a.mneme").out == f"{expected}\n"


def test_several_and_random_ids(mneme: Runner, memory: Path) -> None:
    assert mneme("new-id", "DEC", "--count", "3").out == "DEC-0003\nDEC-0004\nDEC-0005\n"
    suffixes = [line.removeprefix("DEC-") for line in mneme("new-id", "DEC", "--random", "--count", "50").out.split()]
    assert len(set(suffixes)) == 50
    assert all(len(suffix) == 8 and not suffix.isdigit() for suffix in suffixes)


@pytest.mark.parametrize("prefix", ["dec", "DEC-", "D C", "1X", "", "DÉC", "DEC\n"])
def test_malformed_prefix(mneme: Runner, memory: Path, prefix: str) -> None:
    result = mneme("new-id", prefix)
    assert (result.code, result.out) == (2, "")
    assert "prefix" in result.err
