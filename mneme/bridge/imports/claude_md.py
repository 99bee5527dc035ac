"""Claude Code's ``CLAUDE.md`` and ``CLAUDE.local.md``: instructions as Markdown. Imports (``@``) are not followed."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.bridge.imports.note import Part, Reading
from mneme.bridge.imports.prose import PROJECT, read_prose

NAMES = frozenset({"CLAUDE.md", "CLAUDE.local.md"})


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add what ``parts`` say. The local file is the person's own."""
    for part in parts:
        read_prose(part, reading, topic=PROJECT, personal=part.name.endswith(".local.md"))
