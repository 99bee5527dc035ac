"""What we keep beside an insight for look-ups, brought up to date for the rows that anybody changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from mneme.graph.fulltext import Entry, entry_of
from mneme.graph.model import Insight
from mneme.graph.store import lexicon
from mneme.graph.store.rows import INSIGHT_COLUMNS, Words, insight

BEHIND = "SELECT EXISTS (SELECT 1 FROM mneme_changed)"


def words_of(one: Insight) -> Words:
    """Return the words of an insight that no cell made: its content is the body, its tags are cues."""
    from mneme.graph.tokens import words

    def cut(texts: Iterable[str]) -> str:
        return " ".join(word for text in texts for word in words(text))

    return Words(one.id, body=cut([one.content]), cue=cut(one.tags), entities=cut(one.entities))


def put_words(connection: sqlite3.Connection, rows: Iterable[Words]) -> None:
    """Replace the words of insights."""
    numbered = []
    execute = connection.execute
    for row in rows:
        found = execute("SELECT doc FROM mneme_docs WHERE id = ?", (row.id,)).fetchone()
        if found is None:
            doc = execute("INSERT INTO mneme_docs (id) VALUES (?)", (row.id,)).lastrowid
        else:
            (doc,) = found
            execute("DELETE FROM mneme_words WHERE rowid = ?", (doc,))
        numbered.append((doc, *row[1:]))
    connection.executemany(
        "INSERT INTO mneme_words (rowid, gist, cue, topic, body, entities, extra) VALUES (?, ?, ?, ?, ?, ?, ?)",
        numbered,
    )


def catch_up(connection: sqlite3.Connection, known: Iterable[str] = ()) -> set[str]:
    """Index what changed, inside the transaction that there is; return the IDs that were behind.

    ``known``: IDs whose words were put by hand since they changed.
    """
    from mneme.graph.entities import fold

    changed = {id_ for (id_,) in connection.execute("SELECT id FROM mneme_changed")}
    if not changed:
        return changed
    skipped = set(known)
    fresh: list[Words] = []
    entries: list[Entry] = []
    there: set[str] = set()
    entities: list[tuple[str, str]] = []
    rows = connection.execute(f"SELECT {INSIGHT_COLUMNS} FROM insights WHERE id IN (SELECT id FROM mneme_changed)")
    for row in rows:
        one = insight(row)
        there.add(one.id)
        entities += {(fold(name), one.id) for name in one.entities}
        if one.id not in skipped:
            fresh.append(words_of(one))
            entries.append(entry_of(one))
    connection.execute("DELETE FROM mneme_entities WHERE id IN (SELECT id FROM mneme_changed)")
    connection.executemany("INSERT INTO mneme_entities (entity, id) VALUES (?, ?)", sorted(entities))
    put_words(connection, fresh)
    lexicon.put(connection, entries)
    lexicon.remove(connection, changed - there)
    for id_ in changed - there:
        connection.execute("DELETE FROM mneme_words WHERE rowid IN (SELECT doc FROM mneme_docs WHERE id = ?)", (id_,))
        connection.execute("DELETE FROM mneme_docs WHERE id = ?", (id_,))
    connection.execute("DELETE FROM mneme_changed")
    return changed
