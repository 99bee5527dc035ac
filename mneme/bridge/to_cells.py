"""From insights to cells: the way back, for stores of other programs and for drafts. Pure; nothing is written here.

``docs/bridge.md`` has the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime

from mneme.bridge.mapping import LINK_WEIGHT, prefix_for
from mneme.config import Config
from mneme.format.cues import split_cues
from mneme.format.dates import parse_date
from mneme.format.encoded import origin_token
from mneme.format.model import Link
from mneme.format.render import NewCell
from mneme.format.statement import escaped, statement
from mneme.format.vocabulary import BLANKS
from mneme.graph.entities import extract
from mneme.graph.model import CATEGORIES, Edge, Insight

CONF_BY_IMPORTANCE = {1: "low", 2: "low", 3: "med", 4: "high", 5: "high"}

_MOST_CUES = 8
_WEIGHT_DIGITS = 4


def prefix_of(insight: Insight, config: Config) -> str:
    """Return the prefix of the cell that ``insight`` becomes, by its category."""
    return prefix_for(insight.category, config)[0]


def to_cell(
    insight: Insight, cell_id: str, config: Config, *, today: date, origin: Iterable[tuple[str, str]] = (),
    links: Sequence[Link] = (), state: str = "live",
) -> NewCell:  # fmt: skip
    r"""Return the cell that ``insight`` becomes, under an ID of its own.

    What a memory file may not hold stands as an escape (``\x00``). Being recalled confirms nothing: ``seen`` is
    ``since``, the day on which the insight was made, or ``today`` where that is no time. A deleted one is retired.
    ``origin`` pairs come first on the origin line.
    """
    text = escaped(insight.content)
    said = statement(text)
    importance = min(max(insight.importance, 1), 5)
    made = day_of(insight.created_at) or day_of(insight.updated_at) or today.isoformat()
    gone = max(made, day_of(insight.deleted_at)) if insight.deleted_at else ""
    tags = [escaped(tag) for tag in insight.tags]
    cues = [tag for tag in dict.fromkeys(tags) if _is_cue(tag)]
    if not tags:  # without any, nobody would find it by one
        cues = [name for name in dict.fromkeys(map(escaped, insight.entities)) if _is_cue(name)][:_MOST_CUES]
    return NewCell(
        id=cell_id,
        gist=said.gist,
        cues=tuple(cues),
        body=said.body,
        links=tuple(links),
        origin=tuple(_origin(insight, config, origin, [tag for tag in dict.fromkeys(tags) if tag not in cues], cues)),
        state="retired" if insight.deleted_at else state,
        conf=CONF_BY_IMPORTANCE[importance],
        imp=str(importance),
        since=made,
        seen=gone or made,
    )


def _origin(
    insight: Insight, config: Config, first: Iterable[tuple[str, str]], tags: Iterable[str], cues: Iterable[str]
) -> list[str]:
    pairs = [*first, ("source", insight.source), ("created", insight.created_at), ("deleted", insight.deleted_at)]
    if insight.category in CATEGORIES and prefix_for(insight.category, config)[1]:
        pairs.append(("category", insight.category))
    pairs += [("tag", tag) for tag in tags]
    found = {*extract(insight.content), *cues}
    pairs += [("entity", name) for name in dict.fromkeys(insight.entities) if name not in found]
    return [origin_token(key, value) for key, value in pairs if value]


def _is_cue(text: str) -> bool:
    return "\n" not in text and "\r" not in text and bool(text.strip(BLANKS)) and split_cues(f"{text} /") == [text]


def day_of(moment: str) -> str:
    """Return the day in UTC of an RFC 3339 time; empty when it is none."""
    try:
        then = datetime.fromisoformat(moment)
        day = (then if then.tzinfo else then.replace(tzinfo=UTC)).astimezone(UTC).date().isoformat()
    except (ValueError, OverflowError):
        day = moment[:10]
    return day if parse_date(day) else ""


def attributes(edge: Edge, more: Sequence[tuple[str, str]] = ()) -> tuple[tuple[str, str], ...]:
    """Return what a link says of ``edge`` besides its ends: ``more``, the weight, metadata in order of the keys."""
    from mneme.format.encoded import encode

    pairs = list(more)
    if edge.weight != LINK_WEIGHT:
        pairs.append(("weight", _number(edge.weight)))
    taken = {key for key, _ in pairs} | {"weight", "edge"}
    for key, value in sorted(edge.metadata.items()):
        if key and value and key not in taken:
            pairs.append((encode(escaped(key)), encode(escaped(value))))
    return tuple(pairs)


def _number(weight: float) -> str:
    """Return a weight as text, 0 to 1; what is no such number counts as the nearest one."""
    inside = weight if 0 <= weight <= 1 else float(weight > 1)
    digits = f"{inside:.{_WEIGHT_DIGITS}f}".rstrip("0")
    whole, _, rest = digits.partition(".")
    return f"{whole}.{rest:0<2}"
