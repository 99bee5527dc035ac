"""MN502: a gist that does not stand by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.lazy import lazy
from mneme.text.visible import quote

# A sentence may begin with "it" that means nothing ("It takes 5 minutes to …"), and with "this" and what it is.
_START = lazy(
    r"""(?P<at>
      it(?!(?:['’]s|\s+is|\s+was)\s.*\b(?:to|that)\b)
        (?!\s+(?:(?:must|should|can|may|will)\s+(?:not\s+)?(?:be\s+(?:possible|safe|clear|noted|easy)|happen|take|seem)
        |takes|took|seems|seemed|appears|turns|turned|costs|pays|helps)\s.*\b(?:to|that|when|if|for)\b)(?:['’]s)?
    | its | they | them | he | she
    | th(?:is|ese|ose)(?!\s+(?:project|repo|repository|codebase|monorepo|package|library|workspace|team|company|machine
        |memory|file|document|who|that|year|month|week|quarter)\b)
    | that(?=\s+(?:is|was|does|did|means|must|should|will|can|never|always|breaks|fails|works)\b|['’]s\b)
    | the\s+(?:former|latter) | the\s+same\s+(?:as\s+(?:above|before)|applies|goes|holds) | same\s+as\s+(?:above|before)
    | ditto | also(?=[\s,]) | (?:however|therefore|instead|furthermore|moreover)(?=,) | but(?=\s)
    )(?![\w'’-])""",
    re.IGNORECASE | re.VERBOSE,
)
_STARTS = frozenset({"it", "th", "he", "sh", "sa", "di", "al", "ho", "in", "fu", "mo", "bu"})

# An order whose object is somewhere else: "Restart it nightly", "Never do this on Fridays".
_OBJECT = lazy(
    r"""(?:(?:do\s+not|don['’]t|never|always|please|only)\s+)?
    (?!if\b|when\b|because\b|since\b|while\b|once\b|until\b|unless\b|after\b|before\b|like\b|is\b|make\b|as\b|for\b)[a-z]+\s+
    (?P<at>it|them|this|these|those)
    (?=\s+(?:in|on|for|to|with|when|if|before|after|by|at|from|only|instead|again|as|until|unless|because|every
        |everywhere|here|there|daily|nightly|weekly|manually)\b|[.,;!]|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_OBJECTS = (" it", " them", " this", " these", " those")

_PHRASE = lazy(
    r"""\b(?P<at>
      the\s+above(?![\w-]) | the\s+aforementioned | aforementioned
    | (?:see|as)\s+(?:above|below)(?![\w-])
    | as\s+(?:mentioned|discussed|described|noted|stated|explained)
        (?!\s+(?:in|by|at|under)\b)(?:\s+(?:above|below|before|earlier|previously))?
    | (?:mentioned|described|listed|discussed|shown)\s+(?:above|below|earlier|previously)
    | see\s+(?:the\s+)?previous(?:\s+(?:cell|entry|note|decision|item))?
    | the\s+previous\s+(?:cell|entry|note|item|message|point)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_PHRASES = (
    "above", "below", "aforementioned", "previous", "earlier", "mentioned", "discussed", "as described", "as noted",
    "as stated", "as explained",
)  # fmt: skip

_HAN_START = lazy(
    r"""\s*(?P<at>
      它们? | 牠 | 祂 | 她们? | 他们?(?!人|国|山|处) | (?:它|他|她)們
    | (?:这|這|该|該|此)(?![个個]?(?:项目|项工作|仓库|代码库|專案|倉庫|团队|公司))
    | 那(?:个|個|些|里|裡|种|種|样|樣) | 前者 | 后者 | 後者 | 其(?![他它余餘实實中])
    | (?:上面|以上|前面|下面)(?=[，,：:]|所|的|提|说|說|几|都|均|内容|內容|规则|規則|问题|問題|方案
        |步骤|步驟|配置|设置|结论|决定|做法)
    | これ | それ | あれ | この(?!プロジェクト|リポジトリ|チーム) | その(?!他|ほか|後) | あの
    | 이것 | 그것 | 이는\s | 그는\s
    )""",
    re.VERBOSE,
)
_HAN_PHRASE = lazy(
    r"(?P<at>上述|如上(?:所述|所示|面)?(?=[，,。；;：:\s的]|所|$)|同上(?![一-鿿])|见上(?:文|面)?(?![一-鿿])"
    r"|見上文|前文|上文|如前所述|[前上]面(?:提到|说过|說過|所说)|刚才|剛才|上記|前述|위와\s*같이|앞서\s*말한)"
)
_HAN_PHRASES = (
    "上述", "如上", "同上", "见上", "見上", "前文", "上文", "如前", "前面", "上面", "刚才", "剛才", "上記", "前述",
    "위와", "앞서",
)  # fmt: skip


@on_cells("MN502", "leaning-gist")
def LEANING_GIST(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A gist leans on a text around it: it begins with "it" or "this", or says "as mentioned above", 它, 上述.

    Why: the spine shows the gist alone, and there nobody knows what "it" is.

    Bad:
        @ DEC-0001  storage/cache
        gist  It uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache

    Good:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache

    Fix: none; supersede the cell by one that names its subject.
    """
    found: dict[int, tuple[Cell, re.Match[str]]] = {}
    for cell in batch.cells:
        if cell.gist[:2].lower() in _STARTS and (match := _START.match(cell.gist)) and not match["at"].isupper():
            found[id(cell)] = cell, match
    for cell in batch.pick(batch.gists.holding(_OBJECTS)):
        if match := _OBJECT.match(cell.gist):
            found.setdefault(id(cell), (cell, match))
    for cell in batch.pick(batch.gists.holding(_PHRASES)):
        if match := _PHRASE.search(cell.gist):
            found.setdefault(id(cell), (cell, match))
    for cell in batch.pick(batch.gists.holding(_HAN_PHRASES)):
        if match := _HAN_PHRASE.search(cell.gist):
            found.setdefault(id(cell), (cell, match))
    for cell in batch.exotic:
        if match := _HAN_START.match(cell.gist):
            found.setdefault(id(cell), (cell, match))
    for cell, match in found.values():
        start, end = match.span("at")
        offset = cell.span("gist")[0]
        yield Hit(
            cell, offset + start, offset + end,
            f"the gist leans on what is not there: {quote(match['at'])}",
            "name what is meant: the spine shows this line alone",
        )  # fmt: skip
