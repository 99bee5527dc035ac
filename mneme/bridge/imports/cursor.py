"""Cursor's rules: ``.mdc`` files with a description and globs in front, and the older ``.cursorrules``."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.bridge.imports.note import LONGEST_NAME, MOST_NAMES, Part, Reading
from mneme.bridge.imports.prose import PROJECT, read_prose, stem

SUFFIX = ".mdc"
OLD_NAME = ".cursorrules"


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add what the rules say; for which files each holds stands in the origin."""
    for part in parts:
        name = part.name.rpartition("/")[2]
        before = len(reading.notes)
        head = read_prose(part, reading, topic=PROJECT if name == OLD_NAME else (stem(part.name),))
        globs = [glob for value in head.values.get("globs", ()) for glob in value.split(",")]
        more = tuple(("glob", glob) for one in globs if 0 < len(glob := one.strip()) <= LONGEST_NAME)[:MOST_NAMES]
        reading.notes[before:] = [note._replace(more=more) for note in reading.notes[before:]]
