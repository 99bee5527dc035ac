"""MN505: two live cells, two answers."""

from __future__ import annotations

from collections.abc import Iterator

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


def _contradictions(topic: str, places: list[Placed]) -> Iterator[Hit[Placed]]:
    known: dict[tuple[str, ...], tuple[Placed, Outline]] = {}
    for place in places:
        mine = outline(place.cell.gist)
        if len(mine.words) < _FEWEST:
            continue
        if mine.words not in known:
            known[mine.words] = place, mine
            continue
        other, theirs = known[mine.words]
        if _difference(mine, theirs) and comparable(place, other):
            yield _hit(topic, (other, theirs), (place, mine))


def _difference(one: Outline, other: Outline) -> str:
    """Return in words how the two contradict each other; empty when they do not."""
    differing = [pair for pair in zip(one.numbers, other.numbers, strict=True) if pair[0] != pair[1]]
    if one.denied != other.denied:
        return "" if differing else "one denies what the other says"
    if len(differing) == 1:
        return f"{differing[0][0]} against {differing[0][1]}"
    return ""


def _hit(topic: str, first: tuple[Placed, Outline], second: tuple[Placed, Outline]) -> Hit[Placed]:
    winner = stronger([first[0].cell, second[0].cell])
    loses, other = (first, second) if winner is second[0].cell else (second, first)
    hint = "confidence and date do not decide: find out which holds, and supersede the other"
    if winner is not None:
        hint = f"{winner.id} wins (confidence, then last seen): supersede {loses[0].cell.id} by it"
    what = _difference(loses[1], other[1])
    message = f"{loses[0].cell.id} contradicts {other[0].cell.id} on {topic}: {what}"
    return Hit(loses[0], *loses[0].cell.span("gist"), message, hint)
