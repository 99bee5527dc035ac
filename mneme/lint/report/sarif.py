"""Findings as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from mneme import __version__
from mneme.lint.engine import Report
from mneme.lint.report.concise import about
from mneme.lint.rule import Finding, Rule, Severity
from mneme.lint.rules import RULES
from mneme.text.visible import visible

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif(report: Report, coloured: bool) -> str:  # noqa: ARG001 - one signature for all reports
    """Return the report as one SARIF log with one run."""
    import json

    used = sorted({finding.code for finding in report.findings})
    by_code = {rule.code: rule for rule in RULES}
    driver = {
        "name": "mneme",
        "version": __version__,
        "rules": [_rule(by_code[code]) for code in used],
    }
    results = [_result(finding, used.index(finding.code)) for finding in report.findings]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": finding.line, "startColumn": finding.column}
    if finding.document is not None:
        region["endLine"], region["endColumn"] = finding.document.lines.position(max(finding.end, finding.start))
    uri = quote(finding.path.encode("utf-8", "surrogateescape"))
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": visible(about(finding.cell_id, finding.message))},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri},
                    "region": region,
                }
            },
        ],
    }
