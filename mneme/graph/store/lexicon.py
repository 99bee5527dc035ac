"""The index of words in SQL (:mod:`mneme.graph.fulltext` says what it holds).

Insights are kept cut into tokens in an ordinary table; the FTS5 table beside it holds no text of its own. Whoever
writes says what changed by :func:`put` and :func:`remove`: no trigger touches FTS5.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from mneme.graph.fulltext import FIELDS, HIDDEN_STATES, Entry, Row, Tie, cut
from mneme.graph.store.rows import OURS

FIELD_WEIGHTS = (4.0, 1.0, 1.0, 1.0, 1.0, 0.5)
"""What a column counts when candidates are chosen; the ranker weighs them anew."""

_COLUMNS = ", ".join(FIELDS)
_FACTS = "category, source, state, conf, since, seen, area, thread, place, asks"
_FOREIGN = (
    "SELECT source_id, CASE edge_type WHEN 'causal' THEN 'causes' ELSE edge_type END, target_id FROM edges"
    f" WHERE edge_type IN ('causal', 'supersedes') AND NOT ({OURS})"
)
"""What other programs linked; their causal edges may be guesses, and count as what ``causes`` says."""

_CHUNK = 400
"""So many values go into one statement."""


def put(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Write ``entries``, in the place of those with the same ID. The caller holds the transaction."""
    for entry in entries:
        row = cut(entry)
        old = connection.execute(f"SELECT doc, {_COLUMNS} FROM mneme_text WHERE id = ?", (entry.id,)).fetchone()
        if old is not None:
            _forget(connection, old)
        values = (None if old is None else old[0], *row)
        marks = ", ".join("?" * len(values))
        doc = connection.execute(
            f"INSERT INTO mneme_text (doc, id, {_COLUMNS}, {_FACTS}) VALUES ({marks})", values
        ).lastrowid
        connection.execute(
            f"INSERT INTO mneme_lexicon (rowid, {_COLUMNS}) VALUES (?{', ?' * len(FIELDS)})",
            (doc, *row.columns),
        )
        connection.execute("DELETE FROM mneme_links WHERE source = ?", (entry.id,))
        connection.executemany(
            "INSERT OR IGNORE INTO mneme_links VALUES (?, ?, ?)",
            [(entry.id, relation, target) for relation, target in entry.links],
        )


def remove(connection: sqlite3.Connection, ids: Iterable[str]) -> None:
    """Forget insights, those that are not there included."""
    for key in ids:
        old = connection.execute(f"SELECT doc, {_COLUMNS} FROM mneme_text WHERE id = ?", (key,)).fetchone()
        if old is not None:
            _forget(connection, old)
        connection.execute("DELETE FROM mneme_links WHERE source = ?", (key,))


def _forget(connection: sqlite3.Connection, old: Sequence[object]) -> None:
    connection.execute(
        f"INSERT INTO mneme_lexicon (mneme_lexicon, rowid, {_COLUMNS}) VALUES ('delete', ?{', ?' * len(FIELDS)})",
        tuple(old),
    )
    connection.execute("DELETE FROM mneme_text WHERE doc = ?", (old[0],))


class StoredLexicon:
    """The index of words in an open store."""

    def __init__(
        self, connection: sqlite3.Connection, *, category: str = "", source: str = "", every_state: bool = False
    ) -> None:
        self._connection = connection
        wanted = [("category", category)] if category else []
        wanted += [("source", source)] if source else []
        conditions = [f"{column} = ?" for column, _ in wanted]
        self._narrow = bool(wanted)
        self._values = [value for _, value in wanted]
        if not every_state:
            conditions.append(f"state NOT IN ({', '.join(map(repr, HIDDEN_STATES))})")
        self._scope = "".join(f" AND {condition}" for condition in conditions)

    def total(self) -> int:
        """Return how many insights there are, those outside of the scope included."""
        return int(self._all("SELECT count(*) FROM mneme_text")[0][0])

    def frequencies(self, tokens: Iterable[str]) -> dict[str, int]:
        """Return in how many insights each token stands; one that stands nowhere is not named."""
        statement = "SELECT value, (SELECT doc FROM mneme_vocabulary WHERE term = value) FROM json_each(?)"
        found = self._all(statement, json.dumps(sorted(set(tokens))))
        return {token: count for token, count in found if count}

    def starting(self, prefix: str, shortest: int = 1, longest: int = 64) -> list[tuple[str, int]]:
        """Return the tokens of such a length that begin with ``prefix``, and in how many insights each stands."""
        statement = (
            "SELECT term, doc FROM mneme_vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?"
        )
        return self._all(statement, prefix, prefix + "\U0010ffff", shortest, longest)

    def candidates(self, tokens: Sequence[str], limit: int) -> list[str]:
        """Return about ``limit`` IDs in scope that ``tokens`` fit best. Equally good ones are all in or all out."""
        if not tokens:
            return []
        match = " OR ".join('"' + token.replace('"', '""') + '"' for token in tokens)
        weights = f"bm25({', '.join(map(str, FIELD_WEIGHTS))})"
        fetched = 2 * limit
        if self._narrow:
            statement = (
                "SELECT id, rank FROM mneme_lexicon JOIN mneme_text ON doc = mneme_lexicon.rowid "
                f"WHERE mneme_lexicon MATCH ? AND rank MATCH ?{self._scope} ORDER BY rank LIMIT ?"
            )
            found = self._all(statement, match, weights, *self._values, fetched)
        else:
            statement = (
                "SELECT id, best.rank FROM (SELECT rowid AS number, rank FROM mneme_lexicon WHERE mneme_lexicon MATCH ?"
                f" AND rank MATCH ? ORDER BY rank LIMIT ?) AS best JOIN mneme_text ON doc = number{self._scope}"
            )
            found = self._all(statement, match, weights, fetched)
        found.sort(key=lambda row: (row[1], row[0]))
        if len(found) <= limit:
            return [key for key, _ in found]
        least = found[limit - 1][1]
        return [key for key, rank in found if rank <= least]

    def rows(self, ids: Iterable[str]) -> dict[str, Row]:
        """Return the insights that exist and are in scope, by ID."""
        found: dict[str, Row] = {}
        for part in _parts(ids):
            statement = f"SELECT id, {_COLUMNS}, {_FACTS} FROM mneme_text WHERE id IN ({_marks(part)}){self._scope}"
            for row in self._all(statement, *part, *self._values):
                found[row[0]] = Row._make(row)
        return found

    def ties(self, ids: Iterable[str]) -> list[Tie]:
        """Return the links that one of ``ids`` has at either end, ordered."""
        found: set[tuple[str, str, str]] = set()
        for part in _parts(ids):
            for end in ("source", "target"):
                among = f"{end} IN ({_marks(part)})"
                statement = f"SELECT source, relation, target FROM mneme_links WHERE {among}"
                found.update(
                    self._all(f"{statement} UNION {_FOREIGN} AND edges.{end}_id IN ({_marks(part)})", *part, *part)
                )
        return [Tie._make(row) for row in sorted(found)]

    def standing(self, prefix: str, limit: int) -> list[str]:
        """Return the IDs of live cells with that prefix, the last confirmed first, then by ID; at most ``limit``."""
        statement = (
            f"SELECT id FROM mneme_text WHERE id >= ? AND id < ? AND state = 'live'{self._scope}"
            " ORDER BY seen DESC, id LIMIT ?"
        )
        return [key for (key,) in self._all(statement, f"{prefix}-", f"{prefix}.", *self._values, limit)]

    def around(self, turns: Iterable[tuple[str, int]], reach: int) -> dict[tuple[str, int], str]:
        """Return the IDs that stand at most ``reach`` places from ``turns`` (thread, place), by thread and place."""
        wanted: dict[str, list[int]] = {}
        for thread, place in set(turns):
            wanted.setdefault(thread, []).append(place)
        found: dict[tuple[str, int], str] = {}
        for thread, places in sorted(wanted.items()):
            for low, high in _spans(sorted(places), reach):
                statement = f"SELECT place, id FROM mneme_text WHERE thread = ? AND place BETWEEN ? AND ?{self._scope}"
                for place, key in self._all(statement, thread, low, high, *self._values):
                    found[thread, place] = key
        return found

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return what a query finds. Only we write these tables, so their text is UTF-8, and read fast."""
        connection = self._connection
        lenient, connection.text_factory = connection.text_factory, str
        try:
            return connection.execute(statement, values).fetchall()
        finally:
            connection.text_factory = lenient


def _spans(places: Sequence[int], reach: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for place in places:
        if spans and place - reach <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], place + reach
        else:
            spans.append((place - reach, place + reach))
    return spans


def _parts(ids: Iterable[str]) -> Iterable[list[str]]:
    ordered = sorted(set(ids))
    return (ordered[at : at + _CHUNK] for at in range(0, len(ordered), _CHUNK))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
