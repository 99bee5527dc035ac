"""MN507: something pasted that nobody reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.lazy import lazy

_LONG_LINE = 100
_CODED = lazy(r"[A-Za-z0-9+/=_-]{120,}", re.ASCII)
_DIGEST = lazy(r"[0-9a-f]{1,128}|[0-9A-F]{1,128}", re.ASCII)
"""SHA-512 has 128 digits."""
_HEX = lazy(r"(?:0x)?[0-9A-Fa-f]{129,}|(?:[0-9A-Fa-f]{2}[ :]){64,}", re.ASCII)
"""Longer than any digest, or a dump."""

_CODED_LINE = lazy(r"\s*[A-Za-z0-9+/]{40,}={0,2}\s*|\s*[0-9A-Fa-f]{4,16}[:\s][0-9A-Fa-f\s|]{32,}.*", re.ASCII)
_FEWEST_CODED_LINES = 3

_PACKED = 300
"""A line of code or data that is longer, and has few blanks and many brackets, is meant for machines."""
_PACKED_MARKS = lazy(r"[{}()\[\];,:=\"'<>&|]", re.ASCII)

_TRACE_LINE = lazy(
    r"""\s*(?:
      at\s+[\w$.<>/\[\]]+\s*\([^)]*\)                          # Java, JavaScript
    | at\s+\S+:[0-9]+:[0-9]+
    | File\s"[^"]*",\sline\s[0-9]+                              # Python
    | \#?[0-9]+[:\s]\s+(?:0x[0-9a-f]+\s+)?[\w:<>~$.]+\s*\(?.*\s(?:at|in)\s\S+:[0-9]+   # native, Rust
    | [\w./-]+\.go:[0-9]+\s\+0x[0-9a-f]+                        # Go
    | goroutine\s[0-9]+\s\[
    | \[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T\s][0-9]{2}:[0-9]{2}:[0-9]{2}   # logs
    | \[?[0-9]{2}:[0-9]{2}:[0-9]{2}[\].,\s]
    | \[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[\]:\s]
    | [A-Z][a-z]{2}\s+[0-9]{1,2}\s[0-9]{2}:[0-9]{2}:[0-9]{2}\s   # syslog
    )""",
    re.VERBOSE | re.ASCII,
)
_FEWEST_TRACE_LINES = 6


@on_cells("MN507", "pasted-blob")
def PASTED_BLOB(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A gist or body holds a pasted blob: Base64, a hex dump, minified code or data, a stack trace, a log.

    URLs, paths and digests are none.

    Why: it fills the reader's context, and says in a hundred lines what one sentence would.

    Bad:
        @ GOTCHA-0001  build/agent
        gist  Agent start fails while the cache folder is read-only
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   read-only
        > 2026-11-01 10:00:01 INFO agent starts
        > 2026-11-01 10:00:01 INFO reading configuration
        > 2026-11-01 10:00:02 WARN cache folder not writable
        > 2026-11-01 10:00:02 INFO trying again
        > 2026-11-01 10:00:04 WARN cache folder not writable
        > 2026-11-01 10:00:04 ERROR agent stopped

    Good:
        @ GOTCHA-0001  build/agent
        gist  Agent start fails while the cache folder is read-only
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   read-only
        > The log says "cache folder not writable" twice, then "agent stopped".

    Fix: none; supersede the cell by one that says what the blob shows and where it is kept.
    """
    for cell in batch.cells:
        body = cell.body
        if len(cell.gist) > _LONG_LINE and (what := _packed(cell.gist)):
            yield _hit(cell, "gist", 0, what)
            continue
        if not body:
            continue
        for number, line in enumerate(body):
            if len(line) > _LONG_LINE and (what := _packed(line)):
                yield _hit(cell, "body", number, what)
                break
        else:
            if len(body) >= _FEWEST_CODED_LINES and (lines := _many(_CODED_LINE, body, _FEWEST_CODED_LINES)):
                yield _hit(cell, "body", lines[0], "lines of encoded bytes")
            elif len(body) >= _FEWEST_TRACE_LINES and (lines := _many(_TRACE_LINE, body, _FEWEST_TRACE_LINES)):
                yield _hit(cell, "body", lines[0], f"{len(lines)} lines of a log or stack trace")


def _packed(line: str) -> str:
    """Return what the long ``line`` holds that nobody reads, in words; empty when it is prose."""
    word_start = at = 0
    for match in _CODED.finditer(line):
        blank = line.rfind(" ", at, match.start())
        word_start, at = (word_start if blank < 0 else blank + 1), match.end()
        coded = match[0]
        slashes, dashes = coded.count("/"), coded.count("-") + coded.count("_")
        if slashes * 25 > len(coded) or dashes * 12 > len(coded) or not any(char.isdigit() for char in coded):
            continue
        if line.find("://", word_start, match.start()) < 0 and not _DIGEST.fullmatch(coded):
            return f"{len(coded)} characters of encoded data"
    if dump := _HEX.search(line):
        return f"{len(dump[0])} characters of hex"
    if len(line) > _PACKED:
        marks = len(_PACKED_MARKS.findall(line))
        if marks * 9 > len(line) and line.count(" ") * 14 < len(line):
            return f"{len(line)} characters of packed code or data"
    return ""


def _many(expression: re.Pattern[str], lines: tuple[str, ...], fewest: int) -> list[int]:
    found = [number for number, line in enumerate(lines) if expression.match(line[:400])]
    return found if len(found) >= fewest else []


def _hit(cell: Cell, name: str, number: int, what: str) -> Hit[Cell]:
    field = [field for field in cell.fields if field.name == name][number if name == "body" else -1]
    return Hit(
        cell,
        field.start,
        field.end,
        f"a pasted blob: {what}",
        "say what it shows, and keep the blob in a file or issue",
    )
