"""Dates of the format: ``YYYY-MM-DD``, ASCII digits, real days, on every Python version."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from mneme.text.lazy import lazy

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", re.ASCII)


@lru_cache(maxsize=65536)
def parse_date(text: str) -> date | None:
    """Return the day that ``text`` names, or None when it is no date of the format."""
    if not _DATE.match(text):
        return None
    try:
        return date(int(text[:4]), int(text[5:7]), int(text[8:]))
    except ValueError:
        return None


def meant_date(text: str) -> str:
    """Return the date that a malformed ``text`` certainly means, spelled rightly; empty when in doubt.

    Certain: other ISO 8601 spellings (``20260603``, week dates, a time of day added), missing zeros in ``2026-6-3``,
    year-first with slashes or dots or ``年月日``, digits of another script, punctuation behind. Never: anything that
    needs guessing which is the month, and days that do not exist.
    """
    plain = _ascii_digits(text).strip(",;.，。；")
    if parse_date(plain):
        return plain
    parts = _YEAR_FIRST.fullmatch(plain) or _NAMED_PARTS.fullmatch(plain)
    if parts:
        candidate = f"{parts['year']}-{int(parts['month']):02d}-{int(parts['day']):02d}"
        return candidate if parse_date(candidate) else ""
    other = _ISO.fullmatch(plain)
    if other is None:
        return ""
    from dateutil.parser import isoparse

    try:
        return isoparse(other["day"]).date().isoformat()
    except (ValueError, OverflowError):
        return ""


_YEAR_FIRST = lazy(r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})")
_NAMED_PARTS = lazy(r"(?P<year>[0-9]{4})[年년](?P<month>[0-9]{1,2})[月월](?P<day>[0-9]{1,2})[日號号일]?")
_ISO = lazy(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|[0-9]{4}-W[0-9]{2}-[1-7]|[0-9]{4}W[0-9]{2}[1-7])"
    r"(?:[Tt][0-9]{2}[0-9:.,+\-Zz]*)?"
)
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\uff0d"), "-")


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata

    return "".join(str(unicodedata.decimal(char, char)) for char in text.translate(_DASHES))
