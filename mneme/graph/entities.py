"""Which entities a text names: recognisers, a dictionary, and the names that are known already."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable

from mneme.errors import UsageError
from mneme.graph.names import DICTIONARY, NO_ENTITIES
from mneme.graph.tokens import letters_with_marks, runs
from mneme.text.lazy import lazy

MODES = ("merge", "provided", "auto")
"""What becomes of entities that are given: joined with those found, taken alone, or ignored."""

RECOGNISERS = (
    ("CamelCase", lazy(r"\b(?:[A-Z][a-z]+){2,}\b", re.ASCII)),
    ("acronym", lazy(r"\b[A-Z]{2,6}\b", re.ASCII)),
    # the delimiters are consumed: of two paths with one blank between them, the first is found
    ("path", lazy(r"""(?:^|[\s"'`(\[{<,.])([\w./-]+\.\w{1,10})(?:$|[\s"'`)\]}>,.])""", re.ASCII)),
    ("URL", lazy(r"""https?://[^\s"'<>)]+""", re.ASCII)),
    ("mention", lazy(r"@([A-Za-z_]\w+)", re.ASCII)),
    ("CJK quotes", lazy("《([^》]+)》|「([^」]+)」")),
)
"""In the order in which what they find is listed. Letters, digits and blanks are ASCII: a capital word right beside a
Han character is a whole word."""

_ASCII_WORD = lazy("[A-Za-z0-9]+")

MAX_WORDS = 4
"""A known name of more words is not looked for in running text."""

MAX_CHARACTERS = 8
"""A known name in Han, kana, hangul or the like of more characters is not looked for in running text."""


def fold(name: str) -> str:
    """Return ``name`` as it is compared with others: without case, width or composition."""
    return name.lower() if name.isascii() else unicodedata.normalize("NFKC", name).casefold()


def extract(text: str, known: Callable[[str], bool] | Container[str] | None = None) -> list[str]:
    """Return the entities of ``text`` as they are written there, each once, in the order of the recognisers.

    ``known`` says of a name in ``text``, as it is written, whether it is one that is to be found, too;
    :func:`mentions` lists the names that it is asked about.
    """
    found: dict[str, None] = {}
    for _, pattern in RECOGNISERS:
        for match in pattern.finditer(text):
            name = match[match.lastindex or 0]
            if name not in NO_ENTITIES:
                found[name] = None
    for word in _ASCII_WORD.findall(text):
        if word in DICTIONARY:
            found[word] = None
    if known is not None:
        is_known = known if callable(known) else known.__contains__
        for name in mentions(text):
            if name not in found and is_known(name):
                found[name] = None
    return list(found)


def mentions(text: str) -> list[str]:
    """Return what in ``text`` could be a known name, as written, each once.

    These are capitalised words first, then every word, then phrases of up to :data:`MAX_WORDS` words with one
    character between them, then pieces of text in scripts that write no blanks.
    """
    spans: list[tuple[int, int]]
    pieces: list[str] = []
    if text.isascii():
        spans = [match.span() for match in _ASCII_WORD.finditer(text)]
        words = _ASCII_WORD.findall(text)
    else:
        spans, words = [], []
        for start, end, script in runs(text):
            spans.append((start, end))
            if script == "word":
                words.append(text[start:end])
        pieces = _pieces(text)
    capitalised = [word for word in words if word[0].isupper()]
    return list(dict.fromkeys([*capitalised, *words, *_phrases(text, spans), *pieces]))


_JOINERS = frozenset(" -_./:&+'’")


def _phrases(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """Return phrases of two words and more, the words being at ``spans``."""
    phrases: list[str] = []
    starts: list[int] = []  # of the phrases that the next word can go on with
    last = -1
    for start, end in spans:
        if starts and not (last == start or (last + 1 == start and text[last] in _JOINERS)):
            starts = []
        phrases += [text[first:end] for first in starts]
        starts = [*starts[2 - MAX_WORDS :], start]
        last = end
    return phrases


def _pieces(text: str) -> list[str]:
    """Return pieces of the runs whose scripts write no blanks: of characters, in Thai of words."""
    stretches: list[tuple[str, list[str]]] = []
    last = -1
    for start, end, script in runs(text):
        if script == "word":
            continue
        run = text[start:end]
        kind = "thai" if script == "thai" else ""
        if kind:
            from mneme.graph.thai import words_of

            units = words_of(run)
        else:
            units = letters_with_marks(run)
        if stretches and last == start and stretches[-1][0] == kind:
            stretches[-1][1].extend(units)
        else:
            stretches.append((kind, units))
        last = end
    found: list[str] = []
    for kind, units in stretches:
        if len(units) == 1:
            found += units
        found += _slices(units, 1 if kind else 2, MAX_WORDS if kind else MAX_CHARACTERS)
    return found


def _slices(units: list[str], shortest: int, longest: int) -> list[str]:
    size = len(units)
    return [
        "".join(units[start:end])
        for start in range(size)
        for end in range(start + shortest, min(start + longest, size) + 1)
    ]


def resolve(mode: str, provided: Iterable[str], extracted: Iterable[str]) -> list[str]:
    """Return the entities of an insight: those provided and those found in its text, as ``mode`` says.

    Raises:
        UsageError: there is no such mode.
    """
    if mode not in MODES:
        raise UsageError(f"There is no entity mode {mode!r}.", f"Choose one of {', '.join(MODES)}.")
    chosen = [*(provided if mode != "auto" else ()), *(extracted if mode != "provided" else ())]
    return list(dict.fromkeys(chosen))
