"""MN004: text before the first header."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Document, Oddity
from mneme.format.slips import first_token
from mneme.format.vocabulary import BLANKS, LINE_KEYS
from mneme.lint.rule import Hit, Settings, on_files
from mneme.text.visible import quote


@on_files("MN004", "text-outside-cell")
def TEXT_OUTSIDE_CELL(document: Document, _settings: Settings) -> Iterator[Hit[Document]]:  # noqa: N802
    """Lines before the first cell that are neither blank nor comments.

    Why: no reader sees them; when they are fields, the header of their cell is missing, and with it the memory.

    Bad:
        Decisions about the API.

        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        # Decisions about the API.

        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Fix: none; make it a comment, or give it the header that is missing.
    """
    for run in _runs(document):
        first = run[0]
        shown = quote(document.text[first.start : first.end], 40)
        message = f"text outside of a cell: {shown}"
        if len(run) > 1:
            message = f"{len(run)} lines outside of a cell, from {shown} on"
        hint = "begin a note with #; a cell begins with '@ ID  topic'"
        heads = {first_token(document.text[oddity.start : oddity.end]) for oddity in run}
        if not heads.isdisjoint(LINE_KEYS):
            hint = "the header of this cell is missing: @ ID  topic"
        yield Hit(document, first.start, first.end, message, hint)


def _runs(document: Document) -> list[list[Oddity]]:
    """Stray lines that follow each other, blank lines between them or not."""
    runs: list[list[Oddity]] = []
    for oddity in document.strays:
        if oddity.name != "text-outside-cell":
            continue
        if runs and not document.text[runs[-1][-1].end : oddity.start].strip(f"{BLANKS}\r\n"):
            runs[-1].append(oddity)
        else:
            runs.append([oddity])
    return runs
