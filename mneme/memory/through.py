"""Text first, the store after: what the verbs of the graph share.

A verb changes memory files in one step, then brings the store up to date. Killed in between, nothing is lost: every
reading command lays what the store lacks over it, and the next compile takes it in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from mneme.bridge.bound import PERSONAL, BoundStore
from mneme.bridge.compiling import ContentRefused, compile_store, refuse_without_text
from mneme.bridge.reading import reading
from mneme.errors import MnemeError, UsageError
from mneme.graph.places import DEFAULT
from mneme.graph.store import NoSuchStore, Operation, StoreError, read
from mneme.memory.draft import Draft, Target, nearest_hint
from mneme.text.files import real_path
from mneme.text.visible import visible

if TYPE_CHECKING:
    from mneme.format.model import Placed
    from mneme.graph.store import Reader, Store
    from mneme.memory.recalling import Moment

Result = TypeVar("Result")


class NotCompiled(MnemeError):
    """The text was changed, and the store could not be brought up to date."""

    def __init__(self, done: str, error: MnemeError) -> None:
        super().__init__(f"{done}; the store is not up to date: {error.message}", error.hint)
        self.exit_code = error.exit_code


class Layers(NamedTuple):
    """The store that was asked for, and where personal cells go with it: nowhere for one that holds shared ones only.

    ``files`` are the memory files it is compiled from.
    """

    bound: BoundStore
    personal: BoundStore | None
    files: tuple[Path, ...]

    def of(self, *, personal: bool) -> BoundStore:
        """Return the store that a cell in one of the files belongs to."""
        return self.personal if personal and self.personal is not None else self.bound

    def hold(self, target: Target) -> bool:
        """Whether the store, or the personal one with it, is compiled from a file."""
        if self.bound.given is None and (self.bound.name == DEFAULT or (self.bound.personal and target.personal)):
            return True  # also a file that was not there when the others were listed
        return real_path(target.path) in {real_path(path) for path in self.files}

    def refuse_personal(self) -> None:
        """Refuse a personal cell where the store holds shared ones only.

        Raises:
            UsageError: always, but for the workspace's own store and the personal one.
        """
        if self.personal is None:
            raise UsageError(
                f"personal cells never enter the store {self.bound.name or self.bound.path}",
                f"leave the store out, or --store {PERSONAL}",
            )


def layers_of(bound: BoundStore) -> Layers:
    """Return what a store and its personal one are compiled from.

    Raises:
        UsageError: it has no text of this workspace's.
        StoreError: it cannot be read.
    """

    def look(reader: Reader) -> list[Path]:
        refuse_without_text(bound, reader)
        return bound.files(reader)

    try:
        files = read(bound.path, look)
    except NoSuchStore:
        refuse_without_text(bound, None)
        files = bound.files(None)
    sibling = bound if bound.personal else bound.sibling()
    more = sibling.files(None) if bound.name == DEFAULT and sibling is not None else []
    return Layers(bound, sibling, (*files, *more))


def enlist(draft: Draft, layers: Layers) -> None:
    """Have the store's files in a draft, those that lie outside of the workspace too."""
    for path in layers.files:
        if path.exists():
            draft.target(path)


def active(draft: Draft, layers: Layers, cell_id: str, called: str) -> tuple[Placed, Target]:
    """Return the one cell with an ID that a store holds and that was not forgotten.

    Raises:
        UsageError: there is none, as the engine says it: ``called`` not found.
    """
    places = [place for place in draft.links.by_id.get(cell_id, []) if layers.hold(draft.target_of(place))]
    if not places:
        hint = nearest_hint(cell_id, draft.links)
        elsewhere = draft.links.by_id.get(cell_id)
        if elsewhere:
            hint = f"it stands in {draft.where(elsewhere[0])}, and this store is not compiled from that file"
        raise UsageError(f"{called} {visible(cell_id)} not found", hint or "mneme search finds cells by their words")
    place = draft.place(cell_id) if len(places) > 1 else places[0]
    if place.cell.status.state == "retired":
        raise UsageError(f"{called} {visible(cell_id)} not found: it is retired", f"mneme show {visible(cell_id)}")
    return place, draft.target_of(place)


def bring_up_to_date(
    bound: BoundStore, moment: Moment, done: str, look: Callable[[Reader], Result],
    operations: Sequence[tuple[str, str, str]] = (), change: Callable[[Store], None] | None = None,
) -> tuple[Result, tuple[str, ...]]:  # fmt: skip
    """Compile a store after its text changed; return ``look(store)``, and what there is to say.

    ``done`` says for an error what the text holds already. ``operations`` go into the log: name, insight, detail.
    ``change`` writes what no cell says. Where the text cannot be compiled for a reason that is not ours (a file with
    errors, content edited by hand), the answer is that of the text all the same, and the reason is among the remarks.

    Raises:
        NotCompiled: the store cannot be written.
    """
    found: list[Result] = []
    stamp = moment.now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def after(store: Store) -> None:
        if change is not None:
            change(store)
        store.log([Operation(*one, stamp) for one in operations])
        found[:] = [look(store)]

    notes: list[str] = []
    try:
        outcome = compile_store(bound, today=moment.today, now=moment.now, after=after)
        if outcome.report is None:
            notes += [f"the content of {move.id} is not what was compiled ({move.path})" for move in outcome.moves]
            notes += outcome.remarks
            return found[0], tuple(notes)
        first = outcome.report.findings[0]
        notes.append(f"nothing was compiled: {first.path}:{first.line}: {first.message}; mneme lint shows all")
    except ContentRefused as error:
        notes.append(f"nothing was compiled: {error.message}")
    except StoreError as error:
        raise NotCompiled(done, error) from error
    result, _ = reading(bound, look, today=moment.today, now=moment.now)
    return result, tuple(notes)
