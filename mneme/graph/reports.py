"""What a store says of itself: counts, its log, and a receipt of the log that gives no content away (facts 8.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

RECEIPT_SCHEMA = "mnemon.memory.receipt.v1"
RECEIPT_EVENT = "mnemon.memory.operation.observed"
RECEIPT_NOTE = (
    "IDs and details stand as SHA-256 without salt: whoever can guess a short value can confirm it. "
    "Operations and times are plain."
)

TOP_ENTITIES = 20
DEFAULT_LIMIT = 20

NOTHING_LOGGED = "Nothing is logged yet."

_DETAIL_CHARACTERS = 60
_ID_CHARACTERS = 8
_UNSHOWN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


class Logged(Protocol):
    """A row of the log."""

    @property
    def operation(self) -> str:
        """What was done."""

    @property
    def insight_id(self) -> str:
        """To what; empty when to no single insight."""

    @property
    def detail(self) -> str:
        """More about it; may be empty."""

    @property
    def created_at(self) -> str:
        """When, RFC 3339."""


def status(
    totals: Mapping[str, int],
    categories: Mapping[str, int],
    entities: Iterable[tuple[str, int]],
    path: str,
    size: int,
) -> dict[str, Any]:
    """Return the counts of a store.

    Args:
        totals: ``insights`` (active), ``deleted``, ``edges`` and ``operations``.
        categories: active insights by category.
        entities: names with the count of their insights, the most frequent first.
        path: the store's file.
        size: its size in bytes.
    """
    return {
        "total_insights": totals["insights"],
        "deleted_insights": totals["deleted"],
        "by_category": dict(sorted(categories.items())),
        "edge_count": totals["edges"],
        "top_entities": [{"entity": name, "count": count} for name, count in entities][:TOP_ENTITIES],
        "oplog_count": totals["operations"],
        "db_path": path,
        "db_size_bytes": size,
    }


def log(operations: Sequence[Logged]) -> str:
    """Return the log as a table for people, one line an operation, in the order given."""
    if not operations:
        return NOTHING_LOGGED + "\n"
    rows = [("TIME", "OP", "INSIGHT", "DETAIL")]
    rows += [(one.created_at, one.operation, _short(one.insight_id), _cut(one.detail)) for one in operations]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = (
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) for row in rows
    )
    return "".join(line.rstrip() + "\n" for line in lines)


def receipt(operations: Sequence[Logged], *, store: str, limit: int, now: str) -> dict[str, Any]:
    """Return what was done, with digests in the place of IDs and details. ``now`` is RFC 3339."""
    return {
        "schema": RECEIPT_SCHEMA,
        "generated_at": now,
        "store": store,
        "limit": limit,
        "count": len(operations),
        "privacy": {"raw_detail_included": False, "hash_algorithm": "sha256", "note": RECEIPT_NOTE},
        "events": [
            {
                "event_name": RECEIPT_EVENT,
                "operation": one.operation,
                "created_at": one.created_at,
                **_digest("insight_id_hash", one.insight_id),
                **_digest("detail_hash", one.detail),
                "detail_present": bool(one.detail),
            }
            for one in operations
        ],
    }


def _digest(key: str, value: str) -> dict[str, str]:
    return {key: sha256(value.encode("utf-8", "surrogatepass")).hexdigest()} if value else {}


def _short(key: str) -> str:
    """Return the first 8 characters of a UUID; the ID of a cell whole."""
    return _UNSHOWN.sub(" ", key if len(key) < 2 * _ID_CHARACTERS else key[:_ID_CHARACTERS])


def _cut(detail: str) -> str:
    line = _UNSHOWN.sub(" ", detail).strip()
    return line if len(line) <= _DETAIL_CHARACTERS else line[: _DETAIL_CHARACTERS - 3] + "..."
