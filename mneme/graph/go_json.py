"""JSON byte for byte as the engine that we are compatible with writes it, with the encoder of Go."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

_ESCAPED = re.compile("[<>&\u2028\u2029]")
_SEPARATORS = re.compile("[\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def dumps(value: Any, *, indent: bool = True, html: bool = True) -> str:
    """Return ``value`` as JSON: two spaces a level or one line, ``<``, ``>`` and ``&`` escaped or as they are.

    Other characters stand for themselves, keys in the order they have, a float without needless zeros (1.0 is ``1``).

    Raises:
        ValueError: a number is not finite.
        TypeError: a value has no form in JSON.
    """
    return _value(value, "\n" if indent else "", _ESCAPED if html else _SEPARATORS)


def _value(value: Any, line: str, escaped: re.Pattern[str]) -> str:
    if isinstance(value, str):
        return _text(value, escaped)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    inner = line and line + "  "
    if isinstance(value, Mapping):
        colon = ": " if line else ":"
        items = [_text(str(key), escaped) + colon + _value(item, inner, escaped) for key, item in value.items()]
        return _group("{}", items, line, inner)
    if isinstance(value, list | tuple):
        return _group("[]", [_value(item, inner, escaped) for item in value], line, inner)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _group(ends: str, items: list[str], line: str, inner: str) -> str:
    return ends[0] + inner + ("," + inner).join(items) + line + ends[1] if items else ends


def _text(text: str, escaped: re.Pattern[str]) -> str:
    known = json.dumps(_SURROGATES.sub("\ufffd", text), ensure_ascii=False)
    return escaped.sub(lambda match: f"\\u{ord(match[0]):04x}", known)


def _float(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"{value} has no form in JSON")
    if value and not 1e-6 <= abs(value) < 1e21:
        return re.sub(r"e([+-])0(\d)$", r"e\1\2", repr(value))
    plain = format(Decimal(repr(value)), "f")
    return plain.removesuffix(".0")
