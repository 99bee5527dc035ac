"""One line a finding."""

from __future__ import annotations

from mneme.lint.engine import Report
from mneme.lint.report.summary import summary
from mneme.text.visible import visible


def concise(report: Report, coloured: bool) -> str:  # noqa: ARG001 - one signature for all reports
    """Return ``path:line:column: severity code name: message`` lines and the summary."""
    lines = [
        f"{visible(finding.path)}:{finding.line}:{finding.column}: {finding.severity} {finding.code} {finding.name}: "
        f"{visible(about(finding.cell_id, finding.message))}\n"
        for finding in report.findings
    ]
    return "".join(lines) + summary(report) + "\n"


def about(cell_id: str, message: str) -> str:
    """Return ``message``, naming the cell first where it does not."""
    shown = visible(cell_id)
    return message if not shown or shown in message else f"{shown}: {message}"
