"""Applies the fixes that findings carry, and checks that they changed what they may and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mneme.errors import EditError
from mneme.format.digest import content_digest
from mneme.format.model import Document
from mneme.format.parser import parse
from mneme.lint.rule import Finding, Fix
from mneme.text.patch import Patch, apply

MAX_ROUNDS = 12

Relint = Callable[[Sequence[Document]], list[Finding]]


def fix_all(
    documents: Sequence[Document], findings: Sequence[Finding], relint: Relint, *, unsafe: bool = False
) -> tuple[list[Document], int]:
    """Fix what can be fixed until nothing more can; returns the new documents and how many fixes were applied.

    ``relint`` finds again in changed documents. Unsafe fixes are applied only when ``unsafe`` is set.
    """
    current = list(documents)
    applied = 0
    for _ in range(MAX_ROUNDS):
        changed = False
        for index, document in enumerate(current):
            fixes = [
                finding.fix
                for finding in findings
                if finding.document is document and finding.fix and (finding.fix.safe or unsafe)
            ]
            chosen = _compatible(fixes)
            if chosen:
                current[index] = _apply(document, chosen)
                applied += len(chosen)
                changed = True
        if not changed:
            break
        findings = relint(current)
    return current, applied


def _compatible(fixes: Sequence[Fix]) -> list[Fix]:
    """Return fixes that do not touch each other's text, first come first served."""
    taken: list[Patch] = []
    chosen = []
    for fix in fixes:
        if all(
            patch.end < other.start or other.end < patch.start or patch == other for patch in fix.patches for other in taken
        ) and not any(patch == other for patch in fix.patches for other in taken):
            chosen.append(fix)
            taken += fix.patches
    return chosen


def _apply(document: Document, fixes: Sequence[Fix]) -> Document:
    after = parse(apply(document.text, [patch for fix in fixes for patch in fix.patches]), name=document.name)
    if not any(fix.repairs for fix in fixes):
        before = [content_digest(cell) for cell in document.cells]
        if before != [content_digest(cell) for cell in after.cells]:
            raise EditError(f"{document.name}: a fix would change content; nothing was written (please report this)")
    return after
