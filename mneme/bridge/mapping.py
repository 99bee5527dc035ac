"""From a cell to an insight and the edges that its links are. The table is in ``docs/bridge.md``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from mneme.config import Config
from mneme.format.dates import parse_date
from mneme.format.digest import content_digest
from mneme.format.encoded import decode, origin_values
from mneme.format.model import Cell, Link
from mneme.format.vocabulary import IMPORTANCES
from mneme.graph.entities import MODES, extract, resolve
from mneme.graph.fulltext import Entry
from mneme.graph.model import CATEGORIES as ENGINE_CATEGORIES
from mneme.graph.model import Edge, Insight

MAPPING_VERSION = "3"
"""Changes whenever the same cell would become another insight or other edges: stores are then compiled anew."""

CATEGORIES = {
    "DEC": "decision", "PREF": "preference", "FACT": "fact", "GOTCHA": "insight", "OKR": "context", "TODO": "context",
}  # fmt: skip
OTHER_CATEGORY = "general"

PREFIX_OF = {"decision": "DEC", "preference": "PREF", "fact": "FACT", "insight": "GOTCHA"}
"""The prefix of a new cell by its category; others are notes, and their origin line names the category."""

OTHER_PREFIX = "NOTE"

IMPORTANCE_BY_CONF = {"high": 4, "med": 3, "low": 2}
LESS_BY_STATE = {"stale": 1, "proposed": 1, "superseded": 3, "retired": 3}
"""What a state takes off the importance that conf gives; never below 1."""

LINK_WEIGHT = 0.5
"""Weight of a link that says none (engine: default of ``link``)."""

EPOCH = "1970-01-01"
"""Stands for a date that a cell lacks or misspells: before every other."""

CAUSAL = {"causes": False, "enables": False, "prevents": False, "blocks": False, "depends-on": True}
"""Relations that are causal, and whether the link runs from effect to cause."""

MUTUAL_TYPES = ("semantic", "temporal", "entity")
"""Edges that are written both ways."""

MAX_TAGS, MAX_TAG_BYTES = 20, 100
MAX_ENTITIES, MAX_ENTITY_BYTES = 50, 200
"""The engine's limits (facts 1.4 of its model): what is longer stays in the cell and the index, and is no tag."""

INACTIVE = "retired"


class LinkEdge(NamedTuple):
    """An edge that a link of ``owner`` stands for."""

    owner: str
    edge: Edge


def prefix_for(wanted: str, config: Config) -> tuple[str, bool]:
    """Return the prefix for a new cell of a category, and whether its origin line must name the category.

    The usual one, unless the configuration gives that another category and has one for this.
    """
    usual = PREFIX_OF.get(wanted, OTHER_PREFIX)
    configured = [name for name, prefix in config.prefixes.items() if prefix.category == wanted]
    for prefix in (usual, *configured):
        if category(f"{prefix}-1", config) == wanted:
            return prefix, False
    return usual, True


def category_of(cell: Cell, config: Config) -> str:
    """Return the category of a cell: what its origin line says, else by its prefix."""
    said = origin_values(cell.origin, "category")
    return said[0] if said and said[0] in ENGINE_CATEGORIES else category(cell.id, config)


def category(cell_id: str, config: Config) -> str:
    """Return the category of a cell by its prefix: what the configuration says, else the usual one."""
    prefix = cell_id.partition("-")[0]
    configured = config.prefixes.get(prefix)
    if configured is not None and configured.category:
        return configured.category
    return CATEGORIES.get(prefix, OTHER_CATEGORY)


def importance(cell: Cell) -> int:
    """Return 1 to 5: ``imp`` where it is given, else from conf and state."""
    status = cell.status
    if status.imp in IMPORTANCES:
        return int(status.imp)
    return max(1, IMPORTANCE_BY_CONF.get(status.conf, 3) - LESS_BY_STATE.get(status.state, 0))


def source(cell: Cell) -> str:
    """Return who the cell is from, as the engine names sources: ``source=`` of its origin, else agent or user."""
    if not cell.origin:
        return "user"
    said = dict(origin_pairs(cell))
    return said.get("source") or ("agent" if "agent" in said else "user")


def origin_pairs(cell: Cell) -> Iterator[tuple[str, str]]:
    """Yield the key-value pairs of the origin lines, percent-decoded."""
    for token in cell.origin:
        key, equals, value = token.partition("=")
        if equals:
            yield key, unquote(value)


def instant(*days: str) -> str:
    """Return the latest of ``days`` at midnight UTC; the epoch when none is a date."""
    known = [day for day in days if parse_date(day)]
    return f"{max(known, default=EPOCH)}T00:00:00Z"


def content(cell: Cell) -> str:
    """Return what the insight says: the gist, and the body on lines of its own."""
    body = cell.body_text
    return f"{cell.gist}\n{body}" if body.strip() else cell.gist


def is_active(cell: Cell) -> bool:
    """Whether the cell takes part in the graph: all but retired ones do."""
    return cell.status.state != INACTIVE


def to_insight(cell: Cell, config: Config) -> Insight:
    """Return the insight that ``cell`` is. A pure function of the cell's text and the configuration."""
    cues = cell.cues
    status = cell.status
    text = content(cell)
    mode = _entity_mode(cell)
    named = [*origin_values(cell.origin, "entity"), *(cues if mode == "merge" else ())]
    entities = resolve(mode, _short(named, MAX_ENTITIES, MAX_ENTITY_BYTES), extract(text, None))
    return Insight(
        id=cell.id,
        content=text,
        category=category_of(cell, config),
        importance=importance(cell),
        tags=_short(
            [*origin_values(cell.origin, "tag"), *([cell.topic] if cell.topic else []), *cues], MAX_TAGS, MAX_TAG_BYTES
        ),
        entities=tuple(entities),
        source=source(cell),
        created_at=created_at(cell),
        updated_at=instant(cell.since, status.seen),
        deleted_at="" if is_active(cell) else instant(cell.since, status.seen),
        last_accessed_at=instant(status.seen, cell.since),
    )


def to_entry(cell: Cell, insight: Insight) -> Entry:
    """Return what the index of words knows of ``cell``; a turn of a conversation says so in its origin."""
    status = cell.status
    said = dict(origin_pairs(cell))
    turn = said.get("turn", "")
    thread = said.get("session", "") if turn.isascii() and turn.isdigit() and len(turn) < 10 else ""
    return Entry(
        cell.id, cell.gist, cell.cues, cell.topic, cell.body_text, (),
        tuple((link.relation, link.target) for link in cell.links), insight.category, insight.source, status.state,
        status.conf, cell.since, status.seen, thread, int(turn) if thread else 0,
    )  # fmt: skip


def _entity_mode(cell: Cell) -> str:
    said = origin_values(cell.origin, "entity-mode")
    return said[0] if said and said[0] in MODES else "merge"


def created_at(cell: Cell) -> str:
    """Return when the memory was established: ``since``, else ``seen``, at midnight UTC."""
    return arrival_time(cell.since, cell.status.seen)


@lru_cache(maxsize=65536)
def arrival_time(since: str, seen: str) -> str:
    """Return ``since`` at midnight UTC, else ``seen``, else the epoch."""
    return instant(since if parse_date(since) else seen)


def link_edges(cell: Cell) -> list[LinkEdge]:
    """Return the edges that the cell's links stand for, in order; both rows of a mutual one."""
    edges: list[LinkEdge] = []
    for link in cell.links:
        if link.target != cell.id:
            edges += [LinkEdge(cell.id, edge) for edge in edges_of(cell.id, link, created_at(cell))]
    return edges


def edges_of(owner: str, link: Link, made: str = "") -> Iterator[Edge]:
    """Yield the edges that a link of the cell ``owner`` stands for; ``made`` is when."""
    attributes = {decode(key): decode(value) for key, value in link.attributes}
    weight = _weight(attributes.pop("weight", ""))
    forced = attributes.pop("edge", "")
    relation = link.relation
    if relation in ("supersedes", "superseded-by"):
        ends = (owner, link.target) if relation == "supersedes" else (link.target, owner)
        yield Edge(*ends, "supersedes", weight, attributes, made)
    elif relation in CAUSAL and forced in ("", "causal"):
        ends = (link.target, owner) if CAUSAL[relation] else (owner, link.target)
        yield Edge(*ends, "causal", weight, {"sub_type": relation, **attributes}, made)
    elif forced == "causal":
        yield Edge(owner, link.target, "causal", weight, {"sub_type": "causes", **attributes}, made)
    else:
        kind = forced if forced in MUTUAL_TYPES else "semantic"
        said = attributes if relation == "relates" else {"sub_type": relation, **attributes}
        yield Edge(owner, link.target, kind, weight, said, made)
        yield Edge(link.target, owner, kind, weight, said, made)


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        return LINK_WEIGHT
    return weight if 0 <= weight <= 1 else LINK_WEIGHT


def _short(texts: Iterator[str] | tuple[str, ...] | list[str], count: int, size: int) -> tuple[str, ...]:
    fitting = (text for text in dict.fromkeys(texts) if len(text.encode("utf-8", "surrogatepass")) <= size)
    return tuple(fitting)[:count]


def fingerprint(config: Config) -> str:
    """Return what the mapping depends on besides the cells: stores compiled under another one are compiled anew."""
    said = {name: prefix.category for name, prefix in sorted(config.prefixes.items()) if prefix.category}
    return f"{MAPPING_VERSION} {said}" if said else MAPPING_VERSION


def digest(cell: Cell) -> str:
    """Return the digest by which content is known to be the same."""
    return content_digest(cell)
