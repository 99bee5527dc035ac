"""Findings as JSON. ``version`` grows when a key changes its meaning."""

from __future__ import annotations

from typing import Any

from mneme.lint.engine import Report
from mneme.lint.rule import Finding, Severity


def json_report(report: Report, coloured: bool) -> str:  # noqa: ARG001 - one signature for all reports
    """Return the report as one JSON document."""
    import json

    document = {
        "version": 1,
        "kind": "lint",
        "cells": report.cells,
        "files": len(report.documents),
        "counts": {severity.value: report.count(severity) for severity in Severity},
        "findings": [finding_data(finding) for finding in report.findings],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return one finding; line and column count from 1, in characters, the end is behind the last one."""
    data: dict[str, Any] = {
        "path": finding.path, "line": finding.line, "column": finding.column, "code": finding.code,
        "name": finding.name, "severity": finding.severity.value, "cell": finding.cell_id,
        "message": finding.message, "hint": finding.hint,
    }  # fmt: skip
    if finding.document is not None:
        data["end_line"], data["end_column"] = finding.document.lines.position(max(finding.end, finding.start))
    if finding.fix is not None:
        data["fix"] = {"title": finding.fix.title, "safe": finding.fix.safe}
    return data
