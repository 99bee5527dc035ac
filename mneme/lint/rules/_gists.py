"""What two gists have in common: their words without what carries no meaning, and what turns one into its opposite."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from mneme.format.model import Placed
from mneme.format.vocabulary import INVERSES
from mneme.lint.rules._words import AUXILIARIES, FILLERS, LABELS, NEGATIONS, PREPOSITIONS, UNITS, VALUE_WORDS
from mneme.text.lazy import lazy

EDGES = " \t.,;:!?\"'()[]{}`*"


_HAN = "\u2e80-\u2fff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = lazy(f"[{_HAN}]|[^\\s{_HAN}]+")
_PUNCTUATION = lazy(r"[，。、；：！？“”‘’「」『』（）《》〈〉【】…—·,;:!?\"'()\[\]{}`*]|\.(?!\w)")
_HAN_FILLERS = lazy("目前|现在|現在|已经|已經|的|了|也|就")
_CLAUSE = lazy(r"[,;，；。]\s*|\.\s+")


def words_of(gist: str) -> list[str]:
    """Return the words of ``gist`` that carry meaning, folded; Han and kana one character each."""
    if gist.isascii():
        text = gist.lower()
        if text.replace(" ", "").isalnum():  # most gists
            words = text.split()
            return words if FILLERS.isdisjoint(words) else [word for word in words if word not in FILLERS]
        if "n't" in text:
            text = text.replace("can't", "cannot").replace("won't", "will not").replace("n't", " not")
        return [word for raw in text.split() if (word := raw.strip(EDGES)) and word not in FILLERS]
    text = unicodedata.normalize("NFKC", gist).casefold().replace("’", "'")
    text = _HAN_FILLERS.sub("", _PUNCTUATION.sub(" ", text.replace("n't", " not")))
    words = [raw if len(raw) == 1 else raw.strip(EDGES) for raw in _TOKEN.findall(text)]
    return [word for word in words if word and word not in FILLERS]


def same_words(one: str, other: str) -> bool:
    """Whether two gists with equal words say the same: in one order, or with whole clauses changing places.

    Order is meaning: "harbor calls compass" is not "compass calls harbor".
    """
    first, second = words_of(one), words_of(other)
    if first == second:
        return True
    clauses, others = _clauses(one), _clauses(other)
    if len(clauses) > 1 and clauses == others:
        return True
    return _turned(first, second)


def _clauses(gist: str) -> list[list[str]]:
    return sorted(words for part in _CLAUSE.split(gist) if (words := words_of(part)))


_MOST_TURNED = 60
"""No gist of more words is held against another turned round."""


def _turned(first: list[str], second: list[str]) -> bool:
    """Whether ``second`` is ``first`` with a phrase that begins with a preposition moved to the other end."""
    if len(first) != len(second) or len(first) > _MOST_TURNED:
        return False
    for number, word in enumerate(first):
        if number and word in PREPOSITIONS and first[number:] + first[:number] == second:
            return True
        if second[number] in PREPOSITIONS and number and second[number:] + second[:number] == first:
            return True
    return False


def comparable(one: Placed, other: Placed) -> bool:
    """Whether two cells are of one layer, not of one ID (MN101), and neither says that it replaces the other."""
    if one.cell.id == other.cell.id or one.document.personal != other.document.personal:
        return False
    return not any(
        link.relation in INVERSES and link.target == target
        for cell, target in ((one.cell, other.cell.id), (other.cell, one.cell.id))
        for link in cell.links
    )


class Outline(NamedTuple):
    """A gist without what can be turned round: ``denied`` is whether that was an odd number of times."""

    words: tuple[str, ...]
    denied: bool
    numbers: tuple[str, ...]


_ANTONYMS = {
    word: (pair[0], bool(turn))
    for pair in (
        ("enable", "disable"), ("enabled", "disabled"), ("enables", "disables"), ("allow", "forbid"),
        ("allowed", "forbidden"), ("allows", "forbids"), ("permitted", "prohibited"), ("include", "exclude"),
        ("includes", "excludes"), ("included", "excluded"), ("required", "optional"), ("mandatory", "voluntary"),
        ("synchronous", "asynchronous"), ("synchronously", "asynchronously"), ("public", "private"),
        ("mutable", "immutable"), ("accept", "reject"), ("accepts", "rejects"), ("accepted", "rejected"),
        ("with", "without"), ("true", "false"), ("possible", "impossible"), ("supported", "unsupported"),
        ("safe", "unsafe"), ("encrypted", "unencrypted"), ("online", "offline"), ("opt-in", "opt-out"),
    )
    for turn, word in enumerate(pair)
}  # fmt: skip
_ALWAYS = frozenset({"always"})
_HAN_TURN = {
    "禁止": "允许", "禁用": "启用", "停用": "启用", "关闭": "开启", "无需": "需要", "不必": "必须", "从不": "总是",
    "异步": "同步", "非同步": "同步", "私有": "公开",
}  # fmt: skip
_HAN_SAME = {
    "允許": "允许",
    "啟用": "启用",
    "開啟": "开启",
    "關閉": "关闭",
    "打开": "开启",
    "無需": "无需",
    "異步": "异步",
}
"""Other spellings of these words."""
_HAN_TURNED = lazy("|".join(sorted(_HAN_TURN, key=len, reverse=True)))
_HAN_RESPELT = lazy("|".join(_HAN_SAME))

_NUMBER = lazy(r"[<>~≤≥±$€£¥]{0,2}([0-9][0-9.,]*)(%|[a-zµ]{0,3})")


def outline(gist: str) -> Outline:
    """Return what is left of ``gist`` when negations, opposites and numbers with a unit are taken out."""
    denied = False
    if not gist.isascii():
        gist = _HAN_RESPELT.sub(lambda match: _HAN_SAME[match[0]], unicodedata.normalize("NFKC", gist))
        gist, turns = _HAN_TURNED.subn(lambda match: _HAN_TURN[match[0]], gist)
        denied = bool(turns % 2)
    words: list[str] = []
    numbers: list[str] = []
    tokens = words_of(gist)
    for place, token in enumerate(tokens):
        if token in NEGATIONS:
            denied = not denied
        elif token in _ANTONYMS:
            word, turned = _ANTONYMS[token]
            words.append(word)
            denied ^= turned
        elif token in AUXILIARIES or token in _ALWAYS:
            continue
        elif not token.isalpha() and (match := _NUMBER.fullmatch(token)) and _measures(tokens, place, match[2]):
            words.append(f"#{match[2]}")
            numbers.append(match[1].rstrip(".,"))
        else:
            words.append(token[:-1] if len(token) > 3 and token.endswith("s") and token.isalpha() else token)
    return Outline(tuple(words), denied, tuple(numbers))


def _measures(tokens: list[str], place: int, glued: str) -> bool:
    """Whether the number at ``place`` says how much, and is no name or date."""
    before = tokens[place - 1] if place else ""
    after = tokens[place + 1] if place + 1 < len(tokens) else ""
    if before in LABELS:
        return False
    if glued:
        return glued in UNITS
    return after in UNITS or (not after and before in VALUE_WORDS)
