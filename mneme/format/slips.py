"""What an unrecognised line, or a word on a state line, was probably meant to be."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from mneme.format import ids
from mneme.format.dates import meant_date
from mneme.format.vocabulary import BLANKS, CONFIDENCES, IMPORTANCES, LINE_KEYS, PAIR_KEYS, RELATIONS, STATES

INVISIBLE = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"
FULL_WIDTH = {"\uff20": "@", "\uff1e": ">", "\uff03": "#"}
GLUE = ":=\uff1a\uff1d"
"""What people put between a key and its value where a blank belongs."""
PUNCTUATION = ",;.:!\uff0c\uff1b\u3002\u3001"

_NEAR = 0.75
_LONGEST = 120
"""More of a line than any slip needs (characters)."""
_WORD = re.compile(f"[^{BLANKS}{GLUE}]*")
_TOKEN = re.compile(f"[^{BLANKS}]+")
_SYNONYMS = {"status": "state", "confidence": "conf", "reference": "ref", "references": "ref"}
_TRANSLATED = {
    "要点": "gist", "要點": "gist", "状态": "state", "狀態": "state", "置信": "conf", "置信度": "conf", "线索": "cue",
    "線索": "cue", "关联": "link", "關聯": "link", "链接": "link", "連結": "link",
}  # fmt: skip


class Slip(NamedTuple):
    """What a line that no rule matches is: the rule that speaks of it, the head meant, and where the one written ends.

    ``head`` is a key, ``@``, ``>``, ``#``, or empty when the line looks like none of them.
    """

    rule: str
    head: str
    end: int


def judge(line: str) -> Slip:
    """Return what the unrecognised ``line`` was probably meant to be.

    ``malformed-header`` is about a header whose ``@`` is full-width or not in column 1; ``full-width-mark`` and
    ``indented-key`` are about ``>`` and ``#``; ``key-slip`` about a key in wrong case, with a colon, mistyped or
    translated, and only when what follows is what that key takes: prose may begin with any word. All else is an
    ``unknown-line``, whose head is a guess.
    """
    bare = line.lstrip(BLANKS + INVISIBLE)
    lead = len(line) - len(bare)
    found = _judge(bare[:_LONGEST], lead > 0)
    return found._replace(end=found.end + lead)


@lru_cache(maxsize=4096)
def _judge(bare: str, indented: bool) -> Slip:
    mark = bare[:1]
    if mark in FULL_WIDTH or (mark and mark in "@>#"):
        meant = FULL_WIDTH.get(mark, mark)
        if meant == "@":
            return _judge_header(bare[1:], plain_sign=mark == "@", indented=indented)
        if mark in FULL_WIDTH:
            return Slip("full-width-mark", meant, 1)
        return Slip("indented-key" if indented else "unknown-line", meant, 0)
    word = _first(_WORD, bare)
    glue = bare[len(word) : len(word) + 1]
    glued = bool(glue) and glue in GLUE
    end = len(word) + glued
    rest = bare[end:].strip(BLANKS)
    key = fold(word)
    key = _TRANSLATED.get(key, key)
    if key in LINE_KEYS:
        return Slip("key-slip" if fits(key, rest, glued=glued) else "unknown-line", key, end)
    key = _near(key, LINE_KEYS)
    slipped = key and (glued or word.islower()) and key[0] == fold(word)[0] and fits(key, rest, glued=glued)
    return Slip("key-slip" if slipped else "unknown-line", key, end)


def judge_word(word: str, following: str) -> tuple[str, int, bool]:
    """Return what the unknown ``word`` of a state line was meant to be, and what comes of the word behind it.

    The key (empty: none), the length of the key as written, and whether ``following`` is its value. A key whose value
    does not fit is only a guess: then nothing is its value.
    """
    written = _first(_WORD, word)
    glued = len(written) < len(word)
    key = fold(written)
    if key not in PAIR_KEYS:
        key = _near(key, PAIR_KEYS)
        if key and key[0] != fold(written)[0]:
            key = ""
    value = word[len(written) + glued :] or following
    fitting = bool(key) and fits(key, value, glued=glued)
    return key, len(written) + glued if fitting else 0, fitting and value is following


def first_token(text: str) -> str:
    """Return the first token of ``text``, as the format counts blanks; empty when there is none."""
    return _first(_TOKEN, text.lstrip(BLANKS))


def fold(word: str) -> str:
    """Return ``word`` in lower case, its letters plain: what it is read as."""
    return (word if word.isascii() else ids.canonical(word)).casefold()


def plain(value: str) -> str:
    """Return ``value`` folded, without punctuation around it."""
    return fold(value).strip(PUNCTUATION)


def fits(key: str, rest: str, *, glued: bool = False) -> bool:
    """Whether ``rest`` is something that the field ``key`` takes."""
    value = _first(_TOKEN, rest)
    match key:
        case "gist" | "cue":
            return bool(rest)
        case "state":
            return plain(value) in STATES
        case "conf":
            return plain(value) in (*CONFIDENCES, "medium")
        case "since" | "seen":
            return bool(meant_date(value))
        case "imp":
            return plain(value) in IMPORTANCES
        case "hot":
            return plain(value) in ("yes", "no")
        case "link":
            words = rest.split(maxsplit=2)
            return len(words) > 1 and (plain(words[0]) in RELATIONS or ids.is_id(ids.canonical(words[1])))
        case "ref":
            return bool(value) and (glued or any(mark in value for mark in "/.*"))
        case _:  # origin
            return "=" in value


def _judge_header(rest: str, *, plain_sign: bool, indented: bool) -> Slip:
    """Return what an ``@`` with ``rest`` behind it is, where it begins no cell."""
    token = first_token(rest)
    if not ids.is_id(ids.canonical(token)):
        return Slip("unknown-line", "", 0)
    # A plain sign glued to a look-alike is more likely a mention, as it is in column 1.
    if plain_sign and not (indented and (rest[:1] in BLANKS or ids.is_id(token))):
        return Slip("unknown-line", "@", 0)
    return Slip("malformed-header", "@", 1)  # the sign, which stands at the end of the span


def _near(word: str, keys: tuple[str, ...]) -> str:
    if not 2 < len(word) <= 10:
        return ""
    if (known := _SYNONYMS.get(word)) in keys:
        return known or ""
    import difflib

    near = difflib.get_close_matches(word, keys, 1, _NEAR)
    return near[0] if near else ""


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found[0] if found else ""
