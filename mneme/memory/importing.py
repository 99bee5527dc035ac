"""Importing a draft: its insights become cells of the memory files, all of them in one step, and are compiled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from mneme.bridge.bound import BoundStore
from mneme.bridge.from_store import joined
from mneme.bridge.import_draft import ImportDraft, kept_edges
from mneme.bridge.to_cells import prefix_of, to_cell
from mneme.bridge.to_links import Node, Plan, plan_links
from mneme.format.edits import add_link, set_field
from mneme.format.ids import used_ids
from mneme.format.model import Cell
from mneme.format.render import check_sound, render
from mneme.format.statement import escaped
from mneme.memory.cue_words import derived_cues
from mneme.memory.draft import Draft, Target, change
from mneme.memory.memo import Memo, says, verbatim
from mneme.memory.numbering import Numbering
from mneme.memory.prune import Limits, prune
from mneme.memory.retention import usage_of
from mneme.memory.through import Layers, bring_up_to_date, enlist, layers_of
from mneme.memory.whither import file_of
from mneme.text.files import real_path

if TYPE_CHECKING:
    from mneme.graph.store import Store
    from mneme.memory.recalling import Moment
    from mneme.memory.writer import Writer

ADDED, SKIPPED = "added", "skipped"

HELD = frozenset({"proposed", "live", "stale"})
"""A text that a cell in one of these states holds is not written again."""


class Item(NamedTuple):
    """What became of an insight: ``number`` is its index in the draft, ``id`` that of the cell that says it."""

    number: int
    id: str
    content: str
    action: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a draft. ``edges`` were written; ``pruned`` are insights of other programs that had to go."""

    items: tuple[Item, ...]
    edges: int
    path: str
    pruned: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def count(self, action: str) -> int:
        """Return of how many insights that became."""
        return sum(1 for item in self.items if item.action == action)

    def data(self) -> dict[str, Any]:
        """Return the receipt with the engine's keys (facts 8.7), then ours."""
        return {
            "imported": self.count(ADDED),
            "updated": 0,
            "skipped": self.count(SKIPPED),
            "errors": 0,
            "edges_inserted": self.edges,
            "auto_pruned": len(self.pruned),
            "auto_pruned_ids": list(self.pruned),
            "results": [
                {"index": item.number, "id": item.id, "content": item.content, "action": item.action}
                for item in self.items
            ],
            "path": self.path,
            "notes": list(self.notes),
        }


class _Made(NamedTuple):
    items: tuple[Item, ...]
    edges: int
    path: str
    notes: tuple[str, ...]


def import_draft(
    bound: BoundStore, draft: ImportDraft, writer: Writer, moment: Moment, *, compare: bool,
    environ: Mapping[str, str], author: Callable[[], str], taken: Collection[str] = (),
) -> Imported:  # fmt: skip
    """Write a draft as cells of the text that ``bound`` is compiled from, and compile them.

    With ``compare`` an insight that a cell says already, byte for byte, is not written again; edges lead to that cell.

    Args:
        bound: the store that is meant.
        draft: what is to be imported.
        writer: who does it.
        moment: day and time.
        compare: whether to look for what is there.
        environ: says how many insights of other programs a store may hold.
        author: gives the person's name, for one file a person.
        taken: IDs in use besides those that the workspace holds.

    Raises:
        UsageError: the store has no text.
        NotCompiled: the cells are written, the store could not be.
        MnemeError: a file cannot be read or written; then nothing was.
    """
    layers = layers_of(bound)

    def plan(text: Draft) -> _Made:
        text.require_all_read()
        enlist(text, layers)
        target = file_of(text, layers, Memo(""), moment.today, author)
        work = _Work(bound, draft, writer, moment, text, target, layers)
        return work.write(compare=compare, taken=taken)

    made = change(bound.workspace, plan)
    pruned: list[str] = []

    def after(store: Store) -> None:
        pruned[:] = prune(
            store, Limits.of(environ), now=moment.now, trigger="import", used=usage_of(bound)
        )  # fmt: skip

    operations = [
        ("import", item.id, item.content) if item.action == ADDED
        else ("import-skip", item.id, f"duplicate of {item.id}")
        for item in made.items
    ]  # fmt: skip
    done = f"{sum(1 for item in made.items if item.action == ADDED)} cells are written in {made.path}"
    _, notes = bring_up_to_date(bound, moment, done, lambda _: None, operations, after)
    return Imported(made.items, made.edges, made.path, tuple(pruned), (*made.notes, *notes))


class _Work:
    """One import, planned against what was read."""

    def __init__(
        self, bound: BoundStore, draft: ImportDraft, writer: Writer, moment: Moment, text: Draft, target: Target,
        layers: Layers,
    ) -> None:  # fmt: skip
        self.config = bound.workspace.config
        self.draft = draft
        self.writer = writer
        self.today = moment.today
        self.text = text
        self.target = target
        self.layers = layers
        self.state = self.config.agent_state if writer.agent else "live"

    def write(self, *, compare: bool, taken: Collection[str]) -> _Made:
        """Put cells and links into the draft of the text."""
        random = self.target.personal or self.config.ids == "random"
        cells = [*(place.cell for place in self.text.links.placed), *self.text.elsewhere]
        new_id = Numbering([*used_ids(cells), *taken], random=random)
        held = self._held() if compare else {}
        items: list[Item] = []
        for index, one in enumerate(self.draft.insights):
            said = verbatim(escaped(one.content))
            if compare and said in held:
                items.append(Item(index, held[said], one.content, SKIPPED))
                continue
            cell_id = new_id(prefix_of(one, self.config))
            held[said] = cell_id
            items.append(Item(index, cell_id, one.content, ADDED))
        edges = kept_edges(self.draft.edges, {str(item.number): item.id for item in items})
        plan = plan_links(edges, self._nodes(items), paired=False)
        new = [item for item in items if item.action == ADDED]
        if new:
            self.text.append(self.target, joined([self._cell(item, plan) for item in new]))
        self._link_known({item.id for item in new}, plan)
        return _Made(tuple(items), len({edge[:3] for edge in edges}), self.target.document.name, plan.remarks)

    def _held(self) -> dict[str, str]:
        """Return the cells of this layer that are in force or may come into force, by what they say."""
        wanted = {real_path(path) for path in self.layers.files}
        found: dict[str, str] = {}
        for place in self.text.links.placed:
            holder = self.text.target_of(place)
            if place.cell.status.state not in HELD or holder.personal != self.target.personal:
                continue
            if real_path(holder.path) in wanted:
                for said in says(place.cell):
                    found.setdefault(said, place.cell.id)
        return found

    def _nodes(self, items: list[Item]) -> dict[str, Node]:
        proposed = self.state == "proposed"  # what is only proposed replaces nothing yet
        nodes: dict[str, Node] = {}
        for item in items:
            if item.action == ADDED:
                made = self.draft.insights[item.number].created_at or self.today.isoformat()
                nodes[item.id] = Node(item.id, made, final=proposed)
        for item in items:
            if item.id not in nodes:
                cell = self.text.place(item.id).cell
                nodes[item.id] = self._known(cell)
        return nodes

    def _known(self, cell: Cell) -> Node:
        successors = self.text.links.successors(cell.id)
        over = cell.status.state not in ("live", "stale")
        return Node(cell.id, cell.since, successor=successors[0] if successors else "", final=over)

    def _cell(self, item: Item, plan: Plan) -> str:
        one = self.draft.insights[item.number]
        state = "superseded" if item.id in plan.superseded else self.state
        cell = to_cell(
            one, item.id, self.config, today=self.today, origin=self.writer.pairs(), links=plan.links.get(item.id, ()),
            state=state,
        )  # fmt: skip
        if not cell.cues:
            cell = cell._replace(cues=derived_cues(one.content, cell.gist))
        check_sound(cell)
        return render(cell)

    def _link_known(self, new: Collection[str], plan: Plan) -> None:
        """Give cells that were there the links that edges to them stand for."""
        for cell_id, links in plan.links.items():
            if cell_id in new:
                continue
            place = self.text.place(cell_id)
            holder = self.text.target_of(place)
            if cell_id in plan.superseded:
                self.text.edit(holder, set_field(place, "state", "superseded"))
            for link in links:
                self.text.edit(holder, add_link(place, link))
