"""Writing the cells of hot memory in a draft: new ones, successors, and what happens to the old ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mneme.bridge.hot.records import IMP, NORMAL, importance_of
from mneme.config import Config
from mneme.errors import ConfigError, EditError
from mneme.format.edits import add_link, check_transition, set_field
from mneme.format.encoded import origin_token
from mneme.format.entry import MEMORY, USER, target_of
from mneme.format.model import Link, Placed
from mneme.format.statement import statement
from mneme.format.vocabulary import IMPORTANCES
from mneme.memory.absorb import fits
from mneme.memory.cue_words import derived_cues
from mneme.memory.draft import Draft
from mneme.memory.hot_files import Cells
from mneme.memory.new_cell import Given, append_new
from mneme.memory.recalling import Moment
from mneme.memory.target import Wanted, choose_target
from mneme.memory.writer import Writer

_USUAL = {USER: "PREF", MEMORY: "FACT"}


class Hand(NamedTuple):
    """Who writes, when, and where to."""

    moment: Moment
    writer: Writer = Writer()
    author: Callable[[], str] = lambda: ""
    taken: frozenset[str] = frozenset()
    personal: bool = False


class Pen:
    """Writes into one draft."""

    def __init__(self, draft: Draft, hand: Hand) -> None:
        draft.require_all_read()
        self.draft = draft
        self.hand = hand
        self._made: list[str] = []

    def new(
        self, target: str, content: str, importance: str, *, source: str = "", state: str = "live",
        prefix: str = "", links: Sequence[Link] = (), beside: Placed | None = None,
    ) -> str:  # fmt: skip
        """Add a cell that says ``content``, of the layer and near the file of ``beside``. Returns its ID."""
        draft, hand = self.draft, self.hand
        said = statement(content)
        whole = fits(content)
        pairs = [*hand.writer.pairs(), *([("source", source)] if source else [])]
        topic = beside.cell.topic if beside is not None else ""
        given = Given(
            content if whole else said.gist, topic, tuple(f"{cue} /" for cue in derived_cues(content, said.gist)),
            () if whole else said.body, state, imp="" if importance == NORMAL else IMP[importance],
            origin=tuple(origin_token(key, value) for key, value in pairs),
        )  # fmt: skip
        holder = None if beside is None else draft.target_of(beside)
        personal = hand.personal if holder is None else holder.personal
        file = choose_target(draft, Wanted(None, personal), topic, hand.moment.today, hand.author, beside=holder)
        cell, _ = append_new(
            draft, file, prefix or prefix_for(target, draft.workspace.config), given, hand.moment.today, extra=links,
            taken=[*hand.taken, *self._made],
        )  # fmt: skip
        self._made.append(cell.id)
        return cell.id

    def succeed(self, target: str, olds: Sequence[Placed], content: str, importance: str, *, source: str = "") -> str:
        """Add a cell that supersedes ``olds``, which are all of one layer. Returns its ID."""
        for old in olds:
            check_transition(old.cell, "superseded")
        first = olds[0]
        new = self.new(
            target, content, importance, source=source, prefix=first.cell.id.partition("-")[0], beside=first,
            links=[Link("supersedes", old.cell.id) for old in olds],
        )  # fmt: skip
        for old in olds:
            holder = self.draft.target_of(old)
            self.draft.edit(
                holder, [*set_field(old, "state", "superseded"), *add_link(old, Link("superseded-by", new))]
            )
        return new

    def refine(self, target: str, olds: Sequence[Placed], content: str, importance: str) -> str:
        """Add a cell that refines ``olds``, which stay live and are kept out of hot memory. Returns its ID."""
        new = self.new(
            target, content, importance, beside=olds[0], links=[Link("refines", old.cell.id) for old in olds],
        )  # fmt: skip
        for old in olds:
            self.set(old, "hot", "no")
        return new

    def set(self, place: Placed, name: str, value: str) -> None:
        """Set a state field."""
        self.draft.edit(self.draft.target_of(place), set_field(place, name, value))

    def weigh(self, place: Placed, importance: str) -> None:
        """Give a cell an importance, unless it has it."""
        status = place.cell.status
        if importance_of(int(status.imp) if status.imp in IMPORTANCES else 3) != importance:
            self.set(place, "imp", IMP[importance])

    def confirm(self, place: Placed) -> None:
        """Say that a cell still holds."""
        today = self.hand.moment.today.isoformat()
        if place.cell.status.state == "stale":
            self.set(place, "state", "live")
        if place.cell.status.seen < today:
            self.set(place, "seen", today)

    def cells(self) -> Cells:
        """Return the cells as they will be."""
        return cells_of(self.draft, after=True)


def cells_of(draft: Draft, *, after: bool = False) -> Cells:
    """Return the cells of a draft in order, each with: is it personal.

    Raises:
        UnreadableFile: a file could not be read.
        EditError: a file holds conflict markers.
    """
    draft.require_all_read()
    found = []
    for target in draft.targets:
        document = draft.after(target) if after else target.document
        for oddity in (*document.strays, *(oddity for cell in document.cells for oddity in cell.oddities)):
            if oddity.name == "conflict-marker":
                raise EditError(
                    f"{target.document.name} holds conflict markers; nothing was written",
                    "settle the conflict first: mneme resolve",
                )
        found += [(cell, target.personal) for cell in document.cells]
    return found


def prefix_for(target: str, config: Config) -> str:
    """Return the prefix of new cells that go to ``target``.

    Raises:
        ConfigError: the configuration sends no prefix there.
    """
    for prefix in (_USUAL[target], *sorted(config.prefixes)):
        if target_of(f"{prefix}-1", config) == target:
            return prefix
    raise ConfigError(f"no prefix goes to {target}: hot memory has nothing to write there", "see prefixes.*.projection")
