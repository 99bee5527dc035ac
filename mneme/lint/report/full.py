"""The report for people: the line, a caret, the rule, a hint."""

from __future__ import annotations

from mneme.lint.conceal import Concealed
from mneme.lint.engine import Report
from mneme.lint.report.concise import about
from mneme.lint.report.summary import summary
from mneme.lint.rule import Finding, Severity
from mneme.text.visible import visible, width

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
MAX_SHOWN = 160
"""Longer lines are cut around the place of the finding (characters)."""


def full(report: Report, coloured: bool) -> str:
    """Return each finding with the line it is about."""
    paint = _paint if coloured else _plain
    concealed = Concealed(report.findings)
    return "".join([_finding(finding, concealed, paint) for finding in report.findings]) + summary(report) + "\n"


def _finding(finding: Finding, concealed: Concealed, paint: object) -> str:
    colour = _COLOURS[finding.severity]
    assert callable(paint)
    parts = [
        f"{paint('1', f'{visible(finding.path)}:{finding.line}:{finding.column}')}: ",
        f"{paint(colour, finding.severity.value)}[{finding.code} {finding.name}]: ",
        f"{visible(about(finding.cell_id, finding.message))}\n",
    ]
    if finding.document is not None:
        number = str(finding.line)
        gutter = " " * len(number)
        shown, caret = excerpt(finding, concealed.text(finding.document))
        parts += [
            f"{gutter} {paint('34', '|')}\n",
            f"{paint('34', f'{number} |')} {shown}\n",
            f"{gutter} {paint('34', '|')} {paint(colour, caret)}\n",
        ]
    if finding.hint:
        parts.append(f"  {paint('36', 'hint')}: {visible(finding.hint)}\n")
    if finding.fix is not None:
        kind = "--fix" if finding.fix.safe else "--unsafe-fixes"
        parts.append(f"  {paint('32', 'fix')}:  {finding.fix.title} ({kind})\n")
    return "".join(parts) + "\n"


def excerpt(finding: Finding, source: str) -> tuple[str, str]:
    """Return the finding's line of ``source``, made safe to print, and a line with carets below the place.

    ``source`` is the document's text with what no report may show concealed, every character in its place.
    """
    document = finding.document
    assert document is not None
    line_start, line_end = document.lines.line_span(finding.line)
    start, end = finding.start - line_start, min(max(finding.end, finding.start + 1), line_end) - line_start
    text = source[line_start:line_end]
    if text.startswith("\ufeff"):
        text, start, end = text[1:], max(0, start - 1), max(1, end - 1)
    dots_before = dots_after = ""
    if len(text) > MAX_SHOWN:
        cut = max(0, min(start - 40, len(text) - MAX_SHOWN))
        dots_before, dots_after = "…" if cut else "", "…" if cut + MAX_SHOWN < len(text) else ""
        text, start, end = text[cut : cut + MAX_SHOWN], start - cut, min(end - cut, MAX_SHOWN)
    before, at, after = (visible(part) for part in (text[:start], text[start:end], text[end:]))
    caret = " " * (width(before) + len(dots_before)) + "^" * max(1, width(at))
    return f"{dots_before}{before}{at}{after}{dots_after}", caret


def _paint(colour: str, text: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"


def _plain(_colour: str, text: str) -> str:
    return text
