"""MN001: a file that is no text."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Document
from mneme.lint.rule import Hit, Settings, Severity, on_files


@on_files("MN001", "unreadable-file", Severity.ERROR)
def UNREADABLE_FILE(_document: Document, _settings: Settings) -> Iterator[Hit[Document]]:  # noqa: N802
    r"""A file cannot be read, or is not UTF-8 text.

    The finding names the line and the byte offset; the exit code is 2, and the other files are still checked.

    Why: half of a file read as if it were the whole would hide memories without a word.

    Bad:
        @ FACT-0001  office/place
        gist  The caf\xe9 room holds the build agent
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   build agent

    Good:
        @ FACT-0001  office/place
        gist  The café room holds the build agent
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   build agent

    Fix: save the file as UTF-8.
    """
    yield from ()  # found while reading, before there is a document
