"""Values in the attributes of a link and on an origin line: one token each, percent-encoded where they must be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote

from mneme.format.vocabulary import BLANKS

_KEY_WORDS = frozenset({"state", "conf", "since", "seen", "gist", "cue", "link"})
"""Never a token by themselves: a reader that scans lines it does not know would take them for keys."""


def encode(value: str) -> str:
    """Return ``value`` as one token; letters of every script stand for themselves. The empty text has no token."""
    text = "".join([char if _plain(char) else _percent(char) for char in value])
    return _percent(text[0]) + text[1:] if text in _KEY_WORDS or text.startswith("#") else text


def decode(token: str) -> str:
    """Return the value that a token stands for."""
    return unquote(token)


def origin_token(key: str, value: str) -> str:
    """Return ``key=value`` as a token of an origin line."""
    return f"{key}={encode(value)}"


def origin_values(origin: Iterable[str], key: str) -> list[str]:
    """Return the values of ``key`` on origin lines, decoded, in order."""
    start = f"{key}="
    return [decode(token[len(start) :]) for token in origin if token.startswith(start)]


def _plain(char: str) -> bool:
    if char.isascii():
        return char.isprintable() and char not in " %"
    return char not in BLANKS and unicodedata.category(char)[0] not in "CZ"


def _percent(char: str) -> str:
    return "".join([f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass")])
