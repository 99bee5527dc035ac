"""What git knows about the cells one sees: the history of one, and who stands behind each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mneme.errors import UsageError
from mneme.format.ids import canonical
from mneme.format.model import Cell, Placed
from mneme.history.log import Commit, head
from mneme.history.moments import holding_at
from mneme.history.repo import GitError, Repository
from mneme.history.timeline import Blame, Event, Held, Origin, cell_history, uncommitted
from mneme.history.versions import owned_by
from mneme.memory.draft import nearest_hint
from mneme.memory.links import LinkIndex
from mneme.memory.show import resolve
from mneme.text.visible import quote, visible
from mneme.workspace import Workspace, World

SHALLOW = "this clone is shallow: what happened before its oldest commit is not here (git fetch --unshallow)"


class Recounted(NamedTuple):
    """The events of one cell, oldest first; the cell as it stands now, if it does; and what else there is to say."""

    cell_id: str
    cell: Cell | None
    events: list[Event]
    notes: list[str]


def recount(workspace: Workspace, world: World, repository: Repository, token: str) -> Recounted:
    """Return the history of the cell ``token``; the last event may be what is not committed yet.

    Raises:
        UsageError: neither the workspace nor any commit that ``HEAD`` reaches knows the ID, or the cell is personal.
        GitError: there is no repository.
    """
    tip = head(repository)  # first: outside a repository nothing else needs to be said
    links = LinkIndex([place for document in world.documents for place in document.placed])
    found = resolve(token, links)
    cell_id = found.places[0].cell.id if found.places else canonical(token)
    notes = [found.note] if found.note else []
    owns = owned_by(workspace, repository)
    events = cell_history(repository, [tip], cell_id, owns) if tip else []
    here = _here(repository, found.places, workspace)
    if found.places and here is None and not events:
        raise UsageError(f"{visible(cell_id)} is personal: git does not hold it", f"mneme show {visible(cell_id)}")
    events += uncommitted(cell_id, _committed(repository, tip, workspace, cell_id), here)
    if not events:
        hint = nearest_hint(token, links) or "mneme spine --all lists the cells there are"
        raise UsageError(f"no cell here has or had the ID {quote(token)}", SHALLOW if repository.shallow else hint)
    if repository.shallow:
        notes.append(SHALLOW)
    return Recounted(cell_id, found.places[0].cell if found.places else None, events, notes)


def _here(repository: Repository, places: Sequence[Placed], workspace: Workspace) -> Held | None:
    """Return the shared cell among ``places``, by its path from the repository's top."""
    for place in places:
        path = (workspace.cwd / place.document.name).resolve()
        if not place.document.personal and repository.top in path.parents:
            return Held(path.relative_to(repository.top).as_posix(), place.cell)
    return None


def _committed(repository: Repository, tip: str | None, workspace: Workspace, cell_id: str) -> Held | None:
    holding = holding_at(repository, tip, workspace) if tip else None
    if holding is None:
        return None
    paths = {holding.workspace.display(holding.top / path): path for path in holding.paths}
    for document in holding.world().documents:
        for cell in document.cells:
            if cell.id == cell_id:
                return Held(paths[document.name], cell)
    return None


def event_line(event: Event) -> str:
    """Return an event as a line: day, commit, author, what happened."""
    commit = event.commit
    who = f"{commit.written}  {commit.id[:8]}  {visible(commit.author)}" if commit else "not committed yet"
    return f"{who}  {visible('; '.join(event.what))}"


def event_data(event: Event) -> dict[str, Any]:
    """Return an event for JSON."""
    return {
        "kind": event.kind, "id": event.cell_id, "path": event.path, "what": list(event.what),
        "commit": commit_data(event.commit),
    }  # fmt: skip


def commit_data(commit: Commit | None) -> dict[str, str] | None:
    """Return a commit for JSON; None where there is none."""
    if commit is None:
        return None
    return {
        "id": commit.id, "author": commit.author, "email": commit.email, "date": commit.written,
        "committed": commit.day, "subject": commit.subject,
    }  # fmt: skip


class Blamed(NamedTuple):
    """A cell with the commits that established and last confirmed it."""

    place: Placed
    origin: Origin


def blame(workspace: Workspace, repository: Repository, placed: Sequence[Placed]) -> list[Blamed]:
    """Return who stands behind each of ``placed``.

    Raises:
        GitError: there is no repository.
    """
    tip = head(repository)
    if tip is None:
        raise GitError("nothing is committed here yet", "git commit, then ask again")
    known = Blame(repository, [tip], owned_by(workspace, repository))
    return [Blamed(place, known.of(place.cell)) for place in placed]
