"""A baseline: comments that suppress what is found in an old memory, so that only new findings show."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from mneme.format.edits import newline_of
from mneme.format.model import Document
from mneme.format.parser import parse
from mneme.lint.engine import Report
from mneme.lint.rule import Finding, Severity
from mneme.lint.rules import RULES
from mneme.lint.rules.suppression import UNKNOWN_SUPPRESSION, UNUSED_SUPPRESSION
from mneme.lint.suppress import comment_for
from mneme.text.patch import Patch, apply

KEPT = frozenset({rule.code for rule in RULES if rule.severity is Severity.ERROR})
"""Rules that a baseline leaves alone, since what they find makes a cell unreadable or wrong for others."""

_ABOUT_SUPPRESSIONS = frozenset({UNUSED_SUPPRESSION.code, UNKNOWN_SUPPRESSION.code})


class Baseline(NamedTuple):
    """The documents with their comments; how many those are; the findings they suppress, and those that stay."""

    documents: list[Document]
    comments: int
    suppressed: list[Finding]
    left: list[Finding]


def make_baseline(report: Report, named: Collection[str] = ()) -> Baseline:
    """Put a comment above each cell that suppresses its present findings.

    What stays: findings of the rules in :data:`KEPT`, unless ``named`` holds the rule's code or name, findings that are
    in no cell, and those about suppressions, which no suppression covers.
    """
    documents, comments = [], 0
    suppressed: list[Finding] = []
    left: list[Finding] = [finding for finding in report.findings if finding.document is None]
    for document in report.documents:
        wanted: dict[int, set[str]] = {}
        for finding in report.findings:
            if finding.document is not document:
                continue
            place = document.cell_at(finding.start)
            asked = finding.code not in KEPT or finding.code in named or finding.name in named
            if place is None or not asked or finding.code in _ABOUT_SUPPRESSIONS:
                left.append(finding)
            else:
                suppressed.append(finding)
                wanted.setdefault(place.start, set()).add(finding.name)
        patches = [
            Patch(start, start, comment_for(sorted(names)) + newline_of(document.text, start))
            for start, names in wanted.items()
        ]
        comments += len(patches)
        documents.append(parse(apply(document.text, patches), name=document.name))
    return Baseline(documents, comments, suppressed, left)
