"""Pairs of live cells: which say the same, which contradict each other, and which only look alike."""

from __future__ import annotations

import pytest

from mneme.format.conflict import stronger
from mneme.format.parser import parse_cell
from mneme.lint.rules.contradiction import CONTRADICTION
from mneme.lint.rules.near_duplicate import NEAR_DUPLICATE
from tests.conftest import cell
from tests.unit.lint.world import document, told


def pairs(text: str) -> list[tuple[str, str]]:
    """Return the pairs of a list: two gists a line, a bar between them."""
    found = []
    for line in text.strip().split("\n"):
        one, other = line.split(" | ")
        found.append((one.strip(), other.strip()))
    return found


SAME = pairs("""
Local cache uses SQLite instead of JSON files | Local cache uses SQLite instead of JSON files
Local cache uses SQLite instead of JSON files | local cache uses SQLite, instead of JSON files.
Local cache uses SQLite instead of JSON files | The local cache uses SQLite instead of JSON files
Use SQLite for the local cache | For the local cache, use SQLite
Tests never sleep; freeze time with the clock fixture | Freeze time with the clock fixture; tests never sleep
Don't log the addresses of customers | Do not log the addresses of customers!
Customer notifications are sent by beacon over SMS | Customer notifications are always sent by beacon over SMS
Webhook handlers store the raw event and answer 202 | Webhook handlers store the raw event and then answer 202
Route plans are computed by compass every night | Route plans are computed by compass every single night
Page size is capped at ２００ rows | Page size is capped at 200 rows
本地缓存使用 SQLite,不用 JSON 文件 | 本地缓存使用SQLite，不用JSON文件。
本地缓存使用 SQLite,不用 JSON 文件 | 本地缓存目前使用 SQLite,不用 JSON 文件
接口统一返回 code,业务错误看 msg | 业务错误看 msg,接口统一返回 code
キャッシュは SQLite を使う | キャッシュは、SQLite を使う。
""")

DIFFERENT = pairs("""
The test database is wiped every Monday morning | The prod database is wiped every Monday morning
Staging Redis runs with maxmemory-policy noeviction | Production Redis runs with maxmemory-policy noeviction
March incident: invoices went out without VAT | April incident: invoices went out without VAT
A client may send 10 requests a second | A client may send 100 requests a second
Agents are allowed to run migrations | Agents are not allowed to run migrations
Alice owns the billing service and its alerts | Bob owns the billing service and its alerts
The harbor team owns the gateway alerts | The compass team owns the gateway alerts
harbor calls compass for every new order | compass calls harbor for every new order
Copy the dump from staging to production | Copy the dump from production to staging
Use tabs instead of spaces in Go files | Use spaces instead of tabs in Go files
Backups are kept for 35 days in Frankfurt | Staging backups are kept for 35 days in Frankfurt
Deploys to the EU region run at noon | Deploys to the region run at noon
Pushes go through the vendor with high priority | Pushes go through the vendor Acme with high priority
Invoices are sent to the carrier on the first | Invoices are never sent to the carrier on the first
Invoices are sent to the carrier by mail | Invoices are only sent to the carrier by mail
Requests are cut off after 30 seconds of silence | harbor requests are cut off after 30 seconds of silence
Orders are sent to the vendor by mail at noon | Orders are sent to the billing vendor by mail at noon
Row locks in ledger time out after 5 seconds | Row locks in ledger2 time out after 5 seconds
API version v1 is kept for partners | API version v2 is kept for partners
The reader retries three times | The writer retries three times
Slow | Slow
Use SQLite | Use SQLite
上海机房为主,承载全部写流量 | 成都机房为主,承载全部写流量
测试环境每晚 23 点自动关机 | 预发环境每晚 23 点自动关机
应用日志保留 7 天 | 应用日志保留 70 天
代理可以执行 lt db migrate | 代理不可以执行 lt db migrate
flow-engine 调用 authz-center 校验权限 | authz-center 调用 flow-engine 校验权限
采购审批超过 5 万加财务 | 报销审批超过 5 万加财务
三月事故:发票没有税额 | 四月事故:发票没有税额
由张三负责网关告警 | 由李四负责网关告警
""")


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_said_twice_is_found_once(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        world = document(cell("DEC-0001", gist=first), cell("DEC-0002", gist=second, topic="storage/files"))
        assert told(NEAR_DUPLICATE, world) == ["DEC-0002 says the same as DEC-0001 (project.mneme:1)"]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_cells_that_differ_in_a_telling_word_are_not_the_same(one: str, other: str) -> None:
    assert told(NEAR_DUPLICATE, document(cell("DEC-0001", gist=one), cell("DEC-0002", gist=other))) == []


def test_only_live_cells_of_one_layer_and_of_two_ids_are_compared() -> None:
    shared = document(cell("DEC-0001"))
    assert told(NEAR_DUPLICATE, shared, document(cell("DEC-0002"), name="me.local.mneme")) == []
    assert told(NEAR_DUPLICATE, document(cell("DEC-0001"), cell("DEC-0001"))) == []
    assert told(NEAR_DUPLICATE, document(cell("DEC-0001"), cell("DEC-0002", state="stale"))) == []
    linked = cell("DEC-0002", more="link  supersedes DEC-0001\n")
    assert told(NEAR_DUPLICATE, document(cell("DEC-0001"), linked)) == []
    assert len(told(NEAR_DUPLICATE, shared, document(cell("DEC-0002"), name="more.mneme"))) == 1


def test_one_word_more_under_another_head_of_topics_is_another_memory() -> None:
    gist, longer = "Requests are cut off after a while there", "Requests are cut off after a good while there"
    near = document(cell("DEC-0001", gist=gist, topic="api/a"), cell("DEC-0002", gist=longer, topic="api/b"))
    far = document(cell("DEC-0001", gist=gist, topic="api/a"), cell("DEC-0002", gist=longer, topic="jobs/b"))
    assert (len(told(NEAR_DUPLICATE, near)), len(told(NEAR_DUPLICATE, far))) == (1, 0)


def test_many_of_the_same_are_each_told_once() -> None:
    world = document(*[cell(f"DEC-{number:04d}") for number in range(1, 51)])
    assert len(told(NEAR_DUPLICATE, world)) == 49


CONTRADICTING = pairs("""
Agents are allowed to run migrations | Agents are not allowed to run migrations
Retries are enabled for webhooks | Retries are disabled for webhooks
Always squash commits before merging | Never squash commits before merging
The cache uses Redis for locks | The cache does not use Redis for locks
CI allows network access in tests | CI forbids network access in tests
Idle sessions end after 30 minutes | Idle sessions end after 90 minutes
Upload size is limited to 5 MB | Upload size is limited to 50 MB
Requests time out after 30s on every route | Requests time out after 10s on every route
Page size is capped at 200 | Page size is capped at 500
Error budget burn may exceed 2% a day | Error budget burn may exceed 5% a day
建表时使用外键约束 | 建表时不使用外键约束
测试中允许访问外网 | 测试中禁止访问外网
生产环境开启慢查询日志 | 生产环境关闭慢查询日志
应用日志保留 7 天 | 应用日志保留 30 天
导出任务超时 60 秒 | 导出任务超时 600 秒
""")

AGREEING = pairs("""
Retries are disabled for webhooks | Retries are not enabled for webhooks
Retries are enabled for webhooks | Retries are disabled for mails
Production Redis never evicts keys | Staging Redis evicts keys
Retry 1 of a webhook waits 10 seconds | Retry 2 of a webhook waits 60 seconds
Python 3.11 runs the build agents | Python 3.12 runs the build agents
harbor listens on port 8080 | harbor listens on port 8081
Phase 1 moves the readers to Kafka | Phase 2 moves the readers to Kafka
Outage of 11 March hit every service | Outage of 12 March hit every service
Sev1 calls by phone after 0 minutes | Sev2 calls by phone after 15 minutes
H1 2026 goal: 99.9% availability | H2 2026 goal: 99.5% availability
Android push holds messages for 15 minutes | iOS push holds messages for 5 minutes
iOS pushes are silent and delayed | Android pushes are not silent and delayed
3 月 11 日审批列表打不开 | 3 月 12 日审批列表打不开
采购审批 5 万元以下部门负责人批 | 报销审批 2 万元以下部门负责人批
上海机房承载全部写流量 | 成都机房不承载全部写流量
Node 16 构建前端 | Node 20 构建前端
Yes or no | Yes or not
""")


@pytest.mark.parametrize(("one", "other"), CONTRADICTING)
def test_two_answers_on_one_topic_are_found(one: str, other: str) -> None:
    older = cell("DEC-0001", gist=one, seen="2026-11-05")
    world = document(older, cell("DEC-0002", gist=other, seen="2026-11-20"))
    assert len(told(CONTRADICTION, world)) == 1
    apart = document(older, cell("DEC-0002", gist=other, topic="else/where"))
    assert told(CONTRADICTION, apart) == []


@pytest.mark.parametrize(("one", "other"), AGREEING)
def test_two_subjects_on_one_topic_do_not_contradict(one: str, other: str) -> None:
    assert told(CONTRADICTION, document(cell("DEC-0001", gist=one), cell("DEC-0002", gist=other))) == []


def test_a_contradiction_names_the_winner() -> None:
    one = cell("DEC-0001", gist="Idle sessions end after 30 minutes", conf="high", seen="2026-11-05")
    two = cell("DEC-0002", gist="Idle sessions end after 90 minutes", conf="med", seen="2026-11-20")
    assert told(CONTRADICTION, document(one, two)) == ["DEC-0002 contradicts DEC-0001 on storage/cache: 90 against 30"]
    two = two.replace("conf med", "conf high")
    assert told(CONTRADICTION, document(one, two)) == ["DEC-0001 contradicts DEC-0002 on storage/cache: 30 against 90"]
    linked = two + "link  supersedes DEC-0001\n"
    assert told(CONTRADICTION, document(one, linked)) == []
    assert told(CONTRADICTION, document(one), document(two, name="me.local.mneme")) == []


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ("conf high   since 2026-11-01   seen 2026-11-02", "conf med   since 2026-11-01   seen 2026-11-20", 0),
        ("conf low   since 2026-11-01   seen 2026-11-20", "conf med   since 2026-11-01   seen 2026-11-02", 1),
        ("conf med   since 2026-11-01   seen 2026-11-02", "since 2026-11-01   seen 2026-11-03", 1),
        ("conf sure   since 2026-11-01   seen 2026-11-20", "conf low   since 2026-11-01   seen 2026-11-02", 1),
        ("conf high   since 2026-11-01   seen soon", "conf high   since 2026-11-01   seen 2020-01-01", 1),
        ("conf high   since 2026-11-01   seen 2026-11-02", "conf high   since 2026-01-01   seen 2026-11-02", None),
    ],
)
def test_higher_confidence_wins_then_the_one_seen_later(first: str, second: str, winner: int | None) -> None:
    cells = [
        parse_cell(f"@ DEC-000{number}  a/b\ngist  g\nstate live   {rest}\n")
        for number, rest in enumerate((first, second))
    ]
    assert stronger(cells) is (None if winner is None else cells[winner])
    assert stronger(reversed(cells)) is (None if winner is None else cells[winner])
    assert stronger([]) is None
