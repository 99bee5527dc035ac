"""Findings as GitHub workflow commands, which become annotations."""

from __future__ import annotations

from mneme.lint.engine import Report
from mneme.lint.report.concise import about
from mneme.lint.report.summary import summary
from mneme.lint.rule import Finding, Severity
from mneme.text.visible import visible

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github(report: Report, coloured: bool) -> str:  # noqa: ARG001 - one signature for all reports
    """Return a ``::error file=…`` line a finding, its hint on a line of its own in the annotation, and the summary."""
    return "".join([_line(finding) for finding in report.findings]) + summary(report) + "\n"


def _line(finding: Finding) -> str:
    place = f"file={_property(visible(finding.path))},line={finding.line},col={finding.column}"
    hint = f"\nhint: {visible(finding.hint)}" if finding.hint else ""
    said = _data(visible(about(finding.cell_id, finding.message)) + hint)
    return f"::{_LEVELS[finding.severity]} {place},title={_property(f'{finding.code} {finding.name}')}::{said}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
