"""What a store says of itself (engine's facts, 8.8)."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import pytest

from mneme.graph.go_json import dumps
from mneme.graph.reports import NOTHING_LOGGED, log, receipt, status


class Row(NamedTuple):
    operation: str
    insight_id: str
    detail: str
    created_at: str


NOW = "2026-11-25T10:00:00Z"
UUID = "7b2f0c1e-1111-4222-8333-944445555666"


def test_8_8_status() -> None:
    totals = {"insights": 3, "deleted": 1, "edges": 4, "operations": 9}
    value = status(totals, {"fact": 2, "decision": 1}, [(f"E{n}", 30 - n) for n in range(25)], "/x/mnemon.db", 4096)
    assert value["top_entities"][0] == {"entity": "E0", "count": 30}
    assert len(value.pop("top_entities")) == 20
    assert dumps(value, indent=False) == (
        '{"total_insights":3,"deleted_insights":1,"by_category":{"decision":1,"fact":2},"edge_count":4,'
        '"oplog_count":9,"db_path":"/x/mnemon.db","db_size_bytes":4096}'
    )


def test_8_8_log() -> None:
    rows = [
        Row("remember", UUID, "x" * 61, NOW),
        Row("recall", "", "q=a\nb hits=2", NOW),
        Row("forget", "GOTCHA-0001", "", NOW),
    ]
    assert log(rows) == (
        "TIME                  OP        INSIGHT      DETAIL\n"
        f"{NOW}  remember  7b2f0c1e     {'x' * 57}...\n"
        f"{NOW}  recall                 q=a b hits=2\n"
        f"{NOW}  forget    GOTCHA-0001\n"
    )


@pytest.mark.parametrize(
    ("detail", "shown"), [("x" * 60, "x" * 60), ("x" * 61, "x" * 57 + "..."), ("存" * 61, "存" * 57 + "...")]
)
def test_8_8_a_detail_is_cut_at_60_characters(detail: str, shown: str) -> None:
    assert log([Row("gc", "", detail, NOW)]).endswith(f"  {shown}\n")


def test_nothing_in_a_log_moves_the_cursor() -> None:
    assert log([Row("gc", "A\x1b[2J", "a\r\x1b[1mb\u202ec", NOW)]).splitlines()[1].endswith("A [2J    a [1mb c")


def test_8_8_an_empty_log() -> None:
    assert log([]) == NOTHING_LOGGED + "\n"


def test_8_8_receipt() -> None:
    value = receipt(
        [Row("remember", UUID, "秘密", NOW), Row("recall", "", "", NOW)], store="default", limit=20, now=NOW
    )
    assert list(value) == ["schema", "generated_at", "store", "limit", "count", "privacy", "events"]
    assert value["schema"] == "mnemon.memory.receipt.v1"
    assert list(value["privacy"].items())[:2] == [("raw_detail_included", False), ("hash_algorithm", "sha256")]
    assert value["count"] == 2
    assert value["events"] == [
        {
            "event_name": "mnemon.memory.operation.observed",
            "operation": "remember",
            "created_at": NOW,
            "insight_id_hash": sha256(UUID.encode()).hexdigest(),
            "detail_hash": sha256("秘密".encode()).hexdigest(),
            "detail_present": True,
        },
        {
            "event_name": "mnemon.memory.operation.observed",
            "operation": "recall",
            "created_at": NOW,
            "detail_present": False,
        },
    ]
    assert "秘密" not in dumps(value)
