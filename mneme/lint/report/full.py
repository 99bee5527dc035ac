"""The report for people: the line, a caret, the rule, a hint."""

from __future__ import annotations

import unicodedata

from mneme.lint.engine import Report
from mneme.lint.report.concise import about
from mneme.lint.report.summary import summary
from mneme.lint.rule import Finding, Severity
from mneme.text.visible import visible

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
MAX_SHOWN = 160
"""Longer lines are cut around the place of the finding (characters)."""


def full(report: Report, coloured: bool) -> str:
    """Return each finding with the line it is about."""
    paint = _paint if coloured else _plain
    return "".join([_finding(finding, paint) for finding in report.findings]) + summary(report) + "\n"


def _finding(finding: Finding, paint: object) -> str:
    colour = _COLOURS[finding.severity]
    assert callable(paint)
    head = (
        f"{paint('1', f'{finding.path}:{finding.line}:{finding.column}')}: "
        f"{paint(colour, finding.severity.value)}[{finding.code} {finding.name}]: {about(finding.cell_id, finding.message)}\n"
    )
    parts = [head]
    if finding.document is not None:
        number = str(finding.line)
        gutter = " " * len(number)
        shown, caret = excerpt(finding)
        parts += [
            f"{gutter} {paint('34', '|')}\n",
            f"{paint('34', f'{number} |')} {shown}\n",
            f"{gutter} {paint('34', '|')} {paint(colour, caret)}\n",
        ]
    if finding.hint:
        parts.append(f"  {paint('36', 'hint')}: {finding.hint}\n")
    if finding.fix is not None:
        kind = "--fix" if finding.fix.safe else "--unsafe-fixes"
        parts.append(f"  {paint('32', 'fix')}:  {finding.fix.title} ({kind})\n")
    return "".join(parts) + "\n"


def excerpt(finding: Finding) -> tuple[str, str]:
    """Return the finding's line, made safe to print, and a line with carets below the place."""
    document = finding.document
    assert document is not None
    line_start, line_end = document.lines.line_span(finding.line)
    start, end = finding.start - line_start, min(max(finding.end, finding.start + 1), line_end) - line_start
    text = document.text[line_start:line_end]
    if text.startswith("\ufeff"):
        text, start, end = text[1:], max(0, start - 1), max(1, end - 1)
    dots_before = dots_after = ""
    if len(text) > MAX_SHOWN:
        cut = max(0, min(start - 40, len(text) - MAX_SHOWN))
        dots_before, dots_after = "…" if cut else "", "…" if cut + MAX_SHOWN < len(text) else ""
        text, start, end = text[cut : cut + MAX_SHOWN], start - cut, min(end - cut, MAX_SHOWN)
    before, at, after = (visible(part) for part in (text[:start], text[start:end], text[end:]))
    caret = " " * (_width(before) + len(dots_before)) + "^" * max(1, _width(at))
    return f"{dots_before}{before}{at}{after}{dots_after}", caret


def _width(text: str) -> int:
    """Return how many columns ``text`` takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _paint(colour: str, text: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"


def _plain(_colour: str, text: str) -> str:
    return text
