"""MN504: the same memory twice."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.conflict import stronger
from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, on_workspace
from mneme.lint.rules._gists import EDGES, comparable, same_words, words_of
from mneme.lint.rules._words import BEFORE_NOUNS, HARMLESS, TELLING

_FEWEST = 3
"""Shorter gists say too little to be compared (words; of Han and kana, characters)."""
_FEWEST_SHARED = 5
"""Gists that differ by one word have at least so many others in common."""


@on_workspace("MN504", "near-duplicate")
def NEAR_DUPLICATE(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Two live cells say the same: equal gists but for case, punctuation, "the", a moved phrase, or one more word.

    Cells that differ in a number, a negation, a name or another telling word are not the same.

    Why: one of them will be superseded, and the other stay and contradict.

    Bad:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-10-01   seen 2026-11-20
        cue   cache

        @ DEC-0002  storage/files
        gist  The local cache uses SQLite, instead of JSON files.
        state live   conf high   since 2026-11-01   seen 2026-11-21
        cue   sqlite

    Good:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-10-01   seen 2026-11-20
        cue   cache

        @ DEC-0002  storage/files
        gist  Shared cache uses Redis instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-21
        cue   redis

    Fix: none; keep one of them, and retire the other.
    """
    live = corpus.live
    by_length: dict[int, dict[int, int]] = {}
    longer: list[tuple[int, int, int]] = []
    for number, place in enumerate(live):
        words = words_of(place.cell.gist)
        length = len(words)
        if length < _FEWEST:
            continue
        total = sum(map(hash, words))  # the same for the same words in any order
        first = by_length.get(length)
        if first is None:
            first = by_length[length] = {}
        known = first.setdefault(total, number)
        if known == number:
            if length > _FEWEST_SHARED:
                longer.append((number, length, total))
        elif comparable(live[known], place) and same_words(live[known].cell.gist, place.cell.gist):
            yield _hit(place, live[known])
    for number, length, total in longer:
        shorter = by_length.get(length - 1)
        if shorter is None:
            continue
        for code in set(map(hash, words_of(live[number].cell.gist))):
            known = shorter.get(total - code, number)
            if known != number and _one_more(live[number], live[known]):
                yield _hit(*sorted((live[number], live[known]), key=_order, reverse=True))
                break


def _one_more(longer: Placed, shorter: Placed) -> bool:
    """Whether ``longer`` is ``shorter`` and one word that tells nothing new, under the same head of topics."""
    many, few = words_of(longer.cell.gist), words_of(shorter.cell.gist)
    if len(many) != len(few) + 1 or not longer.cell.gist.isascii() or not comparable(longer, shorter):
        return False
    heads = {cell.topic.partition("/")[0] for cell in (longer.cell, shorter.cell)} - {""}
    place = next((number for number, word in enumerate(few) if many[number] != word), len(few))
    return len(heads) < 2 and many[:place] + many[place + 1 :] == few and _adds_nothing(many[place], longer.cell.gist)


def _adds_nothing(extra: str, gist: str) -> bool:
    """Whether ``extra`` may go without a loss: it is harmless, or neither telling nor a name nor tied to a noun."""
    if extra in HARMLESS:
        return True
    words = [word.strip(EDGES) for word in gist.split()]
    if extra in TELLING or not extra.isalpha() or extra not in words:  # a capital inside the gist is a name
        return False
    place = words.index(extra)
    return place > 0 and words[place - 1].lower() not in BEFORE_NOUNS


def _order(place: Placed) -> tuple[str, int]:
    return place.document.name, place.start


def _hit(place: Placed, earlier: Placed) -> Hit[Placed]:
    winner = stronger([place.cell, earlier.cell])
    loser = earlier.cell if winner is place.cell else place.cell
    line = earlier.document.lines.position(earlier.start)[0]
    return Hit(
        place, *place.cell.span("gist"),
        f"{place.cell.id} says the same as {earlier.cell.id} ({earlier.document.name}:{line})",
        f"keep one of them: mneme retire {loser.id}",
    )  # fmt: skip
