"""The last line of a report, and its table of counts."""

from __future__ import annotations

from collections import Counter

from mneme.lint.engine import Report
from mneme.lint.rule import Finding, Severity


def summary(report: Report) -> str:
    """Return one line: how many cells, and how many findings of each weight."""
    counts = [counted(report.count(severity), severity.value) for severity in Severity if report.count(severity)]
    checked = f"{counted(report.cells, 'cell')} in {counted(len(report.documents), 'file')}"
    fixable = sum(finding.fix is not None and finding.fix.safe for finding in report.findings)
    hint = f"; {fixable} fixable with --fix" if fixable else ""
    return f"{checked}: {', '.join(counts) if counts else 'all clear'}{hint}"


def statistics(findings: list[Finding]) -> str:
    """Return a table of rules by how often they were found, most often first."""
    counts = Counter((finding.code, finding.name, finding.severity.value) for finding in findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    width = len(str(rows[0][1])) if rows else 1
    return "".join([f"{count:>{width}}  {code}  {severity:<7}  {name}\n" for (code, name, severity), count in rows])


def counted(count: int, word: str) -> str:
    """Return ``1 cell``, ``2 cells``."""
    return f"{count} {word}{'' if count == 1 else 's'}"
