"""``AGENTS.md`` (and Gemini's ``GEMINI.md``): instructions as Markdown, read by many agents."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.bridge.imports.note import Part, Reading
from mneme.bridge.imports.prose import PROJECT, read_prose

NAMES = frozenset({"AGENTS.md", "AGENTS.override.md", "GEMINI.md"})


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add what ``parts`` say."""
    for part in parts:
        read_prose(part, reading, topic=PROJECT)
