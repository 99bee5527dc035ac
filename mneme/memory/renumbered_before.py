"""Finishing a renumbering: mentions that say the old number and mean the cell that got a new one.

A merge gives numbers file by file. What each mention means is told by earlier states: those that had the moved cell
under the old number wrote about it, those that had the other one wrote about that.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence

from mneme.errors import UnreadableFile, UsageError
from mneme.format.digest import anonymous_digest, content_digest
from mneme.format.model import Cell, Placed
from mneme.format.parser import parse, parse_cell
from mneme.format.vocabulary import PERSONAL_SUFFIX
from mneme.history.compare import PSEUDO, merging_with, peek
from mneme.history.meanings import MENTION, Having, Meaning, Meanings, mentions
from mneme.history.moments import CommitTree
from mneme.history.repo import GitError, Repository
from mneme.history.trunk import find_trunk
from mneme.history.versions import Owns, owned_by
from mneme.memory.draft import Draft
from mneme.memory.privacy import HOOK_VARIABLES
from mneme.text.patch import Patch
from mneme.workspace import Workspace, git_top

_MERGES = 3
"""How many merges, the last ones, are asked what they brought together."""


def earlier_states(workspace: Workspace, environ: Mapping[str, str]) -> list[Having]:
    """Return the states that may have had a cell under its old number: of both sides of what was or is being merged."""
    if git_top(workspace.root) is None:
        return []
    repository = Repository(workspace.root, {key: environ[key] for key in environ if key not in HOOK_VARIABLES})
    states: list[Having] = []
    with contextlib.suppress(GitError):
        wanted = ["HEAD", *PSEUDO, "ORIG_HEAD", *merging_with(environ)]
        commits = {found.id: None for found in peek(repository, [f"{name}^{{commit}}" for name in wanted]).values()}
        trunk = find_trunk(repository, workspace.config.trunk)
        if trunk is not None:
            commits[trunk.commit] = None
        if commits:
            merges = repository.run("rev-list", "--merges", "--parents", f"--max-count={_MERGES}", *commits)
            commits |= {
                parent: None for line in os.fsdecode(merges).splitlines() for parent in line.split()[1:]
            }  # fmt: skip
        owns = owned_by(workspace, repository)
        states += [_state(CommitTree(repository, commit), owns) for commit in commits]
    return states


def _state(tree: CommitTree, owns: Owns) -> Having:
    cells: dict[str, list[Cell]] = {}
    for path in tree.memory:
        if owns(path) and not path.endswith(PERSONAL_SUFFIX):
            with contextlib.suppress(UnreadableFile):
                for cell in parse(tree.source(path, path).text).cells:
                    cells.setdefault(cell.id, []).append(cell)
    return lambda cell_id: cells.get(cell_id, ())


def is_finishing(draft: Draft, old_id: str, new_id: str | None, digest: str) -> tuple[Placed, Placed] | None:
    """Return the cell that keeps ``old_id`` and the one that ``digest`` names, if that has ``new_id`` already.

    Raises:
        UsageError: it has, and says something else than the digest.
    """
    if not new_id or not digest:
        return None
    places = {cell_id: _places(draft, cell_id) for cell_id in (old_id, new_id)}
    if [len(found) for found in places.values()] != [1, 1]:
        return None
    (keeper,), (moved,) = places.values()
    cells = moved.cell, as_it_was(moved.cell, old_id)
    named = [full for cell in cells for full in (content_digest(cell), anonymous_digest(cell))]
    wanted = digest.strip().lower()
    if not any(full.startswith(wanted) or full.partition(":")[2].startswith(wanted) for full in named):
        raise UsageError(f"{new_id} is taken, and not by the cell {digest}", "mneme show ID --format json has digests")
    return keeper, moved


def as_it_was(cell: Cell, old_id: str) -> Cell:
    """Return the cell as it was under its old number."""
    return parse_cell(MENTION.sub(lambda match: old_id if match[0] == cell.id else match[0], cell.text))


def _places(draft: Draft, cell_id: str) -> Sequence[Placed]:
    return [place for target in draft.targets for place in target.document.placed if place.cell.id == cell_id]


class Finishing:
    """The patches that change what means the moved cell."""

    def __init__(self, states: Sequence[Having], keeper: Placed, moved: Placed) -> None:
        self._meanings = Meanings(states, keeper.cell, moved.cell)
        self._old, self._new = keeper.cell.id, moved.cell.id
        self.mentions: list[str] = []
        self.unclear: list[str] = []

    def patches(self, places: Sequence[Placed]) -> list[Patch]:
        """Return the patches for the cells of one document; notes what may mean either."""
        found: list[Patch] = []
        for cell, document, start in places:
            for mention in mentions(cell, self._old):
                meaning = self._meanings.of(cell, mention.line)
                where = f"{document.name}:{document.lines.position(start + mention.start)[0]}"
                if meaning is Meaning.MOVED:
                    self.mentions.append(where)
                    found.append(Patch(start + mention.start, start + mention.end, self._new))
                elif meaning is Meaning.UNCLEAR and cell.id != self._old:
                    self.unclear.append(where)
        return found
