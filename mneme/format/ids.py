"""Cell IDs: what they look like, what only looks like one, and which number comes next."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from mneme.errors import UsageError
from mneme.format.vocabulary import BLANKS

if TYPE_CHECKING:
    from mneme.format.model import Cell

ID = re.compile(r"[A-Z][A-Z0-9]*-[a-z0-9]+\Z")
PREFIX = re.compile(r"[A-Z][A-Z0-9]*\Z")
MIN_DIGITS = 4
RANDOM_LENGTH = 8
"""32**8 suffixes: two writers meet with a chance of one in a million after about 1,500 new cells each of one prefix."""
RANDOM_ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789"
"""Lower case and digits without i, l, o and u, which are misread (Crockford)."""

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u00ad"), "-")


class Number(NamedTuple):
    """The prefix and number an ID, or a look-alike of one, stands for."""

    prefix: str
    value: int


def is_id(token: str) -> bool:
    """Whether ``token`` is a well-formed ID."""
    return ID.match(token) is not None


def canonical(token: str) -> str:
    """Return ``token`` as it was probably meant: ``-`` for any dash, nothing invisible, plain letters, fitting case."""
    if token.isascii() and ID.match(token):
        return token
    plain = unicodedata.normalize("NFKD", token.translate(_DASHES))
    plain = "".join(char for char in plain.translate(_DASHES) if unicodedata.category(char) not in ("Cf", "Mn", "Cc"))
    plain = "".join(_HOMOGLYPHS.get(char) or str(unicodedata.decimal(char, char)) for char in plain)
    prefix, dash, suffix = plain.partition("-")
    return f"{prefix.upper()}{dash}{suffix.lower()}" if dash else plain


_HOMOGLYPHS = dict(zip("АВЕЅКМНОРСТХІЈаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESKMHOPCTXIJaeopcyxiABEZHIKMNOPTYX", strict=True))
"""Cyrillic and Greek letters drawn like Latin ones."""


def looks_like_id(token: str) -> bool:
    """Whether ``token`` is no ID but is read as one (lower-case prefix, another dash, invisible characters)."""
    return not is_id(token) and is_id(canonical(token))


def number(token: str) -> Number | None:
    """Return the number that ``token``, well-formed or a look-alike, takes up; None for random suffixes and others."""
    prefix, _, suffix = canonical(token).partition("-")
    if not PREFIX.match(prefix) or not suffix.isascii() or not suffix.isdigit():
        return None
    return Number(prefix, int(suffix)) if len(suffix) <= _MAX_DIGITS else None


_MAX_DIGITS = 600
"""What Python turns into a number under any setting of its own guard; nobody counts that far."""


def check_prefix(prefix: str) -> str:
    """Return ``prefix``.

    Raises:
        UsageError: it is malformed.
    """
    if PREFIX.match(prefix):
        return prefix
    meant = canonical(f"{prefix.strip(BLANKS)}-1").partition("-")[0]
    hint = (
        f"did you mean {meant}?" if PREFIX.match(meant) else "an upper-case letter, then upper-case letters or digits"
    )
    raise UsageError(f"{prefix!r} is no ID prefix", hint)


def next_numbers(prefix: str, used: Iterable[str]) -> Iterator[str]:
    """Yield the IDs after the largest number of ``prefix`` among ``used`` (IDs and look-alikes), for ever.

    Raises:
        UsageError: the prefix is malformed.
    """
    check_prefix(prefix)
    largest = 0
    for token in used:
        head, _, tail = token.partition("-")
        if head == prefix and tail.isascii() and tail.isdigit() and len(tail) <= _MAX_DIGITS:
            largest = max(largest, int(tail))
        elif not token.isascii() or not token.isprintable() or head.upper() == prefix:  # it may be a look-alike
            found = number(token)
            if found and found.prefix == prefix:
                largest = max(largest, found.value)
    while True:
        largest += 1
        yield f"{prefix}-{largest:0{MIN_DIGITS}d}"


def random_ids(prefix: str, used: Iterable[str], choose: Iterator[str]) -> Iterator[str]:
    """Yield unused IDs with random suffixes, at least one letter each; ``choose`` yields suffix candidates.

    Raises:
        UsageError: the prefix is malformed.
    """
    check_prefix(prefix)
    taken = set(used)
    for suffix in choose:
        token = f"{prefix}-{suffix}"
        if not suffix.isdigit() and token not in taken:
            taken.add(token)
            yield token


def used_ids(cells: Iterable[Cell]) -> Iterator[str]:
    """Yield every ID that ``cells`` take up: their own, and those their links name."""
    for cell in cells:
        yield cell.id
        for link in cell.links:
            yield link.target


def suffixes() -> Iterator[str]:
    """Yield random suffixes for ever, from the operating system's generator."""
    import secrets

    while True:
        yield "".join(secrets.choice(RANDOM_ALPHABET) for _ in range(RANDOM_LENGTH))


def new_ids(prefix: str, cells: Iterable[Cell], style: str = "sequential", taken: Iterable[str] = ()) -> Iterator[str]:
    """Yield new IDs for ``prefix``: ``sequential`` numbers, or ``random`` suffixes.

    None is in use by ``cells``, or among the IDs ``taken`` besides.

    Raises:
        UsageError: the prefix is malformed.
    """
    used = chain(used_ids(cells), taken)
    return random_ids(prefix, used, suffixes()) if style == "random" else next_numbers(prefix, used)
