"""Finding cells by words, without a store: cue, topic, gist and body of every cell, folded and compared.

Cells that match more words of the question come first; then it counts how rare those words are and in which field they
were found, then state, confidence and how lately the cell was confirmed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from mneme.format import ids
from mneme.format.model import Cell, Placed
from mneme.format.spine import cell_data, worth
from mneme.format.trust import Trust
from mneme.format.vocabulary import WORKING_STATES
from mneme.memory.fold import fold, fold_case
from mneme.memory.links import LinkIndex
from mneme.memory.query import Fields, Query
from mneme.text.visible import visible

_WEAK = 0.4
"""A hit that holds less of a short question, rare words counting more, is marked."""

_SHORT = 6
"""Terms of a question in key words. A longer one is a sentence, and every hit holds only a part of it."""

_NAMED = 500.0
"""A score that only a cell gets whose ID the question holds."""

_FOLLOWED = 0.99
"""What a current cell gets of the score of the one it superseded."""

_STATE_FACTOR = {"live": 1.0, "stale": 1.0, "proposed": 0.8}
_PAST_FACTOR = 0.5


class Hit(NamedTuple):
    """A cell that was found. ``via`` is the ID of the superseded cell whose words matched, when it was not its own.

    ``part`` is empty, or the little of the question that matched: such a hit is likely about something else.
    """

    place: Placed
    score: float
    via: str = ""
    part: str = ""


def find(
    placed: Sequence[Placed],
    text: str,
    *,
    everything: bool = False,
    topics: Sequence[str] = (),
    limit: int | None = 10,
) -> list[Hit]:
    """Return the cells that match ``text``, best first: live and stale ones, or with ``everything`` those of any state.

    A superseded cell that matches speaks for the cell that stands in its place. The order depends on nothing but the
    cells and the query.
    """
    query = Query(text)
    if not query.terms:
        return []
    folded = [_folded(place.cell) for place in placed]
    wholes = ["\n".join(fields.values()) for fields in folded]
    held = [[term.within(whole) for term in query.terms] for whole in wholes]
    counts = [sum(column) for column in zip(*held, strict=True)] or [0] * len(query.terms)
    rarity = [math.log(1 + (len(placed) - count + 0.5) / (count + 0.5)) for count in counts]
    scores = {
        number: query.score_of(fields, rarity)
        for number, (fields, row) in enumerate(zip(folded, held, strict=True))
        if any(row)
    }
    _score_ids(query, placed, scores)
    hits = _follow(placed, {number: score for number, score in scores.items() if score > 0}, everything=everything)
    chosen = [hit for hit in hits if not topics or any(fnmatchcase(hit.place.cell.topic, glob) for glob in topics)]
    chosen.sort(key=_order)
    if len(query.terms) > _SHORT:
        return chosen[:limit]
    fields_of = {(id(place.document), place.start): fields for place, fields in zip(placed, folded, strict=True)}
    old = {place.cell.id: fields for place, fields in zip(placed, folded, strict=True)}

    def marked(hit: Hit) -> Hit:
        fields = old[hit.via] if hit.via else fields_of[id(hit.place.document), hit.place.start]
        share, part = query.part_found(fields, rarity)
        return hit if share >= _WEAK or hit.score >= _NAMED else hit._replace(part=part)

    return [marked(hit) for hit in chosen[:limit]]


def _order(hit: Hit) -> tuple[Any, ...]:
    state, certainty, seen = worth(hit.place.cell)
    newest = tuple(-ord(char) for char in seen)
    return -round(hit.score, 6), -state, -certainty, newest, hit.place.document.name, hit.place.start


def _score_ids(query: Query, placed: Sequence[Placed], scores: dict[int, float]) -> None:
    """Put the cells whose ID the query names first, and the cells that link to them before mere words."""
    if not query.ids:
        return
    wanted = {ids.number(token) or token for token in query.ids}
    for number, (cell, _, _) in enumerate(placed):
        if (ids.number(cell.id) or cell.id) in wanted:
            scores[number] = scores.get(number, 0.0) + 1000.0
        elif any((ids.number(link.target) or link.target) in wanted for link in cell.links):
            scores[number] = scores.get(number, 0.0) + 1.0


def _follow(placed: Sequence[Placed], scores: dict[int, float], *, everything: bool) -> list[Hit]:
    allowed: Collection[str] | None = None if everything else WORKING_STATES
    hits: dict[int, Hit] = {}
    numbers = {(id(place.document), place.start): number for number, place in enumerate(placed)}
    links = LinkIndex(placed)
    for number, score in scores.items():
        place = placed[number]
        state = place.cell.status.state
        if allowed is None or state in allowed:
            own = score * _STATE_FACTOR.get(state, _PAST_FACTOR)
            if number not in hits or hits[number].score < own:
                hits[number] = Hit(place, own)
        if state != "superseded":
            continue
        for heir in links.current(place.cell.id):
            heir_number = numbers[id(heir.document), heir.start]
            followed = score * _FOLLOWED
            if heir.cell.status.state in WORKING_STATES and followed > scores.get(heir_number, 0.0):
                known = hits.get(heir_number)
                if known is None or known.score < followed:
                    hits[heir_number] = Hit(heir, followed, place.cell.id)
    return list(hits.values())


def _folded(cell: Cell) -> Fields:
    body = "\n".join(cell.body)
    cues = "\n".join(cell.cue_lines)
    fields = {"cue": fold(cues), "gist": fold(cell.gist), "topic": fold(cell.topic)}
    if body:
        fields["body"] = fold(body)
    if cell.text.isascii():
        fields["accented"] = ""
    else:
        fields["accented"] = fold_case(f"{cues}\n{cell.gist}\n{cell.topic}\n{body}")
    return fields


# --- what is printed -------------------------------------------------------------------------------------------


def lines(hits: Sequence[Hit], trust_of: Callable[[Cell], Trust]) -> list[str]:
    """Return one line a hit: ID, state, trust, gist, topic; what to verify; what matched. Nothing is hidden."""
    rows = [(hit, trust_of(hit.place.cell)) for hit in hits]
    columns = [(visible(hit.place.cell.id), visible(hit.place.cell.status.state), trust.word) for hit, trust in rows]
    widths = [max(len(row[at]) for row in columns) for at in range(3)] if columns else []
    printed = []
    for (hit, trust), row in zip(rows, columns, strict=True):
        head = "  ".join([f"{text:<{width}}" for text, width in zip(row, widths, strict=True)])
        line = f"{head}  {visible(hit.place.cell.gist)}  [{visible(hit.place.cell.topic)}]"
        if trust.reason:
            line += f"  (verify: {visible(trust.reason)})"
        if hit.via:
            line += f"  (in place of {visible(hit.via)})"
        if hit.part:
            line += f"  (matches only: {visible(hit.part)})"
        printed.append(line)
    return printed


def data(hits: Sequence[Hit], trust_of: Callable[[Cell], Trust]) -> list[dict[str, Any]]:
    """Return what there is to say about each hit, for JSON."""
    entries = []
    for hit in hits:
        cell, document, start = hit.place
        entry = cell_data(cell, trust_of(cell))
        entry |= {"path": document.name, "line": document.lines.position(start)[0], "score": round(hit.score, 6)}
        if hit.via:
            entry["in_place_of"] = hit.via
        if hit.part:
            entry["matches_only"] = hit.part
        entries.append(entry)
    return entries
