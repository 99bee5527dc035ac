"""The forms of results, byte for byte (engine's facts, 7.10, 8.2, 8.3)."""

from __future__ import annotations

import json
from functools import partial

from mneme.graph.go_json import dumps
from mneme.graph.model import Edge
from mneme.recall import forms, pipeline
from mneme.recall.search import basic, related, search
from tests.graphs import MemoryView, insight

recall = partial(pipeline.recall, ranker="magma")

QUERY = "why cache"
VIEW = MemoryView(
    [
        insight("DEC-0002", "Cache <b>moved</b> & works: 缓存", 2, category="decision", importance=4, tags=("a",)),
        insight("DEC-0001", "Cache in files", 1, category="decision", entities=("JSON",), source="agent"),
    ],
    [Edge("DEC-0002", "DEC-0001", "supersedes", 1.0)],
)

COMPACT = r"""{
  "results": [
    {
      "id": "DEC-0002",
      "content": "Cache \u003cb\u003emoved\u003c/b\u003e \u0026 works: 缓存",
      "category": "decision",
      "importance": 4,
      "intent": "WHY",
      "matched_via": "hybrid",
      "confidence": "low",
      "score": 0.225
    },
    {
      "id": "DEC-0001",
      "content": "Cache in files",
      "category": "decision",
      "importance": 3,
      "intent": "WHY",
      "matched_via": "supersedes",
      "confidence": "low",
      "score": 0.056,
      "superseded": true
    }
  ],
  "hint": "sparse_results"
}"""

VERBOSE = r"""{
  "results": [
    {
      "insight": {
        "id": "DEC-0002",
        "content": "Cache \u003cb\u003emoved\u003c/b\u003e \u0026 works: 缓存",
        "category": "decision",
        "importance": 4,
        "tags": [
          "a"
        ],
        "entities": [],
        "source": "user",
        "access_count": 0,
        "created_at": "2026-11-01T02:00:00Z",
        "updated_at": "2026-11-01T02:00:00Z"
      },
      "score": 0.225,
      "intent": "WHY",
      "via": "hybrid",
      "signals": {
        "keyword": 0.5,
        "entity": 0,
        "similarity": 0,
        "graph": 0
      }
    }
  ],
  "meta": {
    "intent": "WHY",
    "intent_source": "override",
    "anchor_count": 2,
    "traversed": 2
  }
}"""

BRIEF = (
    '{"results":[{"id":"DEC-0002","excerpt":"Cache <b>moved</b> &…","category":"decision","score":0.225,'
    '"confidence":"low"},{"id":"DEC-0001","excerpt":"Cache in files","category":"decision","score":0.056,'
    '"confidence":"low","superseded":true}],"hint":"sparse_results","detail_command":"mneme show <id>"}'
)

FOUND = r"""[
  {
    "id": "DEC-0002",
    "content": "Cache \u003cb\u003emoved\u003c/b\u003e \u0026 works: 缓存",
    "category": "decision",
    "importance": 4,
    "tags": [
      "a"
    ],
    "score": 0.5
  }
]"""

BRIEF_FOUND = (
    '{"results":[{"id":"DEC-0002","excerpt":"Cache <b>moved</b> &…","category":"decision","score":0.5}],'
    '"detail_command":"mneme show <id>"}'
)

NEAR = r"""[
  {
    "id": "DEC-0002",
    "content": "Cache \u003cb\u003emoved\u003c/b\u003e \u0026 works: 缓存",
    "category": "decision",
    "importance": 4,
    "depth": 1,
    "via_edge_type": "supersedes"
  }
]"""

BASIC = r"""[
  {
    "id": "DEC-0001",
    "content": "Cache in files",
    "category": "decision",
    "importance": 3,
    "tags": [],
    "entities": [
      "JSON"
    ],
    "source": "agent",
    "access_count": 0,
    "created_at": "2026-11-01T01:00:00Z",
    "updated_at": "2026-11-01T01:00:00Z"
  }
]"""

BRIEF_BASIC = (
    '{"results":[{"id":"DEC-0001","excerpt":"Cache in files","category":"decision"}],"hint":"sparse_results",'
    '"detail_command":"mneme show <id>"}'
)


def test_7_10_compact() -> None:
    assert dumps(forms.compact(recall(VIEW, QUERY))) == COMPACT


def test_7_10_verbose() -> None:
    assert dumps(forms.verbose(recall(VIEW, QUERY, intent="WHY", limit=1))) == VERBOSE


def test_7_10_verbose_has_the_hint_in_meta() -> None:
    assert forms.verbose(recall(VIEW, QUERY))["meta"]["hint"] == "sparse_results"


def test_7_10_brief_is_one_line() -> None:
    value = forms.brief(recall(VIEW, QUERY), QUERY, characters=22)
    assert dumps(value, indent=False, html=False) == BRIEF


def test_7_10_basic() -> None:
    assert dumps(forms.basic(basic(VIEW, "in FILES"))) == BASIC


def test_7_10_brief_of_basic() -> None:
    value = forms.brief_basic(basic(VIEW, "in FILES"), "in FILES", 10)
    assert dumps(value, indent=False, html=False) == BRIEF_BASIC


def test_8_3_search() -> None:
    assert dumps(forms.found(search(VIEW, QUERY, limit=1))) == FOUND


def test_8_3_brief_search() -> None:
    value = forms.brief_found(search(VIEW, QUERY, limit=1), QUERY, characters=22)
    assert dumps(value, indent=False, html=False) == BRIEF_FOUND


def test_8_2_related() -> None:
    assert dumps(forms.near(related(VIEW, "DEC-0001"))) == NEAR


def test_nothing_found() -> None:
    empty = MemoryView([])
    answer = recall(empty, QUERY)
    assert dumps(forms.compact(answer)) == '{\n  "results": [],\n  "hint": "sparse_results"\n}'
    assert dumps(forms.brief(answer, QUERY), indent=False) == '{"results":[],"hint":"sparse_results"}'
    assert dumps(forms.found(search(empty, QUERY))) == "[]"
    assert dumps(forms.basic(basic(empty, QUERY))) == "[]"


def test_1_1_deleted_at_is_there_only_when_deleted() -> None:
    assert list(forms.insight(insight("A", "x", deleted_at="2026-11-02T00:00:00Z")))[-1] == "deleted_at"
    assert "deleted_at" not in forms.insight(insight("A", "x"))


def test_what_we_know_beyond_comes_after_the_keys_of_the_engine() -> None:
    answer = recall(VIEW, QUERY)
    extras = {"DEC-0001": {"trust": "verify"}}
    for form in (
        forms.compact(answer, extras),
        forms.verbose(answer, extras),
        forms.brief(answer, QUERY, extras=extras),
    ):
        first, second = form["results"]
        assert "trust" not in first
        assert list(second)[-2:] == ["superseded", "trust"]
        assert json.loads(dumps(form)) == form
