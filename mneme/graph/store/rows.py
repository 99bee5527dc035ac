"""Rows of the store as values."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from types import MappingProxyType, NoneType
from typing import Any, NamedTuple

from mneme.graph.model import Edge, Insight

MAKER = "mneme"
"""Who made an edge: the value of metadata key ``created_by``, or of ``by`` where the rules use that key already."""

INSIGHT_COLUMNS = (
    "id, content, category, importance, tags, entities, source, access_count, created_at, updated_at, deleted_at,"
    " last_accessed_at, effective_importance"
)
"""In the order of :class:`Insight`."""

EDGE_COLUMNS = "source_id, target_id, edge_type, weight, metadata, created_at"
"""In the order of :class:`Edge`."""


class CellRow(NamedTuple):
    """What the store knows of a cell beyond its insight. ``text`` is the cell as it stood in the file.

    ``place`` counts cells in the file from 0; ``imp`` is None and the other fields empty where the cell has none.
    ``touched``: another program wrote the insight since, so that the row is to be written again.
    """

    id: str
    path: str
    place: int
    digest: str
    state: str
    conf: str = ""
    since: str = ""
    seen: str = ""
    topic: str = ""
    gist: str = ""
    imp: int | None = None
    hot: str = ""
    text: str = ""
    touched: bool = False


CELL_COLUMNS = ", ".join(CellRow._fields)


class Stood(NamedTuple):
    """Of a row of a cell what a compile compares: text and place, and what decided when it arrived."""

    id: str
    path: str
    place: int
    digest: str
    state: str
    since: str
    seen: str
    text: str
    touched: int
    source: str


STOOD_COLUMNS = ", ".join((*Stood._fields[:-1], "(SELECT source FROM insights i WHERE i.id = mneme_cells.id)"))


class Words(NamedTuple):
    """What full-text search knows of an insight: tokens (:mod:`mneme.graph.tokens`) joined by blanks.

    All but ``extra`` together hold just the tokens of its content, tags and entities; ``extra`` is for words that it
    does not have itself, by which a ranker may want to find it.
    """

    id: str
    gist: str = ""
    cue: str = ""
    topic: str = ""
    body: str = ""
    entities: str = ""
    extra: str = ""


class Operation(NamedTuple):
    """A row of the oplog."""

    operation: str
    insight_id: str
    detail: str
    created_at: str


def fetched(connection: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return all rows of a query. Texts are taken for UTF-8, which is fast; only when one is not, leniently."""
    lenient, connection.text_factory = connection.text_factory, str
    try:
        return connection.execute(query, values).fetchall()
    except sqlite3.OperationalError as error:
        if "Could not decode to UTF-8" not in str(error):
            raise
        connection.text_factory = lenient
        return connection.execute(query, values).fetchall()
    finally:
        connection.text_factory = lenient


def insight(row: tuple[Any, ...]) -> Insight:
    """Return the insight of a row of INSIGHT_COLUMNS; what another program left empty takes its default."""
    if not _is_sound(_INSIGHT_TYPES, tuple(map(type, row))):
        row = _made_sound(_INSIGHT_TYPES, row)
    (
        id_, content, category, importance, tags, entities, source, accesses, created, updated, deleted,
        last, effective,
    ) = row  # fmt: skip
    return Insight(
        id_, content or "", category or "general", 3 if importance is None else importance, _texts(tags or "[]"),
        _texts(entities or "[]"), source or "", accesses or 0, created or "", updated or "", deleted or "", last or "",
        0.5 if effective is None else effective,
    )  # fmt: skip


# SQLite keeps any value in any column, whatever the column is declared as; another program may have put it there.
_TEXT, _WHOLE, _REAL = (str, NoneType), (int, NoneType), (float, int, NoneType)
_INSIGHT_TYPES = (_TEXT, _TEXT, _TEXT, _WHOLE, _TEXT, _TEXT, _TEXT, _WHOLE, _TEXT, _TEXT, _TEXT, _TEXT, _REAL)
_EDGE_TYPES = (_TEXT, _TEXT, _TEXT, _REAL, _TEXT, _TEXT)

Kinds = tuple[tuple[type, ...], ...]


@lru_cache(maxsize=1024)
def _is_sound(expected: Kinds, found: tuple[type, ...]) -> bool:
    return all(kind in kinds for kinds, kind in zip(expected, found, strict=True))


def _made_sound(expected: Kinds, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row with texts in columns of texts; a number that is none counts as not given."""
    return tuple(
        value if type(value) in kinds else text_of(value) if kinds is _TEXT else None
        for kinds, value in zip(expected, row, strict=True)
    )


def text_of(value: object) -> str:
    """Return as text what another program put into a column of texts."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


@lru_cache(maxsize=4096)
def _texts(text: str) -> tuple[str, ...]:
    if text == "[]":
        return ()
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    return tuple(str(value) for value in values) if isinstance(values, list) else ()


def texts(values: Iterable[str]) -> str:
    """Return a list of texts as the store keeps it."""
    return json.dumps(list(values), ensure_ascii=False)


def edge(row: tuple[Any, ...]) -> Edge:
    """Return the edge of a row of EDGE_COLUMNS."""
    if not _is_sound(_EDGE_TYPES, tuple(map(type, row))):
        row = _made_sound(_EDGE_TYPES, row)
    source, target, kind, weight, metadata, created = row
    known = weight is not None and isfinite(weight)
    return Edge(source, target, kind, weight if known else 1.0, parsed(metadata or "{}"), created or "")


@lru_cache(maxsize=65536)
def parsed(text: str) -> Mapping[str, str]:
    """Return the metadata that ``text`` says; none for what is no JSON object."""
    try:
        value = json.loads(text)
        if not isinstance(value, dict):
            value = {}
        said = {key: item if isinstance(item, str) else json.dumps(item) for key, item in value.items()}
    except (ValueError, RecursionError):
        said = {}
    return MappingProxyType(said)


def marked(metadata: Mapping[str, str]) -> str:
    """Return the metadata of an edge of ours as text: keys in order, with our mark."""
    return _marked(tuple(sorted(metadata.items())))


@lru_cache(maxsize=65536)
def _marked(items: tuple[tuple[str, str], ...]) -> str:
    metadata = dict(items)
    if metadata.get("created_by", MAKER) != MAKER:
        metadata["by"] = MAKER
    else:
        metadata["created_by"] = MAKER
    return json.dumps(metadata, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def is_ours(metadata: Mapping[str, str]) -> bool:
    """Tell whether an edge with this metadata was written by us."""
    return metadata.get("created_by") == MAKER or metadata.get("by") == MAKER


OURS = (
    "CASE WHEN json_valid(edges.metadata) THEN coalesce(json_extract(edges.metadata, '$.created_by') = 'mneme', 0)"
    " OR coalesce(json_extract(edges.metadata, '$.by') = 'mneme', 0) ELSE 0 END"
)
"""The same as SQL, of a row of ``edges``."""
