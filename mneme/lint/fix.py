"""Applies the fixes that findings carry, and takes back those that changed more than they may or made things worse.

What holds after every round: cells that were not repaired have the content digest they had, no link is gone, and there
are no more errors of any kind than before. Fixes that break this are found by halving, left out, and told.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mneme.errors import EditError
from mneme.format.digest import content_digest
from mneme.format.model import Cell, Document
from mneme.format.parser import parse
from mneme.lint.rule import Finding, Fix, Severity
from mneme.text.patch import apply

MAX_ROUNDS = 20
"""A fix can make room for another one on the same line; more rounds than a line has words are none."""

MAX_TRIALS = 100
"""How often one round may lint again to find the fixes that make things worse; what is left then waits."""

Relint = Callable[[Sequence[Document]], list[Finding]]


class Fixed(NamedTuple):
    """The documents, repaired; how many fixes that took; the findings whose fix was not good enough to be applied."""

    documents: list[Document]
    applied: int
    refused: list[Finding]


def fix_all(
    documents: Sequence[Document],
    findings: Sequence[Finding],
    relint: Relint,
    *,
    unsafe: bool = False,
    wanted: Callable[[Finding], bool] = lambda _finding: True,
) -> Fixed:
    """Fix what can be fixed until nothing more can.

    ``findings`` are those in ``documents``, and ``relint`` finds again in changed ones; both tell of every error, since
    errors are what a fix must not add. Only ``wanted`` findings are fixed; unsafe fixes only when ``unsafe`` is set.
    """
    attempt = _Attempt(list(documents), list(findings))
    applied = 0
    for _ in range(MAX_ROUNDS):
        offered = [finding for finding in attempt.findings if finding.fix and (finding.fix.safe or unsafe)]
        chosen = _compatible([finding for finding in offered if wanted(finding)])
        round_ = _Round(attempt, relint)
        round_.take(chosen)
        if not round_.accepted:
            return Fixed(attempt.documents, applied, round_.refused)
        attempt = round_.best
        applied += len(round_.accepted)
    return Fixed(attempt.documents, applied, [])


class _Attempt(NamedTuple):
    documents: list[Document]
    findings: list[Finding]

    def adds_to(self, before: Counter[str]) -> bool:
        """Whether there are more errors of some kind than ``before``."""
        return any(count > before[code] for code, count in self.errors().items())

    def errors(self) -> Counter[str]:
        return Counter(finding.code for finding in self.findings if finding.severity is Severity.ERROR)


class _Round:
    """Fixes applied together to one state of the documents."""

    def __init__(self, start: _Attempt, relint: Relint) -> None:
        self._start = start
        self._errors = start.errors()
        self._relint = relint
        self.best = start
        self.accepted: list[Finding] = []
        self.refused: list[Finding] = []
        self._trials = 0

    def take(self, findings: list[Finding]) -> None:
        """Accept as many of ``findings`` as keep the promises."""
        if not findings:
            return
        self._trials += 1
        attempt = self._try([*self.accepted, *findings]) if self._trials <= MAX_TRIALS else None
        if attempt is not None:
            self.best = attempt
            self.accepted += findings
        elif len(findings) == 1 or self._trials > MAX_TRIALS:
            self.refused += findings
        else:
            middle = len(findings) // 2
            self.take(findings[:middle])
            self.take(findings[middle:])

    def _try(self, findings: list[Finding]) -> _Attempt | None:
        fixes: dict[int, list[Fix]] = {}
        for finding in findings:
            assert finding.fix is not None
            fixes.setdefault(id(finding.document), []).append(finding.fix)
        documents = []
        for document in self._start.documents:
            changed = _apply(document, fixes[id(document)]) if id(document) in fixes else document
            if changed is None:
                return None
            documents.append(changed)
        attempt = _Attempt(documents, self._relint(documents))
        return None if attempt.adds_to(self._errors) else attempt


def _compatible(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings whose fixes do not touch each other's text, first come first served."""
    taken: dict[int, list[tuple[int, int]]] = {}
    chosen = []
    for finding in findings:
        assert finding.fix is not None
        spans = taken.setdefault(id(finding.document), [])
        if finding.fix.patches and not any(_touches(spans, patch.start, patch.end) for patch in finding.fix.patches):
            chosen.append(finding)
            for patch in finding.fix.patches:
                insort(spans, (patch.start, patch.end))
    return chosen


def _touches(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_left(spans, (start, end))
    return (at > 0 and spans[at - 1][1] >= start) or (at < len(spans) and spans[at][0] <= end)


def _apply(document: Document, fixes: Sequence[Fix]) -> Document | None:
    """Return ``document`` with ``fixes`` applied, or None when that would change more than they may."""
    try:
        text = apply(document.text, [patch for fix in fixes for patch in fix.patches])
    except EditError:  # a fix whose own patches overlap
        return None
    after = parse(text, name=document.name)
    repaired = {bisect_right(document.starts, patch.start) - 1 for fix in fixes if fix.repairs for patch in fix.patches}
    return after if keeps_content(document, after, repaired) else None


def keeps_content(before: Document, after: Document, repaired: set[int]) -> bool:
    """Whether every cell is still there, in order, with its content and links, save those at the indexes ``repaired``.

    A repair may make several cells of one, or of the lines before the first cell (index -1), never fewer.
    """
    if not repaired:
        return len(before.cells) == len(after.cells) and all(map(_same, before.cells, after.cells))
    left = iter(after.cells)
    kept = (cell for index, cell in enumerate(before.cells) if index not in repaired)
    return len(before.cells) <= len(after.cells) and all(any(_same(cell, other) for other in left) for cell in kept)


def _same(before: Cell, after: Cell) -> bool:
    if before is after:
        return True
    return content_digest(before) == content_digest(after) and set(before.links) <= set(after.links)
