"""Finding cells by words."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.format.model import Placed
from mneme.format.parser import parse
from mneme.format.trust import Trust
from mneme.memory.find import find, lines

MEMORY = """\
@ DEC-0001  存储/本地
gist  本地缓存改用数据库文件，不再写文本
state live   conf high   since 2026-11-01   seen 2026-11-20
cue   并发写入 / 数据损坏
> 文本文件并发写入会损坏

@ FACT-0002  遊び/言葉
gist  今日はしりとりをした。ﾃﾞｰﾀは残る
state live   conf high   since 2026-11-01   seen 2026-11-20
cue   言葉遊び

@ FACT-0003  놀이/말
gist  오늘 끝말잇기 게임을 했다
state live   conf high   since 2026-11-01   seen 2026-11-20
cue   말놀이

@ DEC-0004  storage/cache
gist  Local cache uses SQLite instead of JSON files
state live   conf high   since 2026-11-01   seen 2026-11-20
cue   slow queries / cache corruption
> See src/store/cache_file.py; the CI/CD job checks it. Benchmarks in C# and C++.

@ DEC-0005  storage/cache
gist  Cache files are JSON
state superseded   conf high   since 2026-01-01   seen 2026-03-01
cue   flat files / human readable
link  superseded-by DEC-0004

@ FACT-0006  office/café
gist  The résumé scanner stands in the Café Müller room
state stale   conf med   since 2026-11-01   seen 2026-11-20
cue   paper

@ PREF-0007  team/review
gist  Reviews happen before lunch
state proposed   conf low   since 2026-11-01   seen 2026-11-20
cue   approvals

@ GOTCHA-0008  api/paging
gist  Page size is capped at 200 and X-Total-Count is wrong with filters
state retired   conf high   since 2026-01-01   seen 2026-02-01
cue   pagination

@ DEC-0009  api/limits
gist  Queries are limited to five a second
state live   conf high   since 2026-11-01   seen 2026-11-20
cue   rate limit
link  depends-on DEC-0004
"""
PLACED = parse(MEMORY).placed


def found(query: str, placed: list[Placed] = PLACED, **options: object) -> list[str]:
    return [hit.place.cell.id for hit in find(placed, query, **options)]  # type: ignore[arg-type]


FIRST = {
    # Two characters are enough, and so is a whole question.
    "缓存": "DEC-0001", "并发写入": "DEC-0001", "损坏": "DEC-0001", "为什么不写文本了？": "DEC-0001", "库": "DEC-0001",
    "しりとり": "FACT-0002", "データ": "FACT-0002", "ﾃﾞｰﾀ": "FACT-0002", "遊び": "FACT-0002",
    "끝말잇기": "FACT-0003", "게임": "FACT-0003", "말놀이를": "FACT-0003",
    # Case, width, accents, other forms of a word, questions.
    "SQLITE": "DEC-0004", "ｓｑｌｉｔｅ": "DEC-0004", "cafe": "FACT-0006", "Café": "FACT-0006", "muller": "FACT-0006",
    "resume": "FACT-0006", "slow query": "DEC-0004", "why is the cache corrupted?": "DEC-0004", "caching": "DEC-0004",
    "what uses SQLite": "DEC-0004",
    # Identifiers: whole, or a part.
    "src/store/cache_file.py": "DEC-0004", "cache_file": "DEC-0004", "CI/CD": "DEC-0004", "C#": "DEC-0004",
    "C++": "DEC-0004", "storage/cache": "DEC-0004", "cache_file.py:12": "DEC-0004",
    # IDs, also misspelt; then what links there.
    "DEC-0009": "DEC-0009", "dec-9": "DEC-0009", "DEC–0009": "DEC-0009", "FACT-0003 cache": "FACT-0003",
}  # fmt: skip


@pytest.mark.parametrize(("query", "first"), FIRST.items())
def test_first(query: str, first: str) -> None:
    assert found(query)[:1] == [first]


def test_more_words_come_before_better_fields() -> None:
    assert found("cache")[0] == "DEC-0004"
    assert found("cache five second")[0] == "DEC-0009"
    assert found("queries limited second slow")[:2] == ["DEC-0009", "DEC-0004"]


def test_an_id_finds_the_cell_and_then_what_links_to_it() -> None:
    assert found("DEC-0004") == ["DEC-0004", "DEC-0009"]


def ranked(*rows: str) -> list[str]:
    """Return the order in which cells made of ``ID state conf seen gist`` match "needle"."""
    text = ""
    for row in rows:
        cell_id, state, conf, seen, gist = row.split(maxsplit=4)
        text += f"@ {cell_id}\ngist {gist}\nstate {state} conf {conf} seen {seen}\n"
    return found("needle", parse(text).placed, everything=True)


def test_of_equal_matches_live_then_confidence_then_seen_then_place_decide() -> None:
    assert ranked(
        "A-1 stale high 2026-11-20 needle",
        "A-2 live low 2026-11-20 needle",
        "A-3 live high 2026-11-19 needle",
        "A-4 live high 2026-11-20 needle",
        "A-5 live high 2026-11-20 needle",
        "A-6 retired high 2026-11-21 needle",
        "A-7 proposed high 2026-11-21 needle",
    ) == ["A-4", "A-5", "A-3", "A-2", "A-1", "A-7", "A-6"]


def test_cue_before_topic_before_gist_before_body() -> None:
    state = "state live conf high seen 2026-11-20"
    text = (
        f"@ A-1\ngist other\n{state}\n> needle\n@ A-2\ngist needle\n{state}\n@ A-3 needle\ngist other\n{state}\n"
        f"@ A-4\ngist other\n{state}\ncue needle\n"
    )
    assert found("needle", parse(text).placed) == ["A-4", "A-3", "A-2", "A-1"]


def test_a_whole_word_before_a_beginning_before_the_inside() -> None:
    assert ranked(
        "A-1 live high 2026-11-20 haystackneedlehaystack",
        "A-2 live high 2026-11-20 needlework",
        "A-3 live high 2026-11-20 a needle",
    ) == ["A-3", "A-2", "A-1"]


def test_a_superseded_cell_speaks_for_its_successor() -> None:
    hits = find(PLACED, "human readable flat")
    assert [(hit.place.cell.id, hit.via) for hit in hits] == [("DEC-0004", "DEC-0005")]


def test_other_states_only_when_asked_for_and_never_before_what_holds() -> None:
    assert found("lunch") == []
    assert found("lunch", everything=True) == ["PREF-0007"]
    assert found("pagination", everything=True) == ["GOTCHA-0008"]
    assert found("JSON cache files", everything=True)[0] == "DEC-0004"


def test_topics_and_limit() -> None:
    assert found("cache queries", topics=["api/*"]) == ["DEC-0009"]
    assert len(found("cache queries limit", limit=1)) == 1
    assert found("cache", topics=["no/*"]) == []


SYNTAX = [
    '"', '"cache', "cache*", "cache:", "*", "OR", "NOT cache", "-cache", "(", "a AND", "NEAR(", "^cache", "'", "\\",
    "%", "[", "", " ", "--", "cache -corruption", "gist:cache",
]  # fmt: skip


@pytest.mark.parametrize("query", SYNTAX)
def test_a_query_is_text_and_never_syntax(query: str) -> None:
    result = found(query)
    if "cache" in query:
        assert result[0] == "DEC-0004"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30))
def test_any_query_and_always_the_same_answer(query: str) -> None:
    first = found(query, everything=True, limit=None)
    assert first == found(query, everything=True, limit=None)
    assert len(first) == len(set(first))


def test_ten_thousand_cells_are_searched_in_a_moment() -> None:
    choose = random.Random(7)
    words = ["".join(choose.choices("abcdefghijklmnop", k=choose.randint(3, 9))) for _ in range(2000)]
    han = "缓存写入数据损坏并发查询很慢接口限流发票审批引擎权限模型"
    text = "".join(
        f"@ A-{number}  {choose.choice(words)}/{choose.choice(words)}\n"
        f"gist  {' '.join(choose.choices(words, k=7))} {''.join(choose.choices(han, k=8))}\n"
        "state live   conf high   since 2026-11-01   seen 2026-11-20\n"
        f"cue   {' / '.join(choose.choices(words, k=4))}\n> {' '.join(choose.choices(words, k=9))}\n"
        for number in range(10_000)
    )
    placed = parse(text).placed
    started = time.process_time()
    hits = find(placed, f"why is {words[3]} {words[4]} slow 缓存损坏")
    assert time.process_time() - started < 1.0  # 0.2 s where nothing else runs
    assert len(hits) == 10


def test_nothing_in_a_line_is_hidden() -> None:
    text = (
        "@ DEC-1\r  a\x1bb\ngist needle\u202e\nstate superseded\nlink superseded-by DEC-2\n"
        "@ DEC-2\x07\ngist needle\nstate live\n@ DEC-2\ngist x\nstate live\n"
    )
    hits = find(parse(text).placed, "needle", everything=True)
    shown = lines(hits, lambda cell: Trust("use"))
    assert len(shown) == 3
    assert all(line.isprintable() for line in shown)
    assert any("(in place of DEC-1<U+000D>)" in line for line in shown)


def test_a_topic_that_is_the_word_comes_before_longer_words_that_hold_it() -> None:
    state = "state live conf high seen 2026-11-20"
    text = (
        f"@ A-1\ngist 生产库没有写权限\n{state}\ncue 写权限\n@ A-2\ngist 权限清空了\n{state}\ncue 权限清空\n"
        f"@ A-3 权限/模型\ngist 改为关系型授权\n{state}\n@ A-4\ngist 代理不得连生产库\n{state}\ncue 代理 / 权限\n"
    )
    assert found("权限", parse(text).placed) == ["A-4", "A-3", "A-1", "A-2"]
