"""``mneme find``: what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Runner

MEMORY = """\
@ DEC-0001  存储/本地
gist  本地缓存改用数据库文件，不再写文本
state live   conf high   since 2026-11-05   seen 2026-11-22
cue   并发写入 / 数据损坏

@ DEC-0002  storage/cache
gist  Cache files are kept for a month
state live   conf high   since 2026-01-01   seen 2026-08-01
cue   cache retention

@ DEC-0003  storage/cache
gist  Cache files\u202e are kept for a week
state proposed   conf low   since 2026-11-01   seen 2026-11-20
cue   cache retention
"""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "notes.mneme").write_text(MEMORY, encoding="utf-8")
    return tmp_path


def test_one_line_a_hit_with_state_trust_and_what_to_verify(memory: Path, mneme: Runner) -> None:
    result = mneme("find", "cache", "retention")
    assert result.code == 0
    assert result.out == (
        "DEC-0002  live  verify  Cache files are kept for a month  [storage/cache]"
        "  (verify: not confirmed for 116 days)\n"
    )


def test_two_characters(memory: Path, mneme: Runner) -> None:
    assert mneme("find", "缓存").out.startswith("DEC-0001  live  use  ")


def test_a_proposal_is_never_shown_as_a_conclusion_and_nothing_is_hidden(memory: Path, mneme: Runner) -> None:
    lines = mneme("find", "--all", "cache", "retention").out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("DEC-0003  proposed  not-a-conclusion  Cache files<U+202E> are kept")


def test_nothing_found_says_so_and_is_no_failure(memory: Path, mneme: Runner) -> None:
    result = mneme("find", "zebra")
    assert (result.code, result.out) == (0, "")
    assert "nothing found among 3 cells" in result.err


@pytest.mark.parametrize("words", [["--", "-x"], ["-x"], ["--foo", "bar"], ['"', "OR"], ["*"], ["-"]])
def test_words_are_text(memory: Path, mneme: Runner, words: list[str]) -> None:
    assert mneme("find", *words).code == 0


def test_json(memory: Path, mneme: Runner) -> None:
    document = json.loads(mneme("find", "cache retention", "--format", "json", "--limit", "1").out)
    assert document["version"] == 1
    assert document["kind"] == "find"
    assert document["query"] == "cache retention"
    (hit,) = document["hits"]
    assert hit["score"] > 1
    assert {name: hit[name] for name in ("id", "state", "trust", "verify", "path", "line")} == {
        "id": "DEC-0002", "state": "live", "trust": "verify", "verify": "not confirmed for 116 days",
        "path": "notes.mneme", "line": 6,
    }  # fmt: skip


def test_decay_days_of_the_project_count(memory: Path, mneme: Runner) -> None:
    (memory / "mneme.toml").write_text("decay-days = 400\n")
    assert mneme("find", "retention").out.startswith("DEC-0002  live  use  ")


def test_files_topics_and_unreadable_ones(memory: Path, mneme: Runner) -> None:
    (memory / "other.mneme").write_bytes(b"@ DEC-0009\ngist cache\nstate live\n")
    (memory / "bad.mneme").write_bytes(b"\xff")
    assert mneme("find", "cache", "--file", "other.mneme").out.startswith("DEC-0009")
    assert mneme("find", "cache", "--topic", "storage/*", "--file", "notes.mneme").out.startswith("DEC-0002")
    assert mneme("find", "cache", "--file", "-", stdin=b"@ X-1\ngist cache\nstate live\n").out.startswith("X-1")
    result = mneme("find", "cache")
    assert result.code == 2
    assert "bad.mneme" in result.err
    assert "DEC-0002" in result.out


def test_no_words_is_misuse(memory: Path, mneme: Runner) -> None:
    assert mneme("find").code == 2


def test_a_hit_that_holds_little_of_the_question_is_marked(memory: Path, mneme: Runner) -> None:
    result = mneme("find", "数据库密码")
    assert (
        result.out == "DEC-0001  live  use  本地缓存改用数据库文件，不再写文本  [存储/本地]  (matches only: 数据库)\n"
    )
    assert result.err == "mneme: no cell holds most of these words\n"
    hits = json.loads(mneme("find", "数据库密码", "--format", "json").out)["hits"]
    assert [hit["matches_only"] for hit in hits] == ["数据库"]
    assert "matches only" not in mneme("find", "数据库文件").out
    assert "(matches only: cache)" in mneme("find", "cache eviction policy").out
    assert "matches only" not in mneme("find", "DEC-0001 eviction policy").out.splitlines()[0]


@pytest.mark.parametrize("words", [[""], [" ", "\t"]])
def test_nothing_to_look_for_is_misuse(memory: Path, mneme: Runner, words: list[str]) -> None:
    result = mneme("find", *words)
    assert (result.code, result.out) == (2, "")
    assert "nothing to look for" in result.err
