"""Cues for a text that came without any: the names in it, then the words that say most."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mneme.format.cues import split_cues
from mneme.format.vocabulary import BLANKS
from mneme.graph.entities import extract
from mneme.graph.stop_words import STOP_WORDS
from mneme.graph.tokens import runs
from mneme.text.lazy import lazy

MOST = 4
"""So many cues are derived at most."""

_LONGEST = 40
_SHORTEST_WORD = 5
_HAN_JOINTS = lazy(
    "因为|所以|由于|因此|但是|如果|虽然|为了|以便|可以|没有|[的了是在和与及或把被将对从让而且其这那我们都就会]"
)
"""Han that join what is said: a run of Han is cut at them."""

_SAY_LITTLE = frozenset[str]().union(*STOP_WORDS.values())

_HAN, _OTHER = range(2, 9), range(3, 13)
"""Of how many characters a piece may be that is cut out of a script without blanks."""


def derived_cues(text: str, gist: str) -> tuple[str, ...]:
    """Return up to :data:`MOST` cues for ``text``, whose one line is ``gist``: in the order in which they stand there.

    There is always one, unless the gist holds nothing that can be a cue.
    """
    names = [name for name in extract(text, None) if len(name) <= _LONGEST and is_cue(name)]
    chosen = names[:MOST]
    known = " ".join(names).casefold()
    words = [word for word in dict.fromkeys(_words(gist)) if word.casefold() not in known and is_cue(word)]
    chosen += sorted(words, key=len, reverse=True)[: MOST - len(chosen)]
    if chosen:
        return tuple(sorted(chosen, key=lambda word: _place(text, word)))
    whole = gist.strip(f"{BLANKS}.。!！?？…")[:_LONGEST].strip(BLANKS)
    return (whole,) if is_cue(whole) else ()


def is_cue(text: str) -> bool:
    """Whether ``text`` can stand on a cue line as one cue, as it is."""
    return split_cues(f"{text} /") == [text] and text.isprintable()


def _place(text: str, word: str) -> int:
    found = text.find(word)
    return found if found >= 0 else len(text)


def _words(gist: str) -> Iterator[str]:
    for start, end, script in runs(gist):
        run = gist[start:end]
        if script == "word":
            if len(run) >= _SHORTEST_WORD and run.lower() not in _SAY_LITTLE and not re.fullmatch(r"[\d_]+", run):
                yield run
        elif script == "han":
            yield from (piece for piece in _HAN_JOINTS.split(run) if len(piece) in _HAN)
        elif script == "thai":
            from mneme.graph.thai import words_of

            yield from (word for word in words_of(run) if len(word) in _OTHER)
        elif len(run) in _OTHER:
            yield run
