"""Lint for hooks: every workspace of the repository at once, judged by what the repository holds.

Personal files lie in nobody's commit. They are read, since their IDs are taken and links into them are wrong, but what
is wrong inside of one never stops a commit: only a clash of IDs is told, as a warning, and the personal cell is the one
to be renumbered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mneme.errors import UnreadableFile
from mneme.format.model import Document
from mneme.history.witness import Witness
from mneme.history.worlds import Holding
from mneme.lint.engine import Report
from mneme.lint.rule import Finding, Severity
from mneme.lint.session import Session
from mneme.workspace import Workspace, World

CLASHES = frozenset({"duplicate-id", "same-number"})
"""Rules whose findings inside of a personal file are told."""


def judge(
    holdings: Iterable[Holding],
    open_session: Callable[[Workspace], Session],
    witness: Witness | None = None,
    *,
    with_personal: bool = True,
) -> Report:
    """Lint each workspace as a world of its own, and return one report about what the repository holds.

    With a ``witness``, by what git has of it, too. Personal files are read unless they are of another time.
    """
    findings: list[Finding] = []
    documents: list[Document] = []
    unreadable: list[UnreadableFile] = []
    for holding in holdings:
        session = open_session(holding.workspace)  # before reading: it knows earlier parses
        world = holding.world()
        personal = holding.personal() if with_personal else World([], [])
        own = world.documents
        # Personal files come last: of two cells with one ID, the later one is pointed at.
        past = None
        if witness is not None and (session.asks_git or witness.range is not None):
            past = witness.past(holding.workspace, holding.owns, own, blind=bool(world.unreadable))
        report = session.lint([*own, *personal.documents], world.unreadable, past)
        outside = {id(document) for document in personal.documents}
        for finding in report.findings:
            if id(finding.document) not in outside:
                findings.append(finding)
            elif finding.name in CLASHES:
                findings.append(finding._replace(severity=_no_error(finding.severity)))
        documents += own
        unreadable += world.unreadable
    findings.sort(key=lambda finding: (finding.path, finding.start, finding.code, finding.end))
    return Report(findings, documents, sum(len(document.cells) for document in documents), unreadable)


def _no_error(severity: Severity) -> Severity:
    return Severity.WARNING if severity is Severity.ERROR else severity
