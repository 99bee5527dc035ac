"""Generated memory files for measuring: the same seed gives the same text on every machine."""

from __future__ import annotations

import itertools
import random
from datetime import date, timedelta

TODAY = date(2026, 11, 25)
PREFIXES = ("DEC", "FACT", "PREF", "GOTCHA", "TODO")


def words(rng: random.Random, count: int = 2000) -> list[str]:
    """Return distinct made-up words of three to nine letters."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 9)))] = None
    return list(found)


def memory(cells: int, seed: int = 1) -> str:
    """Return a file of ``cells`` live cells: 9-word gists, 4 cues, 0 to 2 body lines, 30 % linked, none overdue."""
    rng = random.Random(seed)
    vocabulary = words(rng)
    ids: list[str] = []
    parts = ["# generated for measuring\n\n"]
    for number in range(1, cells + 1):
        cell_id = f"{rng.choice(PREFIXES)}-{number:04d}"
        since = TODAY - timedelta(days=rng.randint(40, 700))
        seen = TODAY - timedelta(days=rng.randint(0, 30))
        cues = " / ".join(f"{rng.choice(vocabulary)} {rng.choice(vocabulary)}" for _ in range(4))
        lines = [
            f"@ {cell_id}  {rng.choice(vocabulary)}/{rng.choice(vocabulary)}",
            f"gist  {' '.join(rng.choice(vocabulary) for _ in range(9))}",
            f"state live   conf {rng.choice(('high', 'med'))}   since {since}   seen {seen}",
            f"cue   {cues}",
        ]
        lines += [f"> {' '.join(rng.choice(vocabulary) for _ in range(12))}" for _ in range(rng.randint(0, 2))]
        if ids and rng.random() < 0.3:
            lines.append(f"link  relates {rng.choice(ids)}")
        ids.append(cell_id)
        parts.append("\n".join(lines) + "\n\n")
    return "".join(parts)


# --- a workspace as people keep one: several files, two languages, words as frequent as words are ----------------

TOPICS = (
    "storage/cache", "storage/schema", "api/paging", "api/auth", "api/errors", "build/ci", "build/release", "ui/forms",
    "ui/tables", "search/index", "search/ranking", "deploy/nodes", "deploy/rollback", "docs/style", "team/process",
)  # fmt: skip
THINGS = (
    "SQLite", "Redis", "PostgreSQL", "Docker", "GitHub", "DataLoader", "QueryPlanner", "HttpClient", "TokenStore",
    "Nginx", "JobQueue", "RateLimiter", "Kafka", "Python", "TypeScript", "OAuth", "GraphQL", "WebSocket",
    "UserService", "Kubernetes",
)  # fmt: skip
SHAPES = (
    "{t} {a} {b} instead of {c} {d}", "the {a} {b} of {t} is limited to {n} {c}", "{a} {b} must {c} before {d}",
    "{t} {a} {b} because {c} {d} fails", "never {a} the {b} while {t} is {c}", "{a} {b} lead to {c} in {t}",
    "use {a} {b} for {c} and {d}",
)  # fmt: skip
CHINESE = (
    "{t} 的{a}使用{b}而不是{c}", "因为{a}太慢，所以改用{b}", "{a}之前必须先检查{b}", "{b}的上限是 {n}，超过会导致{c}",
    "不要在{a}期间修改{b}", "{t} 负责{a}和{b}",
)  # fmt: skip
NOUNS = (
    "缓存", "数据库", "索引", "并发写入", "分页", "认证", "令牌", "错误处理", "日志", "部署", "回滚", "测试", "配置",
    "队列", "超时", "重试", "查询", "迁移", "备份", "权限", "接口", "文档", "版本", "发布", "监控", "内存", "磁盘",
    "网络", "会话", "事务", "锁", "快照", "编码", "解析", "排序", "搜索", "推荐", "用户", "界面", "表单",
)  # fmt: skip
RELATIONS = ("relates", "relates", "relates", "depends-on", "causes", "enables", "refines", "blocks")


class Writer:
    """Writes sentences from one source of randomness. A few words are very frequent and most are rare."""

    def __init__(self, seed: int, vocabulary: int) -> None:
        self.rng = random.Random(seed)
        self.words = words(self.rng, vocabulary)
        self._weights = list(itertools.accumulate(1 / (rank + 20) for rank in range(vocabulary)))

    def word(self) -> str:
        """Return a word."""
        return self.rng.choices(self.words, cum_weights=self._weights)[0]

    def sentence(self, *, chinese: bool) -> str:
        """Return a sentence of up to about a dozen words."""
        rng = self.rng
        word = (lambda: rng.choice(NOUNS)) if chinese else self.word
        shape = rng.choice(CHINESE if chinese else SHAPES)
        return shape.format(
            t=rng.choice(THINGS), n=rng.randint(2, 500), a=word(), b=word(), c=word(), d=word(),
        )  # fmt: skip


def workspace(cells: int, seed: int = 1) -> dict[str, str]:
    """Return memory files by name that hold ``cells`` cells, with the mix of a project of some years.

    A quarter is Chinese; half has a body; a third has links, one in twelve supersedes another; a few are stale,
    proposed or retired; one in three was written by an agent. Files are by topic, with at most a thousand cells each.
    """
    writer = Writer(seed, vocabulary=max(1000, min(20_000, cells)))
    rng = writer.rng
    ids: list[str] = []
    olds: set[str] = set()
    rows: list[tuple[str, str, list[str]]] = []  # ID, topic, lines
    states: dict[str, str] = {}
    for number in range(1, cells + 1):
        cell_id = f"{rng.choice(PREFIXES)}-{number:04d}"
        topic = rng.choice(TOPICS)
        chinese = rng.random() < 0.25
        since = TODAY - timedelta(days=int(1000 * (1 - number / cells)) + rng.randint(20, 40))
        seen = max(since, TODAY - timedelta(days=rng.randint(0, 60)))
        states[cell_id] = rng.choices(("live", "stale", "proposed", "retired"), (90, 5, 2, 3))[0]
        cues = " / ".join(
            rng.choice(NOUNS) if chinese else f"{writer.word()} {writer.word()}" for _ in range(rng.randint(2, 4))
        )
        lines = [
            f"gist  {writer.sentence(chinese=chinese)}",
            f"state {{state}}   conf {rng.choice(('high', 'high', 'med', 'low'))}   since {since}   seen {seen}",
            f"cue   {cues}",
        ]
        if rng.random() < 0.5:
            lines += [f"> {writer.sentence(chinese=chinese)}." for _ in range(rng.randint(1, 5))]
        if rng.random() < 0.2:
            lines.append(f"ref   src/{writer.word()}/{writer.word()}.py")
        if rng.random() < 0.33:
            lines.append(f"origin agent={rng.choice(('coder', 'reviewer'))} session={rng.randint(1, 1 + cells // 20)}")
        if ids and rng.random() < 1 / 12:
            old = ids[max(0, len(ids) - rng.randint(1, 200))]
            if old not in olds:
                olds.add(old)
                states[old] = "superseded"
                lines.append(f"link  supersedes {old}")
        elif ids and rng.random() < 0.28:
            for other in {rng.choice(ids[-500:]) for _ in range(rng.randint(1, 2))}:
                lines.append(f"link  {rng.choice(RELATIONS)} {other}")
        ids.append(cell_id)
        rows.append((cell_id, topic, lines))
    newer = {line.split()[-1]: key for key, _, lines in rows for line in lines if line.startswith("link  supersedes ")}
    files: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for cell_id, topic, lines in rows:
        counts[topic] = counts.get(topic, 0) + 1
        name = f"memory/{topic.replace('/', '-')}-{1 + (counts[topic] - 1) // 1000}.mneme"
        text = "\n".join([f"@ {cell_id}  {topic}", *lines]).format(state=states[cell_id])
        if cell_id in newer:
            text += f"\nlink  superseded-by {newer[cell_id]}"
        files.setdefault(name, ["# generated for measuring\n\n"]).append(text + "\n\n")
    return {name: "".join(parts) for name, parts in files.items()}


def questions(count: int, cells: int, seed: int = 1) -> list[str]:
    """Return questions about ``workspace(cells, seed)``: some of a few words, some why and when, a quarter Chinese."""
    writer = Writer(seed, vocabulary=max(1000, min(20_000, cells)))
    rng = random.Random(seed + 1000)
    writer.rng = rng
    found = []
    for number in range(count):
        if number % 4 == 3:
            found.append(
                rng.choice(("为什么{a}使用{b}", "{a}和{b}", "什么时候改用{b}")).format(
                    a=rng.choice(NOUNS), b=rng.choice(NOUNS)
                )
            )
        else:
            shape = ("why does {t} {a} {b}", "{a} {b}", "when did we {a} the {b} of {t}", "{t} {a} {b} {c}")[number % 4]
            found.append(shape.format(t=rng.choice(THINGS), a=writer.word(), b=writer.word(), c=writer.word()))
    return found
