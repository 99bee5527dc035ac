"""Reports: findings as text for people, and as the formats other programs read. Closed table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mneme.lint.engine import Report
from mneme.lint.report.concise import concise
from mneme.lint.report.full import full
from mneme.lint.report.github import github
from mneme.lint.report.hook import hook
from mneme.lint.report.json_ import json_report
from mneme.lint.report.sarif import sarif

Reporter = Callable[[Report, bool], str]
"""Takes a report and whether to colour it; returns the text to print."""

REPORTERS: Mapping[str, Reporter] = {
    "full": full,
    "concise": concise,
    "json": json_report,
    "sarif": sarif,
    "github": github,
    "hook": hook,
}
