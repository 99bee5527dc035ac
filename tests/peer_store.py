"""Databases as the original program leaves them, byte layouts included: of its old generation and of its new one.

python -m tests.peer_store old|new FILE      writes one
"""

from __future__ import annotations

import sqlite3
import struct
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

_ADDED = ("last_accessed_at TEXT", "embedding BLOB", "effective_importance REAL DEFAULT 0.5")

_INSIGHTS = """
CREATE TABLE insights (
  id TEXT PRIMARY KEY, content TEXT NOT NULL, category TEXT DEFAULT 'general', importance INTEGER DEFAULT 3,
  tags TEXT DEFAULT '[]', entities TEXT DEFAULT '[]', source TEXT DEFAULT 'user', access_count INTEGER DEFAULT 0,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT{more}
)
"""
_EDGES = """
CREATE TABLE edges (
  source_id TEXT NOT NULL, target_id TEXT NOT NULL,
  edge_type TEXT NOT NULL CHECK (edge_type IN ({types})),
  weight REAL DEFAULT 1.0, metadata TEXT DEFAULT '{{}}', created_at TEXT NOT NULL,
  PRIMARY KEY (source_id, target_id, edge_type),
  FOREIGN KEY (source_id) REFERENCES insights(id) ON DELETE CASCADE,
  FOREIGN KEY (target_id) REFERENCES insights(id) ON DELETE CASCADE
)
"""
_OPLOG = """
CREATE TABLE oplog (
  id INTEGER PRIMARY KEY AUTOINCREMENT, operation TEXT NOT NULL, insight_id TEXT, detail TEXT DEFAULT '',
  created_at TEXT NOT NULL
)
"""
_INDEXES = {
    "idx_insights_category": "insights(category)",
    "idx_insights_importance": "insights(importance)",
    "idx_insights_created": "insights(created_at)",
    "idx_insights_deleted": "insights(deleted_at)",
    "idx_insights_source": "insights(source)",
    "idx_insights_effective_imp": "insights(effective_importance)",
    "idx_prune_candidates": "insights(deleted_at, importance, access_count, effective_importance)",
    "idx_edges_source": "edges(source_id)",
    "idx_edges_target": "edges(target_id)",
    "idx_edges_type": "edges(edge_type)",
    "idx_edges_source_type": "edges(source_id, edge_type)",
    "idx_edges_target_type": "edges(target_id, edge_type)",
    "idx_oplog_created": "oplog(created_at)",
}
_NEW_INDEXES = {
    "idx_insights_stored": "insights(stored_at)",
    "idx_prune_age_candidates": "insights(deleted_at, importance, access_count, stored_at, effective_importance)",
}
_TRIGGER = """
CREATE TRIGGER set_insight_stored_at AFTER INSERT ON insights
WHEN NEW.stored_at IS NULL OR NEW.stored_at = ''
BEGIN
  UPDATE insights SET stored_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = NEW.id;
END
"""

A, B, C, D, E = (f"{letter * 8}-0000-4000-8000-{letter * 12}" for letter in "abcde")
GONE = "f" * 8 + "-0000-4000-8000-" + "f" * 12
NARRATIVE = "9" * 8 + "-0000-4000-8000-" + "9" * 12

ROWS: tuple[tuple[str, str, str, int, str, str, str, int, str, str | None], ...] = (
    (A, "We chose SQLite because the cache is local", "decision", 5, '["storage","cache"]', '["SQLite"]', "user", 3,
     "2026-03-01T08:00:00Z", None),
    (B, "Slow queries come from the JSON files", "fact", 3, '["cache"]', '["JSON"]', "user", 0,
     "2026-03-01T09:00:00Z", None),
    (C, "知识图谱 用 Go语言 做", "insight", 4, "[]", '["知识图谱","Go"]', "agent", 0, "2026-03-02T10:00:00Z", None),
    (D, "The cache moved to DuckDB", "decision", 4, "[]", '["DuckDB","SQLITE"]', "agent", 1, "2026-03-03T10:00:00Z",
     None),
    (E, "Nobody reads this", "general", 1, "[]", "[]", "import", 0, "2026-03-04T10:00:00Z", None),
    (GONE, "What was forgotten", "context", 2, "[]", '["SQLite"]', "user", 0, "2026-02-01T10:00:00Z",
     "2026-02-02T10:00:00Z"),
)  # fmt: skip
"""ID, content, category, importance, tags, entities, source, accesses, created, deleted."""

EDGES: tuple[tuple[str, str, str, float, str], ...] = (
    (A, B, "temporal", 1.0, '{"direction":"precedes","sub_type":"backbone"}'),
    (B, A, "temporal", 1.0, '{"direction":"succeeds","sub_type":"backbone"}'),
    (B, A, "causal", 0.25, '{"overlap":"0.2500","sub_type":"causes"}'),
    (A, D, "entity", 1.0, '{"entity":"SQLite"}'),
    (D, A, "entity", 1.0, '{"entity":"SQLite"}'),
    (A, C, "semantic", 0.8123, '{"cosine":"0.8123","created_by":"auto"}'),
    (C, A, "semantic", 0.8123, '{"cosine":"0.8123","created_by":"auto"}'),
)
SUPERSEDES = (D, A, "supersedes", 1.0, '{"created_by":"claude"}')

VECTORS = {A: (0.5, -0.25, 0.125, 1.0), C: (0.5, -0.25, 0.125, 0.5)}


def vector(numbers: Sequence[float], bits: int = 32) -> bytes:
    """Return a vector as a blob."""
    return struct.pack(f"<{len(numbers)}{'f' if bits == 32 else 'd'}", *numbers)


def write(
    path: Path, *, new: bool, user_version: int = 1, bits: int = 32, narrative: bool = False, oldest: bool = False
) -> None:
    """Write a database; ``oldest``: of before there were the columns that were added later."""
    path.parent.mkdir(parents=True, exist_ok=True)
    types = ["temporal", "semantic", "causal", "entity"]
    types += ["narrative"] if narrative else []
    types += ["supersedes"] if new else []
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA foreign_keys = ON")
        database.execute(_INSIGHTS.format(more=", stored_at TEXT" if new else ""))
        database.execute(_EDGES.format(types=", ".join(f"'{name}'" for name in types)))
        database.execute(_OPLOG)
        for column in () if oldest else _ADDED:
            database.execute(f"ALTER TABLE insights ADD COLUMN {column}")
        for name, on in (_INDEXES | (_NEW_INDEXES if new else {})).items():
            if not (oldest and "effective_importance" in on):
                database.execute(f"CREATE INDEX {name} ON {on}")
        if new:
            database.execute(_TRIGGER)
        database.execute(f"PRAGMA user_version = {user_version}")
        rows = [(*row[:9], row[8], row[9]) for row in ROWS]
        if narrative:
            rows.append(
                (NARRATIVE, "A story", "narrative", 3, "[]", "[]", "user", 0, *["2026-01-01T00:00:00Z"] * 2, None)
            )
        database.executemany(
            "INSERT INTO insights (id, content, category, importance, tags, entities, source, access_count, created_at,"
            " updated_at, deleted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows,
        )  # fmt: skip
        edges = list(EDGES) + ([SUPERSEDES] if new else [])
        edges += [(A, E, "narrative", 1.0, "{}")] if narrative else []
        database.executemany("INSERT INTO edges VALUES (?, ?, ?, ?, ?, '2026-03-04T11:00:00Z')", edges)
        for id_, numbers in {} if oldest else VECTORS.items():
            database.execute("UPDATE insights SET embedding = ? WHERE id = ?", (vector(numbers, bits), id_))
        if not oldest:
            database.execute("UPDATE insights SET last_accessed_at = '2026-03-05T00:00:00Z' WHERE id = ?", (A,))
        database.executemany(
            "INSERT INTO oplog (operation, insight_id, detail, created_at) VALUES (?, ?, ?, ?)",
            [("remember", row[0], row[1], row[8]) for row in ROWS] + [("forget", GONE, "", "2026-02-02T10:00:00Z")],
        )


if __name__ == "__main__":
    write(Path(sys.argv[2]), new=sys.argv[1] == "new")
