"""Questions asked on the command line, of a store that was compiled there: nothing is syntax, no script is left out."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

CELL = "@ {}  {}\ngist  {}\nstate {}   conf high   since 2026-11-05   seen 2026-11-22\ncue   {}\n> why it was so\n{}\n"

REPLACED = CELL.format(
    "FACT-0001", "infra/ssh", "The ssh port of the build server is 22", "superseded", "ssh port / build server",
    "link  superseded-by FACT-0002\n",
) + CELL.format(
    "FACT-0002", "infra/ssh", "Shell logins to the build host use 49222 only", "live", "ssh / remote login",
    "link  supersedes FACT-0001\n",
)  # fmt: skip
SYNTAX = CELL.format(
    "DEC-0042", "storage/cache", "Do not use the file cache in tests", "live", "cache / tests", ""
) + CELL.format("DEC-0043", "storage/files", "One folder per tenant, see DEC-0042", "live", "tenants", "")
SCRIPTS = (
    CELL.format("DEC-0001", "存储/本地", "本地缓存改用数据库文件，不再写文本", "live", "并发写入 / 数据损坏", "")
    + CELL.format("FACT-0002", "遊び/言葉", "今日はしりとりをした", "live", "言葉遊び", "")
    + CELL.format("FACT-0003", "놀이/말", "오늘 끝말잇기 게임을 했다", "live", "말놀이", "")
)


def mneme(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mneme", *arguments], cwd=folder, capture_output=True, encoding="utf-8", timeout=60
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    for name, text in (("replaced", REPLACED), ("syntax", SYNTAX), ("scripts", SCRIPTS)):
        folder = made[name] = tmp_path_factory.mktemp(name)
        (folder / "notes.mneme").write_text(text, encoding="utf-8")
        done = mneme(folder, "compile", "--db", "s.db", "notes.mneme")
        assert done.returncode == 0, done.stderr
    return made


def test_the_replaced_fact_comes_after_its_replacement(folders: dict[str, Path]) -> None:
    done = mneme(folders["replaced"], "recall", "--db", "s.db", "what is the ssh port of the build server")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[0].startswith("FACT-0002")
    assert all("superseded" in line for line in lines if line.startswith("FACT-0001"))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("DEC-0042", "DEC-0042"),
        ("don't use the cache", "DEC-0042"),
        ('"half open', None),
        ("cache AND", "DEC-0042"),
        ("cache*", "DEC-0042"),
        ("gist:cache", "DEC-0042"),
        ("(", None),
        ("storage/cache", "DEC-0042"),
        ("*", None),
        ("NEAR(a b)", None),
        ("a - b ^ {c}", None),
        ("--db", None),
    ],
)
def test_any_text_is_a_question(folders: dict[str, Path], question: str, first: str | None) -> None:
    done = mneme(folders["syntax"], "recall", "--db", "s.db", "--", question)
    assert done.returncode == 0, done.stderr
    assert not re.search("(?i)OperationalError|syntax error|no such column|malformed|unterminated", done.stderr)
    assert (done.stdout.split() or [None])[0] == first


@pytest.mark.parametrize(
    ("question", "first"),
    [("缓存", "DEC-0001"), ("并发写入", "DEC-0001"), ("しりとり", "FACT-0002"), ("끝말잇기", "FACT-0003")],
)
def test_two_characters_find_their_cell(folders: dict[str, Path], question: str, first: str) -> None:
    done = mneme(folders["scripts"], "recall", "--db", "s.db", question)
    assert done.stdout.split()[0] == first


def test_the_store_is_as_the_compile_left_it(folders: dict[str, Path]) -> None:
    path = folders["scripts"] / "s.db"
    before = path.read_bytes()
    mneme(folders["scripts"], "recall", "--db", "s.db", "缓存")
    assert path.read_bytes() == before
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO mneme_lexicon (mneme_lexicon) VALUES ('integrity-check')")
    connection.close()
