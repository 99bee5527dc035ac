"""The memories of beads: lines of ``issues.jsonl`` that ``bd remember`` wrote. Issues are work, and left out."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.bridge.imports.json_lines import text_of, values
from mneme.bridge.imports.note import Note, Part, Reading, day_in
from mneme.bridge.imports.words import prefix_by_words


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add the memories of ``parts``: ``{"_type": "memory", "key": …, "value": …}``."""
    for part in parts:
        for line, value in values(part, reading):
            if value.get("_type") != "memory":
                reading.left_out["issues"] += 1
                continue
            key, text = text_of(value.get("key")), text_of(value.get("value"))
            if not text:
                reading.broken(part.name, line, "a memory without a value")
                continue
            created = text_of(value.get("created_at"))
            words = " ".join(key.replace("-", " ").replace("_", " ").split())
            reading.notes.append(
                Note(
                    text, part.name, line, prefix=prefix_by_words(text), topic=("memory",), cues=(words,) * bool(words),
                    day=day_in(created), item=key, more=(("created", created),),
                )
            )  # fmt: skip
