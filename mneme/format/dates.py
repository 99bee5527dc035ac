"""Dates of the format: ``YYYY-MM-DD``, ASCII digits, real days, on every Python version."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

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
    year-first with slashes or dots, digits of another script. Never: anything that needs guessing which is the month.
    """
    plain = _ascii_digits(text).strip(",;.，。；")
    if parse_date(plain):
        return plain
    parts = re.fullmatch(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})", plain)
    if parts:
        candidate = f"{parts[1]}-{int(parts[3]):02d}-{int(parts[4]):02d}"
        return candidate if parse_date(candidate) else ""
    if not re.match(r"[0-9]{4}(?:-?[0-9]{2}-?[0-9]{2}|-?W[0-9]{2}-?[1-7])", plain) or len(plain) < 8:
        return ""
    from dateutil.parser import isoparse

    try:
        return isoparse(plain).date().isoformat()
    except (ValueError, OverflowError):
        return ""


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata

    folded = "".join(str(unicodedata.digit(char, char)) for char in text)
    return folded.replace("\u2010", "-").replace("\u2011", "-").replace("\u2013", "-").replace("\uff0d", "-")
