"""MN505: two live cells, two answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mneme.format.conflict import stronger
from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._gists import Outline, comparable, outline

_FEWEST = 3


@on_workspace("MN505", "contradiction")
def CONTRADICTION(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Two live cells on one topic differ by nothing but a negation, an opposite, or a number with its unit.

    Why: a reader acts on whichever it meets first.

    Bad:
        @ DEC-0001  api/limits
        gist  Idle sessions end after 30 minutes
        state live   conf high   since 2026-10-01   seen 2026-11-01
        cue   sessions

        @ DEC-0002  api/limits
        gist  Idle sessions end after 90 minutes
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   timeout

    Good:
        @ DEC-0001  api/limits
        gist  Idle sessions end after 30 minutes
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   sessions
        link  superseded-by DEC-0002

        @ DEC-0002  api/limits
        gist  Idle sessions end after 90 minutes
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   timeout
        link  supersedes DEC-0001

    Fix: none; the cell with the higher confidence wins, then the one seen later; supersede the other.
    """
    for topic, first, second, values in contradictions(corpus):
        winner = stronger([first.cell, second.cell])
        loser, other = weaker_first(first, second)
        hint = "confidence and date do not decide: find out which holds, and supersede the other"
        if winner is not None:
            hint = f"{winner.id} wins (confidence, then last seen): supersede {loser.cell.id} by it"
        why = difference(values if loser is first else values[::-1])
        message = f"{loser.cell.id} contradicts {other.cell.id} on {topic}: {why}"
        yield Hit(loser, *loser.cell.span("gist"), message, f"{hint} (mneme conflicts shows how)")


class Contradiction(NamedTuple):
    """Two live cells of one topic in file order, and their values; without values, one denies the other."""

    topic: str
    first: Placed
    second: Placed
    values: tuple[str, ...]


def difference(values: tuple[str, ...]) -> str:
    """Return in words how two cells with these values contradict each other."""
    return " against ".join(values) if values else "one denies what the other says"


def weaker_first(first: Placed, second: Placed) -> tuple[Placed, Placed]:
    """Return the one that gives way, the later one where nothing decides, and the other."""
    return (first, second) if stronger([first.cell, second.cell]) is second.cell else (second, first)


def contradictions(corpus: Corpus) -> Iterator[Contradiction]:
    """Yield the pairs of live cells that differ by nothing but what turns one into the other's opposite."""
    topics: dict[str, list[Placed]] = {}
    for place in corpus.live:
        topic = place.cell.topic
        if topic in topics:
            topics[topic].append(place)
        else:
            topics[topic] = [place]
    topics.pop("", None)
    for topic, places in topics.items():
        if len(places) > 1:
            yield from _contradictions(topic, places)


def _contradictions(topic: str, places: list[Placed]) -> Iterator[Contradiction]:
    known: dict[tuple[str, ...], tuple[Placed, Outline]] = {}
    for place in places:
        mine = outline(place.cell.gist)
        if len(mine.words) < _FEWEST:
            continue
        if mine.words not in known:
            known[mine.words] = place, mine
            continue
        other, theirs = known[mine.words]
        values = _values(theirs, mine)
        if values is not None and comparable(place, other):
            yield Contradiction(topic, other, place, values)


def _values(one: Outline, other: Outline) -> tuple[str, ...] | None:
    """Return the two values that differ, nothing where one denies the other; None where they do not contradict."""
    differing = [pair for pair in zip(one.numbers, other.numbers, strict=True) if pair[0] != pair[1]]
    if one.denied != other.denied:
        return None if differing else ()
    return differing[0] if len(differing) == 1 else None
