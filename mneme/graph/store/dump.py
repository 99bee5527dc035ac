"""A store's content as text that is the same on every machine: no clock, no scores that decay, no order of arrival."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

TABLES = {
    "insights": "SELECT id, content, category, importance, tags, entities, source, created_at, updated_at, deleted_at"
    " FROM insights ORDER BY id",
    "edges": "SELECT source_id, target_id, edge_type, weight, metadata, created_at FROM edges"
    " ORDER BY source_id, target_id, edge_type",
    "cells": "SELECT id, path, place, digest, state, conf, since, seen, topic, gist, imp, hot, text FROM mneme_cells"
    " ORDER BY id",
    "entities": "SELECT entity, id FROM mneme_entities ORDER BY entity, id",
    "words": "SELECT d.id, w.gist, w.cue, w.topic, w.body, w.entities, w.extra FROM mneme_words w"
    " JOIN mneme_docs d ON d.doc = w.rowid ORDER BY d.id",
    "text": "SELECT id, ident, gist, cue, topic, body, entities, category, source, state, conf, since, seen, area,"
    " thread, place, asks FROM mneme_text ORDER BY id",
    "links": "SELECT source, relation, target FROM mneme_links ORDER BY source, relation, target",
    "files": "SELECT path, digest FROM mneme_files ORDER BY path",
}
"""What is dumped: columns that only a clock, use or the machine decide are left out."""


def dump(rows: Callable[[str], list[tuple[Any, ...]]]) -> str:
    """Return one JSON array a row, with the table's name first; ``rows`` answers a query."""
    lines = [json.dumps([table, *row], ensure_ascii=False) for table, query in TABLES.items() for row in rows(query)]
    return "".join([f"{line}\n" for line in lines])
