"""Lint for a pull request: what is wrong with neither side, and would be with what they merge to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from mneme.format.model import Document, Placed
from mneme.history.content import content_key
from mneme.history.would_be import WouldBe
from mneme.lint.rule import Finding, Scope
from mneme.lint.select import Selection


class Run(Protocol):
    """Lints documents as one world, by the rules of a selection; without ``suppressing``, comments hide nothing."""

    def __call__(
        self, documents: Sequence[Document], selection: Selection, *, suppressing: bool = True
    ) -> Sequence[Finding]:
        """Return the findings."""


_MENTION = re.compile(r"(?<![A-Za-z0-9_-])[A-Z][A-Z0-9]*-[a-z0-9]+(?![A-Za-z0-9_-])")


def merge_findings(would_be: WouldBe, selection: Selection, run: Run) -> list[Finding]:
    """Return what would be found in the merged world alone, each at a cell of the branch where there is one to name.

    Only rules that hold cells against each other can find something new there. What is said of a number that was taken
    twice is left out until it is known which cell has it.
    """
    chosen = _across(selection)
    if not chosen.rules:
        return []
    known = {_key(finding) for side in (would_be.present, would_be.target) for finding in run(side, chosen)}
    places, unsettled = _Places(would_be), would_be.unsettled
    return [
        places.put(finding)
        for finding in run(would_be.merged, chosen)
        if _key(finding) not in known and unsettled.isdisjoint([finding.cell_id, *_MENTION.findall(finding.message)])
    ]


def _across(selection: Selection) -> Selection:
    rules = tuple([rule for rule in selection.rules if rule.scope is Scope.WORKSPACE and not rule.history])
    return Selection(rules, selection.severities)


def needed(unused: Sequence[Finding], would_be: WouldBe, selection: Selection, run: Run) -> list[Finding]:
    """Return those findings of suppressions without effect whose comments do hide something in the merged world."""
    chosen = _across(selection)
    shown = set(map(_key, run(would_be.merged, chosen)))
    hidden: set[tuple[str, str]] = set()
    for finding in run(would_be.merged, chosen, suppressing=False):
        if _key(finding) not in shown:
            hidden |= {(finding.cell_id, name) for name in (finding.name, finding.code)}
    return [
        finding
        for finding in unused
        if all((finding.cell_id, token) in hidden for token in finding.message.rpartition(": ")[2].split(", "))
    ]


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.cell_id, re.sub(r":\d+", ":", finding.message)


class _Places:
    """Where a finding of the merged world shows on the branch."""

    def __init__(self, would_be: WouldBe) -> None:
        self._name = would_be.name
        self._present = _by_id(would_be.present)
        self._target = _by_id(would_be.target)
        before = {place.cell.text for document in would_be.base for place in document.placed}
        self._own = {
            place.cell.id: place
            for document in would_be.present
            for place in document.placed
            if place.cell.text not in before
        }

    def put(self, finding: Finding) -> Finding:
        """Return ``finding`` at the branch's cell: the one it is about, else one of its own that it names."""
        told = finding._replace(message=f"merged with {self._name}: {finding.message}", fix=None)
        place = finding.document.cell_at(finding.start) if finding.document else None
        if place is None:
            return told
        found = _same(place, self._present.get(place.cell.id, ()))
        if found is None or found.cell.id not in self._own:
            named = (self._own.get(token) for token in _MENTION.findall(f"{finding.message} {finding.hint}"))
            found = next((own for own in named if own is not None), found)
        if found is None:
            found = _same(place, self._target.get(place.cell.id, ()))
        if found is None:
            return told
        start, end = finding.start - place.start, finding.end - place.start
        if found.cell.text != place.cell.text:
            start, end = found.cell.span("id")
        line, column = found.document.lines.position(found.start + start)
        return told._replace(
            path=found.document.name, start=found.start + start, end=found.start + end, line=line, column=column,
            document=found.document, cell_id=found.cell.id,
        )  # fmt: skip


def _by_id(documents: Iterable[Document]) -> dict[str, list[Placed]]:
    found: dict[str, list[Placed]] = {}
    for document in documents:
        for place in document.placed:
            found.setdefault(place.cell.id, []).append(place)
    return found


def _same(place: Placed, candidates: Collection[Placed]) -> Placed | None:
    key = content_key(place.cell)
    return next((other for other in candidates if content_key(other.cell) == key), None)
