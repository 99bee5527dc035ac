"""A reason to look at a cell again: what happened to the code it leans on, as a value and in words."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from mneme.format.model import Placed
from mneme.history.references import Reference

if TYPE_CHECKING:
    from mneme.history.log import Commit


class Kind(StrEnum):
    """What became of a piece of evidence."""

    MISSING = "missing"
    SYMBOL_MISSING = "symbol-missing"
    CHANGED = "changed"


class Doubt(NamedTuple):
    """A reason to look at a cell again.

    ``paths`` are from the repository's top. ``commits`` changed them (newest first), or the one that removed them;
    ``uncommitted`` says that the work tree or the index did. ``moved_to`` is where git says a missing path went.
    """

    place: Placed
    reference: Reference
    kind: Kind
    paths: tuple[str, ...]
    commits: tuple[Commit, ...] = ()
    uncommitted: bool = False
    moved_to: str = ""
    added: int = 0
    removed: int = 0
    since: str = ""
    """The commit that confirmed the cell, where it is known."""

    @property
    def authors(self) -> list[str]:
        """Who changed it, the one with the most commits first."""
        return [name for name, _ in Counter(commit.author for commit in self.commits).most_common()]

    @property
    def words(self) -> str:
        """The doubt as a sentence without its end."""
        name = self.reference.text
        if self.kind is Kind.SYMBOL_MISSING:
            return f"{self.reference.path} defines no {self.reference.symbol} any more"
        if self.kind is Kind.MISSING:
            if self.moved_to:
                return f"{name} is no longer there: it went to {self.moved_to}{self._by()}"
            if self.uncommitted:
                return f"{name} is deleted, and that is not committed yet"
            return f"{name} is no longer there: deleted{self._by()}" if self.commits else f"{name} is not there"
        parts = []
        if self.commits:
            count = len(self.commits)
            authors = self.authors
            some = ", ".join(authors[:3]) + (f" and {len(authors) - 3} more" if len(authors) > 3 else "")
            parts.append(f"{count} commit{'s' if count > 1 else ''} by {some}, +{self.added} -{self.removed} lines")
        if self.uncommitted:
            parts.append("a change that is not committed yet")
        return f"{name} changed since {self.place.cell.status.seen}: {' and '.join(parts)}"

    def _by(self) -> str:
        if not self.commits:
            return ""
        commit = self.commits[0]
        return f" ({commit.id[:8]}, {commit.written}, {commit.author})"


class Judged(NamedTuple):
    """The doubts, in the order of cells and references; and the cells whose evidence is all there and never changed."""

    doubts: list[Doubt]
    settled: list[Placed]
