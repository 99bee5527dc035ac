"""Which live cells lean on code that changed or is gone, and how that is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mneme.errors import UnreadableFile
from mneme.format.model import Placed
from mneme.history.doubt import Doubt, Judged, Kind
from mneme.history.evidence import EvidenceWatch
from mneme.history.repo import Repository
from mneme.history.worlds import StagedTree, holdings
from mneme.memory.new_cell import line_of
from mneme.memory.past import commit_data
from mneme.text.visible import visible
from mneme.workspace import Workspace, World

HOOK_LINES = 5
"""How many lines a hook prints at most, besides the count."""


def live(world: World) -> list[Placed]:
    """Return the live cells: the ones that readers rely on."""
    return [place for document in world.documents for place in document.placed if place.cell.status.state == "live"]


def check(workspace: Workspace, world: World, repository: Repository, *, cache: Path | None = None) -> Judged:
    """Judge the live cells of ``world`` by the work tree, uncommitted changes included.

    Raises:
        GitError: there is no repository, or git refused.
    """
    repository.top  # noqa: B018 - outside a repository nothing else needs to be said
    return EvidenceWatch(repository, workspace, dirty=True, cache=cache).judge(live(world))


def check_staged(
    repository: Repository, *, cache: Path | None = None, **options: Any
) -> tuple[Judged, list[UnreadableFile]]:
    """Judge the live cells of every workspace of the repository by what the next commit would hold.

    Also returns the memory files that could not be read.

    Raises:
        GitError: there is no repository, or git refused.
        ConfigError: a staged configuration cannot be used.
    """
    doubts: list[Doubt] = []
    settled: list[Placed] = []
    unreadable: list[UnreadableFile] = []
    for holding in holdings(repository, StagedTree(repository), **options):
        world = holding.world()
        unreadable += world.unreadable
        judged = EvidenceWatch(repository, holding.workspace, staged=True, cache=cache).judge(live(world))
        doubts += judged.doubts
        settled += judged.settled
    return Judged(doubts, settled), unreadable


def lines(doubts: Iterable[Doubt]) -> list[str]:
    """Return one line a doubt: file, line, kind, ID, what happened."""
    return [
        f"{visible(doubt.place.document.name)}:{line_of(doubt.place)}: {doubt.kind} {visible(doubt.place.cell.id)}: "
        f"{visible(doubt.words)}"
        for doubt in doubts
    ]


def hook_lines(doubts: Sequence[Doubt]) -> list[str]:
    """Return the lines for a hook: missing evidence first, few of them, and a count; none when all is well."""
    if not doubts:
        return []
    order = [Kind.MISSING, Kind.SYMBOL_MISSING, Kind.CHANGED]
    worst = sorted(doubts, key=lambda doubt: order.index(doubt.kind))
    cells = len({(doubt.place.document.name, doubt.place.start) for doubt in doubts})
    shown = lines(worst[:HOOK_LINES])
    return [*shown, f"mneme: {cells} live cell{'s' if cells > 1 else ''} to look at again (mneme review)"]


def doubt_data(doubt: Doubt) -> dict[str, Any]:
    """Return a doubt for JSON."""
    return {
        "id": doubt.place.cell.id, "path": doubt.place.document.name, "line": line_of(doubt.place),
        "gist": doubt.place.cell.gist, "seen": doubt.place.cell.status.seen, "kind": str(doubt.kind),
        "reference": doubt.reference.text, "evidence": list(doubt.paths), "symbol": doubt.reference.symbol,
        "explicit": doubt.reference.explicit, "moved_to": doubt.moved_to,
        "commits": [commit_data(commit) for commit in doubt.commits], "uncommitted": doubt.uncommitted,
        "authors": doubt.authors, "added": doubt.added, "removed": doubt.removed, "since": doubt.since,
        "message": doubt.words,
    }  # fmt: skip
