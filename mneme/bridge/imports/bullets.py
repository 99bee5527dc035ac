"""A plain list: a Markdown or text file in which every item, or paragraph, is a memory of its own."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.bridge.imports.note import Part, Reading
from mneme.bridge.imports.prose import read_prose, stem


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add what ``parts`` say."""
    for part in parts:
        read_prose(part, reading, topic=(stem(part.name),))
