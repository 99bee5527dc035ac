"""MN012: LF and CRLF in one file."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Document
from mneme.lint.rule import Fix, Hit, Settings, on_files
from mneme.text.patch import Patch


@on_files("MN012", "mixed-line-ends")
def MIXED_LINE_ENDS(document: Document, _settings: Settings) -> Iterator[Hit[Document]]:  # noqa: N802
    r"""Some lines of the file end in LF, others in CRLF.

    Why: both are read alike, but tools that normalise line ends will change every line of one kind in some later diff.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200\r
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging\r
        gist  Page size is capped at 200\r
        state live   conf high   since 2026-11-01   seen 2026-11-20\r
        cue   paging / limits\r

    Fix: every line gets the ending that most lines have, LF when there are as many of both.
    """
    text = document.text
    if "\r" not in text:
        return
    windows = text.count("\r\n")
    plain = text.count("\n") - windows
    if not windows or not plain:
        return
    to_windows = windows > plain
    ends = list(_ends(text, windows=not to_windows))
    # A carriage return before the line end would become part of it, and vanish from the value that it ends.
    patches = [Patch(at, at, "\r") if to_windows else Patch(at, at + 1, "") for at in ends if text[at - 1 : at] != "\r"]
    fix = Fix(f"end all lines in {'CRLF' if to_windows else 'LF'}", tuple(patches)) if patches else None
    some, others = ("LF", "CRLF") if to_windows else ("CRLF", "LF")
    message = f"mixed line ends: {min(windows, plain)} lines end in {some}, {max(windows, plain)} in {others}"
    yield Hit(document, ends[0], ends[0] + (1 if to_windows else 2), message, "", fix)


def _ends(text: str, *, windows: bool) -> Iterator[int]:
    """Yield where the lines of one kind end: the offset of the LF, or of the CR before it."""
    at = text.find("\n")
    while at >= 0:
        if (at > 0 and text[at - 1] == "\r") is windows:
            yield at - 1 if windows else at
        at = text.find("\n", at + 1)
