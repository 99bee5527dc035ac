"""Drafts of insights, schema 1: read, and checked whole before anything is done with them (engine's facts, 8.7)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeGuard

from mneme.bridge.mapping import LINK_WEIGHT, MAX_ENTITIES, MAX_ENTITY_BYTES, MAX_TAG_BYTES, MAX_TAGS
from mneme.bridge.to_cells import day_of
from mneme.errors import UsageError
from mneme.format.statement import NOTHING_SAID, escaped, statement
from mneme.graph.model import CATEGORIES, EDGE_TYPES, Edge, Insight

SCHEMA = "1"
DEFAULT_SOURCE = "import"
DEFAULT_IMPORTANCE = 3

MAX_CHARACTERS = 8000
"""Of a content. The engine counts bytes, so what it takes is taken here."""

_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)


class ImportDraft(NamedTuple):
    """Insights, called by their index (``"0"``, ``"1"``, …), and the edges between them, as given."""

    insights: tuple[Insight, ...]
    edges: tuple[Edge, ...]


def read_draft(data: bytes, name: str) -> ImportDraft:
    """Return the draft that ``data`` is; ``name`` is what messages call it.

    Raises:
        UsageError: it is no draft of schema 1; names the item by its index.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 text: byte {error.start}", _HINT) from None
    except (ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, ValueError) else "nested too deeply"
        raise UsageError(f"{name} is no JSON: {said}", _HINT) from None
    if not isinstance(value, dict):
        raise UsageError(f"{name} is no draft: not a JSON object", _HINT)
    return _Reading(name).draft(value)


_HINT = 'a draft is {"schema_version": "1", "insights": [{"content": "..."}]}'


class _Reading:
    def __init__(self, name: str) -> None:
        self.name = name

    def draft(self, value: Mapping[str, Any]) -> ImportDraft:
        version = value.get("schema_version")
        if version != SCHEMA:
            shown = "is missing" if version is None else f"{_shown(version)} is not supported"
            self._refuse(f"schema_version {shown}", f'this program reads schema_version "{SCHEMA}"')
        items = value.get("insights")
        if not isinstance(items, list) or not items:
            self._refuse("insights is missing or empty", "a draft holds at least one insight")
        source = self._text(value.get("source"), "source") or DEFAULT_SOURCE
        insights = tuple(self._insight(index, item, source) for index, item in enumerate(items))
        edges = value.get("edges")
        if edges is not None and not isinstance(edges, list):
            self._refuse("edges is no list")
        return ImportDraft(
            insights, tuple(self._edge(index, item, len(items)) for index, item in enumerate(edges or ()))
        )

    def _insight(self, index: int, item: Any, source: str) -> Insight:
        place = f"insights[{index}]"
        if not isinstance(item, dict):
            self._refuse(f"{place} is no object")
        content = self._text(item.get("content"), f"{place}.content")
        if statement(escaped(content)).gist == NOTHING_SAID != content.strip():
            self._refuse(f"{place}.content is missing or empty")
        if len(content) > MAX_CHARACTERS:
            self._refuse(f"{place}.content has {len(content):,} characters, and at most {MAX_CHARACTERS:,} are allowed")
        category = self._text(item.get("category"), f"{place}.category") or "general"
        if category not in CATEGORIES:
            self._refuse(f"{place}.category {_shown(category)} is none", f"one of: {', '.join(CATEGORIES)}")
        importance = item.get("importance") or DEFAULT_IMPORTANCE
        if not _is_whole(importance) or not 1 <= importance <= 5:
            self._refuse(f"{place}.importance {_shown(item['importance'])} is out of range", "a whole number, 1 to 5")
        made = self._text(item.get("created_at"), f"{place}.created_at")
        if made and not (_MOMENT.fullmatch(made) and day_of(made.upper())):
            self._refuse(f"{place}.created_at {_shown(made)} is no time", "RFC 3339, for example 2026-06-03T08:00:00Z")
        return Insight(
            id=str(index),
            content=content,
            category=category,
            importance=int(importance),
            tags=self._texts(item.get("tags"), f"{place}.tags", MAX_TAGS, MAX_TAG_BYTES),
            entities=self._texts(item.get("entities"), f"{place}.entities", MAX_ENTITIES, MAX_ENTITY_BYTES),
            source=self._text(item.get("source"), f"{place}.source") or source,
            created_at=made.upper(),
        )

    def _edge(self, index: int, item: Any, count: int) -> Edge:
        place = f"edges[{index}]"
        if not isinstance(item, dict):
            self._refuse(f"{place} is no object")
        ends = []
        for key in ("source_index", "target_index"):
            end = item.get(key)
            if not _is_whole(end) or not 0 <= end < count:
                shown = "is missing" if end is None else f"{_shown(end)} is out of range"
                self._refuse(f"{place}.{key} {shown}", f"0 to {count - 1}: the place of an insight in the list")
            ends.append(str(int(end)))
        if ends[0] == ends[1]:
            self._refuse(f"{place} leads from an insight to itself")
        kind = item.get("edge_type")
        if kind not in EDGE_TYPES:
            shown = "is missing" if kind is None else f"{_shown(kind)} is none"
            self._refuse(f"{place}.edge_type {shown}", f"one of: {', '.join(EDGE_TYPES)}")
        weight = item.get("weight") or LINK_WEIGHT
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
            self._refuse(f"{place}.weight {_shown(item['weight'])} is out of range", "0.0 to 1.0")
        reason = self._text(item.get("reason"), f"{place}.reason")
        return Edge(ends[0], ends[1], str(kind), float(weight), {"reason": reason} if reason else {})

    def _text(self, value: Any, place: str) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            self._refuse(f"{place} is no text")
        return self._whole(str(value), place)

    def _texts(self, value: Any, place: str, most: int, longest: int) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self._refuse(f"{place} is no list of texts")
        found = tuple(self._whole(one.strip(), place) for one in value if one.strip())
        if len(found) > most:
            self._refuse(f"{place} has {len(found)} items, and at most {most} are allowed")
        for one in found:
            if (size := len(one.encode("utf-8", "surrogatepass"))) > longest:
                self._refuse(f"{place}: {_shown(one)} has {size} bytes, and at most {longest} are allowed")
        return found

    def _whole(self, text: str, place: str) -> str:
        r"""Return ``text``; JSON's ``\ud800`` alone is no character, and no file and no store can hold it."""
        if any("\ud800" <= character <= "\udfff" for character in text):
            self._refuse(f"{place} holds half of a surrogate pair", "write both halves, or the character itself")
        return text

    def _refuse(self, message: str, hint: str = "") -> NoReturn:
        raise UsageError(f"{self.name}: {message}; nothing was imported", hint)


def _is_whole(value: Any) -> TypeGuard[int]:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 50 else f"{text[:50]}…"


def kept_edges(edges: Sequence[Edge], ids: Mapping[str, str]) -> list[Edge]:
    """Return the edges between the cells that insights became; those of one cell to itself are none."""
    moved = [edge._replace(source=ids[edge.source], target=ids[edge.target]) for edge in edges]
    return [edge for edge in moved if edge.source != edge.target]
