"""MN901, MN902: comments that suppress nothing. The engine finds them, since only it knows what was suppressed."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Document
from mneme.lint.rule import Hit, Settings, on_files


@on_files("MN901", "unused-suppression")
def UNUSED_SUPPRESSION(_document: Document, _settings: Settings) -> Iterator[Hit[Document]]:  # noqa: N802
    """A suppression comment suppresses nothing.

    Why: it would hide the next real finding of that rule in this cell.

    Bad:
        # mneme: ignore[no-cue]
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   slow queries

    Good:
        # mneme: ignore[no-cue]
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20

    Fix: the comment, or the one name in it, is removed.
    """
    yield from ()


@on_files("MN902", "unknown-suppression")
def UNKNOWN_SUPPRESSION(_document: Document, _settings: Settings) -> Iterator[Hit[Document]]:  # noqa: N802
    """A suppression comment names a rule that does not exist, or none, or stands where it has no effect.

    Why: the author thinks something is suppressed, and it is not. Such a comment stands in a line above the cell, with
    the names in brackets.

    Bad:
        # mneme: ignore[no-cues]
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   slow queries

    Good:
        # mneme: ignore[no-cue]
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20

    Fix: none; write the name that is meant, above the cell.
    """
    yield from ()
