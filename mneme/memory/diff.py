"""What became of a memory between two states, for people: by cell, not by line."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from mneme.errors import UnreadableFile, UsageError
from mneme.format.model import Cell, Document
from mneme.format.vocabulary import MEMORY_SUFFIXES
from mneme.history.changes import VIOLATIONS, Change, Difference, Kind, compare, many_steps, one_step
from mneme.history.moments import holding_at
from mneme.history.range import Range, parse_range
from mneme.history.repo import GitError, Repository
from mneme.history.witness import Witness, of_index, of_range, of_work_tree
from mneme.history.worlds import StagedTree, holdings
from mneme.workspace import Workspace


class Name(str):
    """A word of the memory's: an ID, a path, a value."""

    __slots__ = ()


class Quote(str):
    """A text of the memory's."""

    __slots__ = ()


class Fact(NamedTuple):
    """One thing that became of a cell: words of ours, names and quotes; and whether the format forbids it."""

    parts: tuple[str, ...]
    forbidden: bool = False


class Line(NamedTuple):
    """One cell: what became of it in one word (a key of WORDS), all the facts, and where it is or was."""

    word: str
    cell: Cell
    path: str
    line: int
    facts: tuple[Fact, ...]
    change: Change

    @property
    def forbidden(self) -> bool:
        """Whether any fact is one that the format forbids."""
        return any(fact.forbidden for fact in self.facts)


@dataclass
class Diff:
    """All lines in the order of files and cells; ``forks``: superseded cells with several live successors."""

    base: str
    lines: list[Line]
    forks: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unreadable: list[UnreadableFile] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """How many cells there are of each word, in the order of WORDS."""
        found = Counter(line.word for line in self.lines)
        return {word: found[word] for word in WORDS if found[word]}


WORDS = {
    "violation": "Not allowed",
    "added": "Added",
    "superseded": "Superseded",
    "retired": "Retired",
    "state": "State",
    "changed": "Changed",
    "confirmed": "Confirmed",
    "linked": "Linked",
    "repaired": "Repaired",
    "redacted": "Redacted",
    "renumbered": "Renumbered",
    "moved": "Moved",
}
"""What becomes of cells, most important first, with the heading that a report puts above it."""


def diff(
    workspace: Workspace,
    repository: Repository,
    *,
    between: str | None = None,
    staged: bool = False,
    paths: Sequence[str] = (),
    cache: Path | None = None,
) -> Diff:
    """Compare two states of a workspace's shared memory.

    Args:
        workspace: whose memory.
        repository: the one it lies in.
        between: ``REV``, ``A..B`` or ``A...B``; None is ``HEAD``.
        staged: whether the index is the newer state, instead of the work tree.
        paths: files and folders to limit the answer to.
        cache: where to keep what takes long to find out.

    Raises:
        GitError: git refused, a revision names no commit, or nothing is committed yet.
        UsageError: the two options do not go together.
    """
    if staged and between is not None:
        raise UsageError("--staged compares the index with HEAD: leave out the revision")
    witness, span = _witness(repository, between, staged, workspace, cache)
    state = _present(workspace, repository, witness, span, staged)
    if not witness.snapshots:
        past: list[Document] = []
        fresh = {document.name for document in state.documents}
    else:
        parent = witness.first(workspace, state.owns, state.documents)
        past, fresh = list(parent.documents), set(parent.fresh or ())
    changed = [document for document in state.documents if document.name in fresh]
    broken = {error.path for error in state.unreadable}
    past = [document for document in past if document.name not in broken]
    changes = compare(past, changed, many_steps if span else one_step)
    limits = [(workspace.cwd / name).resolve() for name in paths]
    lines = [_line(change, state.documents) for change in changes if _within(change, limits, workspace.cwd)]
    name = span.name if span else "HEAD" if witness.snapshots else "nothing"
    return Diff(name, lines, _forks(state.documents, changes), witness.notes, state.unreadable)


def _witness(
    repository: Repository, between: str | None, staged: bool, workspace: Workspace, cache: Path | None
) -> tuple[Witness, Range | None]:
    if between is None:
        return (of_index if staged else of_work_tree)(repository, cache), None
    span = parse_range(repository, between)
    return of_range(repository, span, workspace.config.trunk, cache), span


class _State(NamedTuple):
    documents: list[Document]
    unreadable: list[UnreadableFile]
    owns: Callable[[str], bool]


def _present(
    workspace: Workspace, repository: Repository, witness: Witness, span: Range | None, staged: bool
) -> _State:
    """Read the newer state."""
    if staged:
        tree = StagedTree(repository)
        found = holdings(repository, tree, home=workspace.home, gone=witness.gone)
        holding = next((holding for holding in found if holding.workspace.root == workspace.root), None)
    elif span is not None and not span.on_disk:
        holding = holding_at(repository, span.tip, workspace)
    else:
        world = workspace.world(personal=False)
        return _State(world.documents, world.unreadable, lambda path: workspace.holds(witness.top / path))
    if holding is None:
        return _State([], [], lambda path: workspace.holds(witness.top / path))
    world = holding.world()
    shared = [document for document in world.documents if not document.personal]
    return _State(shared, world.unreadable, holding.owns)


def _within(change: Change, limits: Sequence[Path], cwd: Path) -> bool:
    if not limits:
        return True
    places = [place for place in (change.old, change.new) if place is not None]
    paths = [(cwd / place.document.name).resolve() for place in places]
    return any(limit == path or limit in path.parents for limit in limits for path in paths)


def _forks(documents: Sequence[Document], changes: Sequence[Change]) -> dict[str, list[str]]:
    """Return the superseded cells that now have several live successors, one of them touched by a change."""
    cells = [cell for document in documents for cell in document.cells]
    live = {cell.id for cell in cells if cell.status.state == "live"}
    successors: dict[str, set[str]] = {}
    for cell in cells:
        for link in cell.links:
            if link.relation == "supersedes" and cell.id in live:
                successors.setdefault(link.target, set()).add(cell.id)
            elif link.relation == "superseded-by" and link.target in live:
                successors.setdefault(cell.id, set()).add(link.target)
    touched = {change.place.cell.id for change in changes}
    return {old: sorted(new) for old, new in sorted(successors.items()) if len(new) > 1 and touched & {old, *new}}


# --- in words -------------------------------------------------------------------------------------------------------


def _line(change: Change, documents: Sequence[Document]) -> Line:
    cell, document, start = change.place
    facts = tuple(_facts(change, documents))
    line = document.lines.position(start)[0]
    return Line(_word(change, facts), cell, document.name, line, facts, change)


def _word(change: Change, facts: Sequence[Fact]) -> str:
    if any(fact.forbidden for fact in facts):
        return "violation"
    kinds = {difference.kind for difference in change.differences}
    state = next((difference.after for difference in change.differences if difference.field == "state"), "")
    match change.kind:
        case Kind.ADDED:
            return "added"
        case Kind.RENUMBERED:
            return "renumbered"
        case Kind.MOVED:
            return "moved"
    if Kind.REDACTED in kinds:
        return "redacted"
    if state in ("superseded", "retired"):
        return state
    if state:
        return "state" if Kind.STATE in kinds else "repaired"
    if Kind.FIELD in kinds or Kind.LINK_WEIGHT in kinds:
        return "changed"
    if Kind.LINK_ADDED in kinds:
        return "linked"
    return "confirmed" if Kind.REAFFIRMED in kinds else "repaired"


def _facts(change: Change, documents: Sequence[Document]) -> list[Fact]:
    old, new = change.old, change.new
    if new is None:
        return [Fact(("deleted: cells are never deleted",), forbidden=True)]
    if old is None:
        where = (" in ", Name(new.cell.topic)) if new.cell.topic else ()
        return [Fact(("added: ", Name(_standing(new.cell)), *where))]
    if change.kind is Kind.RENUMBERED:
        return [Fact(("was ", Name(old.cell.id)))]
    facts = []
    if change.kind is Kind.SWAPPED:
        facts.append(Fact(("exchanged its ID with another cell: it said ", Quote(old.cell.gist)), forbidden=True))
    facts += [
        Fact(parts, difference.kind in VIOLATIONS)
        for difference in change.differences
        if (parts := _parts(difference, change, new.cell, documents))
    ]
    if change.moved:
        elsewhere = old.document.name != new.document.name
        facts.append(Fact(("moved from ", Name(old.document.name)) if elsewhere else ("moved within the file",)))
    return facts


def _parts(difference: Difference, change: Change, cell: Cell, documents: Sequence[Document]) -> tuple[str, ...]:
    kind, name, before, after, _ = difference
    values = (Name(before or "unset"), " -> ", Name(after or "unset"))
    texts = (Quote(before), " -> ", Quote(after))
    match kind:
        case Kind.EDITED:
            return (f"{name} edited: ", *texts)
        case Kind.REPAIRED:
            return (f"{name} repaired: ", *texts)
        case Kind.REDACTED:
            return (f"{name} redacted",)
        case Kind.STATE if after == "superseded":
            by = [link.target for link in cell.links if link.relation == "superseded-by"]
            by = by or _successors(cell.id, documents)
            return (*values, *((" by ", Name(", ".join(by))) if by else ()))
        case Kind.STATE:
            return values
        case Kind.ILLEGAL:
            return (*values, ": not allowed")
        case Kind.LINK_ADDED:
            superseded = any(other.kind is Kind.STATE and other.after == "superseded" for other in change.differences)
            told = superseded and after.startswith("superseded-by ")
            return () if told else ("link added: ", Name(after))
        case Kind.LINK_REMOVED:
            return ("link changed: ", *values) if after else ("link removed: ", Name(before))
        case Kind.LINK_WEIGHT:
            return ("link weight: ", *values)
        case Kind.SEEN_BACK:
            return ("seen moved back: ", *values)
        case _:
            return (f"{name} ", *values)


def _successors(cell_id: str, documents: Sequence[Document]) -> list[str]:
    return [
        cell.id
        for document in documents
        for cell in document.cells
        if any(link.relation == "supersedes" and link.target == cell_id for link in cell.links)
    ]


def _standing(cell: Cell) -> str:
    return ", ".join(word for word in (cell.status.state, cell.status.conf) if word) or "without a state"


def base_or_paths(repository: Repository, words: Sequence[str], folder: Path) -> tuple[str | None, list[str]]:
    """Tell the revision from the paths in what a person typed: a file that is there, or has such a name, is a path.

    Raises:
        UsageError: the first word is neither.
    """
    if not words:
        return None, []
    first = words[0]
    there = os.path.exists(folder / first)  # noqa: PTH110 - pathlib raises where one may not look
    if there or first.endswith(MEMORY_SUFFIXES):
        return None, list(words)
    if ".." in first:
        return first, list(words[1:])
    try:
        parse_range(repository, first)
    except GitError as error:
        if "names no commit" not in error.message:
            raise
        raise UsageError(f"{first!r} is neither a revision nor a file here", error.hint) from None
    return first, list(words[1:])
