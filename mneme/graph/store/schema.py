"""The schema as SQL, and what kind of store a database is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from mneme.graph.store.errors import NotAStore, StoreTooNew

SCHEMA_VERSION = 1
"""Of our own tables; kept in mneme_meta under ``schema``."""

ENGINE_VERSION = 1
"""The engine's user_version: vectors are float32."""

_MARK = "-- part "


@cache
def parts() -> dict[str, tuple[str, ...]]:
    """Return the statements of schema.sql by part."""
    text = files("mneme.graph").joinpath("schema.sql").read_text("utf-8")
    cut = text.split(f"\n{_MARK}")[1:]
    return {part.partition("\n")[0].strip(): tuple(_statements(part.partition("\n")[2])) for part in cut}


def _statements(text: str) -> Iterator[str]:
    # A trigger holds semicolons: SQLite itself says where a statement ends.
    held = ""
    for line in text.splitlines():
        if not held and (not line.strip() or line.startswith("--")):
            continue
        held += line + "\n"
        if sqlite3.complete_statement(held):
            yield held.strip()
            held = ""


def run(connection: sqlite3.Connection, part: str) -> None:
    """Run the statements of ``part``, inside whatever transaction there is."""
    for statement in parts()[part]:
        connection.execute(statement)


def names(connection: sqlite3.Connection, kind: str = "table") -> set[str]:
    """Return the names of the tables (or indexes, triggers)."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = ?", (kind,))}


def check(connection: sqlite3.Connection, path: Path) -> bool:
    """Look at what a database is; return whether it is up to date: made or migrated by us, to this version.

    Raises:
        StoreTooNew: a newer program made it.
        NotAStore: it is some other program's database.
    """
    tables = names(connection)
    if tables and "insights" not in tables:
        raise NotAStore(f"{path}: a database, but not a memory store", "name another file, or move it away")
    (engine,) = connection.execute("PRAGMA user_version").fetchone()
    own = 0
    if "mneme_meta" in tables:
        row = connection.execute("SELECT value FROM mneme_meta WHERE key = 'schema'").fetchone()
        own = int(row[0]) if row and str(row[0]).isdigit() else 0
    if engine > ENGINE_VERSION or own > SCHEMA_VERSION:
        raise StoreTooNew(
            f"{path}: made by a newer program (schema {engine}, ours {own}); this one knows {ENGINE_VERSION} and"
            f" {SCHEMA_VERSION}",
            "update mneme, or name another store",
        )
    return bool(tables) and engine == ENGINE_VERSION and own == SCHEMA_VERSION
