"""JSON that other programs wrote: what cannot be read is noted with its line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mneme.bridge.imports.note import Part, Reading


def values(part: Part, reading: Reading) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with one a line, each with its line; what is none is noted in ``reading``."""
    for number, line in enumerate(part.text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        value = loaded(line, part.name, number, reading)
        if isinstance(value, dict):
            yield number, value
        elif value is not None:
            reading.broken(part.name, number, "not a JSON object")


def loaded(text: str, path: str, line: int, reading: Reading) -> Any:
    """Return the value of ``text``; None, and a note in ``reading``, when it is no JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        reading.broken(path, line + error.lineno - 1, f"no JSON: {error.msg} (column {error.colno})")
    except (ValueError, RecursionError) as error:
        reading.broken(path, line, f"no JSON: {'nested too deeply' if isinstance(error, RecursionError) else error}")
    return None


def text_of(value: Any) -> str:
    """Return ``value`` when it is a text, trimmed; else the empty text."""
    return value.strip() if isinstance(value, str) else ""
