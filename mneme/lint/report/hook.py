"""The report for a commit hook: silent when there is nothing to say, and short when nothing stops the commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mneme.lint.engine import Report
from mneme.lint.report.concise import about
from mneme.lint.report.summary import counted
from mneme.lint.rule import Finding, Severity
from mneme.text.visible import visible

MAX_WARNINGS = 5
"""Warnings shown by a line each; the rest is counted."""


def hook(report: Report, coloured: bool, program: str = "mneme") -> str:  # noqa: ARG001 - as the other reports
    """Return each error with its hint, at most five warnings, and a count of both; nothing when there is neither.

    ``program`` is how the reader starts mneme: a hook framework keeps it where no shell finds it.
    """
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    warnings = [finding for finding in report.findings if finding.severity is Severity.WARNING]
    lines = []
    for finding in errors:
        lines.append(_line(finding))
        if finding.hint:
            lines.append(f"  hint: {visible(finding.hint)}")
    lines += [_line(finding) for finding in _choose(warnings)]
    counts = [counted(len(errors), "error")] if errors else []
    if warnings:
        kinds = Counter(finding.name for finding in warnings).most_common()
        counts.append(f"{counted(len(warnings), 'warning')} ({', '.join(f'{name} {n}' for name, n in kinds)})")
    if counts:
        more = f"; {program} lint --staged shows all" if len(warnings) > MAX_WARNINGS else ""
        lines.append(f"mneme: {', '.join(counts)}{more}")
    return "".join([f"{line}\n" for line in lines])


def _line(finding: Finding) -> str:
    place = f"{finding.path}:{finding.line}:{finding.column}"
    said = about(finding.cell_id, finding.message)
    return visible(f"{place}: {finding.severity} {finding.code} {finding.name}: {said}")


def _choose(warnings: Sequence[Finding]) -> list[Finding]:
    """Return the warnings to show, in order: of every rule one before a second, rare rules first.

    A hundred overdue cells must not hide the one that holds a token.
    """
    seen: Counter[str] = Counter()
    total = Counter(finding.name for finding in warnings)
    ranked = []
    for index, finding in enumerate(warnings):
        ranked.append((seen[finding.name], total[finding.name], index))
        seen[finding.name] += 1
    return [warnings[index] for index in sorted(index for *_, index in sorted(ranked)[:MAX_WARNINGS])]
