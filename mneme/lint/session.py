"""One lint run under one configuration: what the command, the hook and the tests call."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mneme.errors import ExitCode, UnreadableFile
from mneme.format.model import Document
from mneme.lint.cache import ResultCache
from mneme.lint.detector import EXTRA, installed
from mneme.lint.engine import Report, run
from mneme.lint.fix import Fixed, fix_all
from mneme.lint.rule import Finding, Rule, Scope, Settings, Severity
from mneme.lint.rules import RULES
from mneme.lint.rules.overdue import OVERDUE
from mneme.lint.rules.suppression import UNUSED_SUPPRESSION
from mneme.lint.select import Selection, make_selection
from mneme.text.patterns import compiled
from mneme.workspace import ARCHIVE, Workspace

if TYPE_CHECKING:
    from mneme.history.guard import Past
    from mneme.history.would_be import WouldBe


class Session:
    """Rules, settings and caches for as many runs as one command needs."""

    def __init__(self, workspace: Workspace, selection: Selection, settings: Settings) -> None:
        self.workspace = workspace
        self.selection = selection
        self.settings = settings
        self.cache: ResultCache | None = None
        self.idle: list[Rule] = []
        """Selected rules that find nothing, since what they need is not installed."""

    @classmethod
    def open(
        cls,
        workspace: Workspace,
        today: date,
        *,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        extend_select: Sequence[str] = (),
        cache_in: Path | None = None,
    ) -> Session:
        """Prepare a run; with ``cache_in``, use and keep results in that folder (open before the files are read).

        Raises:
            UsageError: a selected rule does not exist.
            ConfigError: one named by the configuration does not.
        """
        selection = make_selection(RULES, workspace.config, select=select, ignore=ignore, extend_select=extend_select)
        detector = installed()
        session = cls(workspace, selection, Settings(workspace.config, today, detector))
        session.idle = [rule for rule in selection.rules if rule.extra == EXTRA and not detector]
        if cache_in is not None:
            codes = [rule.code for rule in selection.rules if rule.scope is Scope.CELL]
            key = [*codes, str(detector), repr(workspace.config)]
            session.cache = ResultCache.open(cache_in, workspace.root, key, today.isoformat())
        return session

    def lint(
        self,
        documents: Sequence[Document],
        unreadable: Sequence[UnreadableFile] = (),
        past: Past | None = None,
    ) -> Report:
        """Lint ``documents`` as one world, and where the ``past`` is known, by what git has of them.

        With a branch that they will go to, also by what the two would merge to.
        """
        report = run(
            documents, self.selection, self.settings, unreadable=unreadable, cache=self.cache, past=past,
            archive=self._archive(documents),
            file_ignores=self._file_ignores if self.workspace.config.per_file_ignores else None,
        )  # fmt: skip
        if self.cache is not None:
            self.cache.save()
        would_be = past.would_be() if past is not None and past.would_be is not None else None
        return self._with_merge(report, would_be) if would_be is not None else report

    def _with_merge(self, report: Report, would_be: WouldBe) -> Report:
        from mneme.lint.would_be import merge_findings, needed

        def lint(documents: Sequence[Document], selection: Selection, *, suppressing: bool = True) -> list[Finding]:
            return run(
                documents, selection, self.settings, archive=self._archive(documents), suppressing=suppressing,
                file_ignores=self._file_ignores if self.workspace.config.per_file_ignores else None,
            ).findings  # fmt: skip

        here = {document.name for document in report.documents}
        limited = any(document.name not in here for document in would_be.present)
        found = [
            finding for finding in merge_findings(would_be, self.selection, lint) if not limited or finding.path in here
        ]
        unused = [finding for finding in report.findings if finding.name == UNUSED_SUPPRESSION.name]
        dropped = needed(unused, would_be, self.selection, lint) if unused else []
        kept = [finding for finding in report.findings if finding not in dropped]
        return report._replace(
            findings=sorted([*kept, *found], key=lambda one: (one.path, one.start, one.code, one.end))
        )

    def _archive(self, documents: Sequence[Document]) -> frozenset[str]:
        """Return the names of the documents that lie in the workspace's archive."""
        candidates = {document.name for document in documents if ARCHIVE in document.name or self._stands_in_archive}
        return frozenset(
            name for name in candidates if self.workspace.is_archive((self.workspace.cwd / name).resolve())
        )

    @cached_property
    def _stands_in_archive(self) -> bool:
        return self.workspace.cwd.resolve() == self.workspace.root / ARCHIVE

    def _file_ignores(self, name: str) -> Sequence[str]:
        path = self.workspace.cwd / name
        try:
            relative = path.resolve().relative_to(self.workspace.root.resolve()).as_posix()
        except ValueError:
            relative = path.name
        return [
            token
            for glob, tokens in self.workspace.config.per_file_ignores.items()
            if compiled([glob]).match_file(relative)
            for token in tokens
        ]

    def fix(self, report: Report, *, unsafe: bool = False) -> Fixed:
        """Return the documents with everything fixable fixed that this session selects.

        Rules that find errors look on even when they are not selected, so that no fix trades a finding for an error.
        """
        selected = {rule.code for rule in self.selection.rules}
        watching = Selection(
            tuple([rule for rule in RULES if rule.code in selected or self.selection.severity(rule) is Severity.ERROR]),
            self.selection.severities,
        )
        cache = ResultCache()

        def relint(documents: Sequence[Document]) -> list[Finding]:
            return run(
                documents, watching, self.settings, cache=cache, archive=self._archive(documents),
                file_ignores=self._file_ignores if self.workspace.config.per_file_ignores else None,
            ).findings  # fmt: skip

        findings = report.findings if len(watching.rules) == len(selected) else relint(report.documents)
        return fix_all(
            report.documents, findings, relint, unsafe=unsafe, wanted=lambda finding: finding.code in selected
        )

    @property
    def asks_git(self) -> bool:
        """Whether a selected rule needs to know the past: one about it, or the limit that evidence may lengthen."""
        longer = self.workspace.config.evidence_decay_days
        return any(rule.history or (longer and rule is OVERDUE) for rule in self.selection.rules)

    @staticmethod
    def verdict(report: Report, *, strict: bool = False, exit_zero: bool = False) -> ExitCode:
        """Return the exit code that ``report`` ends in."""
        if report.unreadable:
            return ExitCode.UNUSABLE
        if exit_zero:
            return ExitCode.OK
        failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
        return ExitCode.FINDINGS if any(finding.severity in failing for finding in report.findings) else ExitCode.OK


def failing(findings: Sequence[Finding]) -> list[Finding]:
    """Return the errors among ``findings``."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]
