"""Keeps secrets out of everything that is printed: reports, their excerpts, other rules' messages, differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mneme.format.model import Document
from mneme.lint.rule import Finding, Fix
from mneme.lint.rules import RULES
from mneme.lint.secrets import could_hold_secret, masked, starred
from mneme.text.diff import unified
from mneme.text.visible import visible

_MASKED = frozenset({rule.code for rule in RULES if rule.masked})
_SHORTEST = 6
"""A shorter value would be masked wherever its letters occur in other words."""


class Concealed:
    """The documents' texts without what the ``findings`` of masked rules point at, and without any known secret."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._spans: dict[int, list[tuple[int, int]]] = {}
        self._texts: dict[int, str] = {}
        for finding in findings:
            if finding.code in _MASKED and finding.document is not None:
                self._spans.setdefault(id(finding.document), []).extend(_everywhere(finding, finding.document))

    def text(self, document: Document) -> str:
        """Return the text of ``document``, every other character in its place."""
        key = id(document)
        if key not in self._texts:
            self._texts[key] = masked(starred(document.text, self._spans.get(key, ())))
        return self._texts[key]


def _everywhere(finding: Finding, document: Document) -> Iterator[tuple[int, int]]:
    """Yield where what ``finding`` points at stands in its cell: there, and wherever it is said again."""
    yield finding.start, finding.end
    place = document.cell_at(finding.start)
    start = place.start if place else 0
    end = start + len(place.cell.text) if place else min(document.starts, default=len(document.text))
    for value in _values(finding):
        at = document.text.find(value, start, end)
        while at >= 0:
            yield at, at + len(value)
            at = document.text.find(value, at + len(value), end)


def concealed_diff(before: str, after: str, name: str, findings: Iterable[Finding]) -> str:
    """Return how ``after`` differs from ``before``; ``findings`` are those in the text before."""
    values = {value for finding in findings if finding.code in _MASKED for value in _values(finding)}
    return masked(unified(masked(before), masked(after), name), values)


def conceal(findings: Sequence[Finding]) -> list[Finding]:
    """Return ``findings`` whose words do not quote what a masked rule found in the same cell."""
    values: dict[tuple[str, str], set[str]] = {}
    for finding in findings:
        if finding.code in _MASKED and finding.document is not None:
            values.setdefault((finding.path, finding.cell_id), set()).update(_values(finding))
    if not values:
        return list(findings)
    return [
        _without(finding, values[key])
        if finding.code not in _MASKED and (key := (finding.path, finding.cell_id)) in values
        else finding
        for finding in findings
    ]


def _without(finding: Finding, values: set[str]) -> Finding:
    fix = finding.fix and finding.fix._replace(title=masked(finding.fix.title, values))
    return finding._replace(message=masked(finding.message, values), hint=masked(finding.hint, values), fix=fix)


def _values(finding: Finding) -> set[str]:
    assert finding.document is not None
    lines = finding.document.text[finding.start : finding.end].split("\n")
    return {value for line in lines if len(value := line.strip(" \t\r>")) >= _SHORTEST}


def printable(text: str) -> str:
    """Return what a rule says, with known secrets masked and nothing in it unseen."""
    return visible(masked(text)) if could_hold_secret(text) else visible(text)


def printable_fix(fix: Fix) -> Fix:
    """Return ``fix`` with a title that may be printed."""
    title = printable(fix.title)
    return fix if title == fix.title else fix._replace(title=title)
