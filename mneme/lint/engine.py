"""Runs rules over documents and places what they find. Rules know nothing of severity, suppression or order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mneme.errors import UnreadableFile
from mneme.format.model import Cell, Document
from mneme.lint.cache import CellHit, ResultCache
from mneme.lint.conceal import conceal, printable, printable_fix
from mneme.lint.rule import Batch, Corpus, Finding, Fix, Rule, Scope, Settings, Severity
from mneme.lint.rules import RULES
from mneme.lint.rules.suppression import UNKNOWN_SUPPRESSION, UNUSED_SUPPRESSION
from mneme.lint.rules.unreadable import UNREADABLE_FILE
from mneme.lint.select import Selection, resolve
from mneme.lint.suppress import Suppression, misplaced, suppressions
from mneme.text.patch import Patch, shifted

if TYPE_CHECKING:
    from mneme.history.guard import Past


class Report(NamedTuple):
    """What a run found, sorted by path, place and code, and how much it looked at."""

    findings: list[Finding]
    documents: list[Document]
    cells: int
    unreadable: list[UnreadableFile]

    def count(self, severity: Severity) -> int:
        """Return how many findings weigh ``severity``."""
        return sum(finding.severity is severity for finding in self.findings)


FileIgnores = Callable[[str], Sequence[str]]


def run(
    documents: Sequence[Document],
    selection: Selection,
    settings: Settings,
    *,
    unreadable: Sequence[UnreadableFile] = (),
    file_ignores: FileIgnores | None = None,
    cache: ResultCache | None = None,
    past: Past | None = None,
    archive: Collection[str] = (),
    suppressing: bool = True,
) -> Report:
    """Lint ``documents`` as one world.

    ``file_ignores`` gives the rules not to apply to a path, by code or name. Without ``past``, no rule about history
    runs. The documents named in ``archive`` are there for the others' sake: of them only errors are told that show when
    cells are held against each other, unless there are no others. Without ``suppressing``, comments hide nothing.
    """
    placer = _Placer(selection)
    judged = [document for document in documents if document.name not in archive] or documents
    _run_cell_rules(judged, selection, settings, placer, cache)
    corpus = Corpus(documents, past, archive)
    there = {id(document) for document in documents}
    for rule in selection.rules:
        if rule.file_check is not None:
            for document in judged:
                for hit in rule.file_check(document, settings):
                    placer.add(rule, document, 0, hit.start, hit.end, hit.message, hit.hint, hit.fix)
        elif rule.workspace_check is not None:
            for placed in rule.workspace_check(corpus, settings):
                cell, document, start = placed.where
                fix = _shift(placed.fix, start)
                placer.add(rule, document, start, placed.start, placed.end, placed.message, placed.hint, fix, cell)
                if id(document) not in there:  # a file that is gone: nothing of it can be shown
                    placer.findings[-1] = placer.findings[-1]._replace(document=None)
    running = {rule.code for rule in selection.rules if past is not None or not rule.history}
    findings = _suppress(placer.findings, judged, running, placer) if suppressing else placer.findings
    if judged is not documents and len(judged) < len(documents):
        findings = [
            finding for finding in findings if finding.path not in archive or finding.severity is Severity.ERROR
        ]
    if file_ignores is not None:
        findings = _ignore_by_file(findings, file_ignores)
    if any(rule is UNREADABLE_FILE for rule in selection.rules) or unreadable:
        findings += [_unreadable(error) for error in unreadable]
    findings = conceal(findings)
    findings.sort(key=lambda finding: (finding.path, finding.start, finding.code, finding.end))
    return Report(findings, list(documents), sum(len(document.cells) for document in documents), list(unreadable))


def _run_cell_rules(
    documents: Sequence[Document],
    selection: Selection,
    settings: Settings,
    placer: _Placer,
    cache: ResultCache | None,
) -> None:
    rules = {rule.code: rule for rule in selection.rules if rule.scope is Scope.CELL}
    known: dict[str, tuple[CellHit, ...]] = {} if cache is None else cache.results
    fresh = list(
        {id(cell): cell for document in documents for cell in document.cells if cell.text not in known}.values()
    )
    found: dict[int, list[CellHit]] = {}
    if fresh:
        batch = Batch(fresh)
        for rule in rules.values():
            assert rule.cell_check is not None
            for hit in rule.cell_check(batch, settings):
                found.setdefault(id(hit.where), []).append(
                    CellHit(rule.code, hit.start, hit.end, hit.message, hit.hint, hit.fix)
                )
    if cache is not None:
        cache.add((cell, tuple(found.get(id(cell), ()))) for cell in fresh)
    for document in documents:
        for cell, start in zip(document.cells, document.starts, strict=True):
            hits: Iterable[CellHit] = known.get(cell.text, ()) if cache is not None else found.get(id(cell), ())
            for code, hit_start, hit_end, message, hint, fix in hits:
                placer.add(rules[code], document, start, hit_start, hit_end, message, hint, _shift(fix, start))


def _shift(fix: Fix | None, start: int) -> Fix | None:
    return fix and fix._replace(patches=tuple(shifted(fix.patches, start)))


class _Placer:
    """Turns what rules say into findings with line, column and severity."""

    def __init__(self, selection: Selection) -> None:
        self.findings: list[Finding] = []
        self._severity = {rule.code: selection.severity(rule) for rule in RULES}

    def add(
        self, rule: Rule, document: Document, base: int, start: int, end: int, message: str, hint: str,
        fix: Fix | None, cell: Cell | None = None,
    ) -> None:  # fmt: skip
        """Add one finding; ``start`` and ``end`` count from ``base``, the fix from the document's first character.

        It is about ``cell``, else about the one that stands there.
        """
        start += base
        line, column = document.lines.position(start)
        if cell is None and (place := document.cell_at(start)):
            cell = place.cell
        self.findings.append(
            Finding(
                document.name, start, end + base, rule.code, rule.name, self._severity[rule.code], printable(message),
                printable(hint), printable(cell.id) if cell else "", fix and printable_fix(fix), document, line,
                column,
            )
        )  # fmt: skip


def _unreadable(error: UnreadableFile) -> Finding:
    return Finding(
        error.path, 0, 0, UNREADABLE_FILE.code, UNREADABLE_FILE.name, Severity.ERROR, error.reason, error.hint, "",
        None, None, error.line or 1, error.column,
    )  # fmt: skip


def _ignore_by_file(findings: list[Finding], file_ignores: FileIgnores) -> list[Finding]:
    ignored: dict[str, set[str]] = {}
    kept = []
    for finding in findings:
        if finding.path not in ignored:
            tokens = file_ignores(finding.path)
            ignored[finding.path] = {rule.code for token in tokens for rule in resolve(token, RULES)}
        if finding.code not in ignored[finding.path]:
            kept.append(finding)
    return kept


def _suppress(
    findings: list[Finding], documents: Sequence[Document], running: set[str], placer: _Placer
) -> list[Finding]:
    """Drop what a comment suppresses, and add what there is to say about the comments themselves."""
    comments = {document.name: found for document in documents if (found := suppressions(document))}
    indexed = {name: _by_cell(found) for name, found in comments.items()}
    useless = {document.name: idle for document in documents if (idle := misplaced(document))}
    if not comments and not useless:
        return findings
    used: set[_Covered] = set()
    kept = []
    for finding in findings:
        covered = _covered(finding, indexed[finding.path]) if finding.path in indexed else []
        used.update(covered)
        if not covered:
            kept.append(finding)
    names = {name: rule for rule in RULES for name in (rule.code, rule.name)}
    placer.findings = []
    for document in documents:
        for comment in comments.get(document.name, ()):
            _judge(comment, document, used, names, running, placer)
        for other in useless.get(document.name, ()):
            cell = None if other.cell is None else document.cells[other.cell]
            placer.add(UNKNOWN_SUPPRESSION, document, 0, other.start, other.end, other.message, other.hint, None, cell)
    return kept + [finding for finding in placer.findings if finding.code in running]


_Covered = tuple[str, int | None, str]
"""File, index of the cell (None: the whole file), and the rule as a comment names it."""


def _by_cell(comments: Sequence[Suppression]) -> set[tuple[int | None, str]]:
    return {(comment.cell, token) for comment in comments for token in comment.tokens}


def _covered(finding: Finding, named: Collection[tuple[int | None, str]]) -> list[_Covered]:
    """Return what of a file's comments covers a finding."""
    cell = -1 if finding.document is None else bisect_right(finding.document.starts, finding.start) - 1
    return [
        (finding.path, place, token)
        for place in (None, cell)
        for token in (finding.code, finding.name)
        if (place, token) in named
    ]


def _judge(
    comment: Suppression, document: Document, used: set[_Covered], names: dict[str, Rule], running: set[str],
    placer: _Placer,
) -> None:  # fmt: skip
    cell = None if comment.cell is None else document.cells[comment.cell]
    unused = [
        token
        for token in comment.tokens
        if token in names and names[token].code in running and (document.name, comment.cell, token) not in used
    ]
    for token in comment.tokens:
        if token not in names:
            message = f"unknown rule in a suppression: {token}"
            placer.add(
                UNKNOWN_SUPPRESSION, document, 0, comment.start, comment.end, message, "mneme rule lists all", None,
                cell,
            )  # fmt: skip
    if not unused and comment.tokens:
        return
    left = [token for token in comment.tokens if token not in unused]
    if left:
        at = document.text.index("[", comment.start) + 1
        patch = Patch(at, document.text.index("]", at), ", ".join(left))
    else:
        end = comment.end + document.text.startswith("\n", comment.end)
        patch = Patch(comment.start, end, "")
    message = f"nothing to suppress here: {', '.join(unused)}" if unused else "a suppression that names no rule"
    fix = Fix("remove it", (patch,))
    placer.add(UNUSED_SUPPRESSION, document, 0, comment.start, comment.end, message, "", fix, cell)
