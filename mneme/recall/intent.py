"""What a question is after: a reason, a time, a thing, or nothing in particular. It decides which edges count most."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from mneme.recall.cues import COUNTED, PRESENT
from mneme.text.lazy import lazy

INTENTS = ("WHY", "WHEN", "ENTITY", "GENERAL")
"""What a question can be after."""

EDGE_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "WHY": {"causal": 0.70, "temporal": 0.20, "entity": 0.05, "semantic": 0.05, "supersedes": 0.0},
    "WHEN": {"causal": 0.15, "temporal": 0.65, "entity": 0.10, "semantic": 0.10, "supersedes": 0.0},
    "ENTITY": {"causal": 0.10, "temporal": 0.05, "entity": 0.55, "semantic": 0.30, "supersedes": 0.0},
    "GENERAL": {"causal": 0.25, "temporal": 0.25, "entity": 0.25, "semantic": 0.25, "supersedes": 0.0},
}
"""What an edge of each type counts under each intent."""

_SPACE = lazy(r"\s+")
_QUOTED = lazy(r""""[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|(?<!\w)'[^']*'""")
_ARABIC_MARKS = lazy("[\u0640\u064b-\u0652\u0670]")
_JOINERS = ("\u200c", "\u200d")


def _any_of(cues: Iterable[str]) -> re.Pattern[str]:
    return lazy(unicodedata.normalize("NFC", rf"(?<!\w)(?:{'|'.join(cues)})(?!\w)"))


_ENGLISH = {intent: _any_of(cues[0]) for intent, cues in COUNTED.items()}
_CHINESE = {intent: lazy("|".join(cues[1])) for intent, cues in COUNTED.items()}


def _expressions(intent: str) -> Iterator[list[re.Pattern[str]]]:
    """Yield lists of patterns of the added languages: an intent shows where all of one list occur."""
    cues = [cue for language in PRESENT.values() for cue in language[intent]]
    yield [_any_of(cue for cue in cues if " & " not in cue)]
    for cue in cues:
        if " & " in cue:
            yield [_any_of([side]) for side in cue.split(" & ")]


_ADDED = {intent: list(_expressions(intent)) for intent in COUNTED}


def detect(question: str) -> str:
    """Return the intent that the words of ``question`` show; ``GENERAL`` when they show none, or two at odds.

    English and Chinese cues are counted, quoted or not. Of the other nine languages it matters which intents occur
    outside of quotes.
    """
    plain = _SPACE.sub(" ", unicodedata.normalize("NFC", question)).casefold()
    counts = {intent: _count(intent, plain) for intent in COUNTED}
    bare = _QUOTED.sub(" ", _ARABIC_MARKS.sub("", plain))
    added = [intent for intent in _ADDED if _occurs(intent, bare)]
    if len(added) > 1 or (added and any(count for intent, count in counts.items() if intent != added[0])):
        return "GENERAL"
    if added:
        return added[0]
    why, when, entity = (counts[intent] for intent in ("WHY", "WHEN", "ENTITY"))
    if why > max(when, entity):
        return "WHY"
    if when > max(why, entity):
        return "WHEN"
    return "ENTITY" if entity else "GENERAL"


def _count(intent: str, text: str) -> int:
    english = sum(1 for _ in _whole_words(_ENGLISH[intent], text))
    return english if text.isascii() else english + len(_CHINESE[intent].findall(text))


def _occurs(intent: str, text: str) -> bool:
    """Whether a cue of ``intent`` occurs in ``text``, of which all that its expression asks for has to be there."""
    return any(all(any(_whole_words(side, text)) for side in sides) for sides in _ADDED[intent])


def _whole_words(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches that are no part of a longer word; after one that is, the search goes on a character later."""
    place = 0
    while match := pattern.search(text, place):
        start, end = match.span()
        if _joins(text[start - 1 : start]) or _joins(text[end : end + 1]):
            place = start + 1
        else:
            yield match
            place = end


def _joins(char: str) -> bool:
    """Whether ``char`` makes what is beside it part of a longer word, though it is no letter, number or underscore."""
    return char != "" and (char in _JOINERS or unicodedata.category(char)[0] == "M")
