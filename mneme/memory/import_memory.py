"""What other programs keep as memory becomes cells: planned, shown, and written in one step when that is asked for."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mneme.bridge.from_store import insight_of, joined
from mneme.bridge.imports.files import parts_of
from mneme.bridge.imports.mnemon import read_store
from mneme.bridge.imports.note import Note, Reading
from mneme.bridge.imports.table import KINDS, Kind, detect
from mneme.bridge.to_links import Node, Plan, plan_links
from mneme.errors import UnreadableFile
from mneme.format.cues import split_cues
from mneme.format.edits import add_link, set_field
from mneme.format.encoded import origin_token
from mneme.format.ids import check_prefix, used_ids
from mneme.format.model import Cell
from mneme.format.render import NewCell, check_sound, render
from mneme.format.statement import NOTHING_SAID, Statement, escaped, first_clause, statement
from mneme.format.vocabulary import WORKING_STATES
from mneme.graph.model import Edge
from mneme.memory.cue_words import derived_cues, is_cue
from mneme.memory.draft import Draft, Target, change
from mneme.memory.numbering import Numbering
from mneme.memory.target import Wanted, choose_target, slug
from mneme.text.visible import visible
from mneme.workspace import Workspace, is_personal

MOST_CUES = 8
_ENOUGH_CUES = 2
_TOPIC_DEPTH = 2
_LONGEST_TOPIC = 40


class Source(NamedTuple):
    """A source that was read: what it is called, its kind, and what was found in it."""

    name: str
    kind: Kind
    reading: Reading


class Made(NamedTuple):
    """A cell that a note became: where it stands, or would, and its text there."""

    id: str
    note: Note
    gist: str
    file: str
    line: int
    text: str


class Same(NamedTuple):
    """A note that the cell ``id`` says already."""

    id: str
    note: Note
    gist: str


class Imported(NamedTuple):
    """What became of a source. ``touched`` are cells that were there and got a link or a state."""

    made: tuple[Made, ...]
    same: tuple[Same, ...]
    touched: tuple[str, ...]
    left_out: Mapping[str, int]
    remarks: tuple[str, ...]


class Wish(NamedTuple):
    """How to import: into which file, under which prefix (empty: by the words), by an agent or not, on which day."""

    wanted: Wanted
    today: date
    author: Callable[[], str]
    prefix: str = ""
    agent: str = ""
    taken: Collection[str] = ()


def read_memory(workspace: Workspace, path: Path, kind: str, today: date) -> Source:
    """Read the source at ``path``; ``kind`` is its kind, empty to find it out. Nothing of the source is changed.

    Raises:
        UsageError: what it is cannot be told.
        UnreadableFile: there is nothing to be read at all.
        StoreError: it is a store that cannot be read.
    """
    name = _called(workspace, path)
    if not path.exists():
        raise UnreadableFile(workspace.display(path), "no such file", line=0)
    found = KINDS[kind] if kind else detect(path, workspace.display(path))
    reading = Reading()
    if found.read is None:
        store = path / "mnemon.db" if path.is_dir() else path
        read_store(store, name, reading, workspace.config, today)
    else:
        parts = parts_of(path, name, found.takes, reading)
        found.read(parts, reading)
    return Source(name, found, reading)


def _called(workspace: Workspace, path: Path) -> str:
    """Return what provenance calls a source: its path below the workspace, else its name alone."""
    real, root = path.resolve(), workspace.root.resolve()
    return real.relative_to(root).as_posix() if real.is_relative_to(root) else real.name


def preview(workspace: Workspace, source: Source, wish: Wish) -> Imported:
    """Return what :func:`import_memory` would write; nothing is.

    Raises:
        MnemeError: a file of the workspace cannot be read, a value cannot be written.
    """
    return _Work(Draft.read(workspace, wish.wanted.owner), source, wish).done()


def import_memory(workspace: Workspace, source: Source, wish: Wish) -> Imported:
    """Write what a source says as cells, in one step. What a cell says already is not written again.

    Raises:
        MnemeError: a file cannot be read or written; then nothing was.
    """
    return change(workspace, lambda draft: _Work(draft, source, wish).done(), wish.wanted.owner)


class _Planned(NamedTuple):
    id: str
    note: Note
    said: Statement
    topic: str
    target: Target


class _Work:
    """One import, planned against what was read."""

    def __init__(self, draft: Draft, source: Source, wish: Wish) -> None:
        draft.require_all_read()
        if wish.prefix:
            check_prefix(wish.prefix)
        self.draft = draft
        self.source = source
        self.wish = wish
        self.config = draft.workspace.config
        named = wish.wanted.file
        self.personal = wish.wanted.personal or (named is not None and is_personal(named))
        self.left_out: Counter[str] = Counter(source.reading.left_out)
        self.remarks = list(source.reading.remarks)
        self.same: list[Same] = []
        self.planned: list[_Planned] = []
        self.by_name: dict[str, str] = {}
        """For each end of an edge the cell that it means."""
        self.known = _Known(self._comparable())

    def done(self) -> Imported:
        """Put the cells into the draft, and return what that makes."""
        cells = [*(place.cell for place in self.draft.links.placed), *self.draft.elsewhere]
        random = self.personal or self.config.ids == "random"
        new_id = Numbering([*used_ids(cells), *self.wish.taken], random=random)
        for note in self.source.reading.notes:
            self._take(note, new_id)
        links = self._links()
        texts: dict[int, list[str]] = {}
        for planned in self.planned:
            texts.setdefault(id(planned.target), []).append(self._rendered(planned, links))
        targets = {id(planned.target): planned.target for planned in self.planned}
        for key, target in targets.items():
            self.draft.append(target, joined(texts[key]))
        touched = self._touch({planned.id for planned in self.planned}, links)
        return Imported(
            tuple(self._made(targets.values())), tuple(self.same), tuple(touched),
            {reason: count for reason, count in self.left_out.items() if count}, tuple(map(visible, self.remarks)),
        )  # fmt: skip

    def _comparable(self) -> Iterator[Cell]:
        """The cells that a note may be the same as: a shared one is written though a personal cell says it."""
        for target in self.draft.targets:
            if self.personal or not target.personal:
                yield from target.document.cells

    # --- notes ------------------------------------------------------------------------------------------

    def _take(self, note: Note, new_id: Callable[[str], str]) -> None:
        said = said_by(note)
        if said.gist == NOTHING_SAID:
            self.left_out["blocks without words"] += 1
            return
        if note.personal and not self.personal:
            self.left_out["personal notes, which --personal takes"] += 1
            return
        there = self.known.insights.get(dict(note.more).get("id", "")) or self.known.find(said)
        if there:
            self.same.append(Same(there, note, said.gist))
            cell_id = there
        else:
            if other := self.known.alike(said):
                self.remarks.append(f"{note.path}:{note.line}: {other} has the same gist and says something else")
            cell_id = new_id(self.wish.prefix or note.prefix or "FACT")
            topic = _topic(note.topic)
            target = choose_target(self.draft, self.wish.wanted, topic, self.wish.today, self.wish.author)
            self.planned.append(_Planned(cell_id, note, said, topic, target))
            self.known.add(cell_id, said)
        for name in note.names:
            self.by_name.setdefault(name, cell_id)

    def _links(self) -> Plan:
        """Return what the edges of the source are as links; those between cells that were there are there."""
        edges: dict[tuple[str, str, str], Edge] = {}
        new = {planned.id for planned in self.planned}
        for edge in self.source.reading.edges:
            one, other = self.by_name.get(edge.source), self.by_name.get(edge.target)
            if one is None or other is None:
                self.left_out["links to what is not here"] += 1
            elif one != other and not new.isdisjoint((one, other)):
                edges.setdefault((one, other, edge.type), edge._replace(source=one, target=other))
        nodes = {
            planned.id: Node(planned.id, planned.note.day, final=self._state(planned.note) in ("proposed", "retired"))
            for planned in self.planned
        }
        nodes |= {same.id: self._node(same.id) for same in self.same if same.id not in nodes}
        plan = plan_links(edges.values(), nodes, paired=True)
        self.remarks += plan.remarks
        return plan

    def _node(self, cell_id: str) -> Node:
        place = self.draft.links.by_id[cell_id][0]
        cell = place.cell
        successors = self.draft.links.successors(cell_id)
        shared = self.personal and not self.draft.target_of(place).personal  # it must not link to a personal cell
        return Node(
            cell_id, cell.since, fixed=shared, successor=successors[0] if successors else "",
            final=cell.status.state not in WORKING_STATES,
        )  # fmt: skip

    def _state(self, note: Note) -> str:
        return self.config.agent_state if note.state == "live" and self.wish.agent else note.state

    # --- cells ------------------------------------------------------------------------------------------

    def _rendered(self, planned: _Planned, links: Plan) -> str:
        note = planned.note
        state = self._state(note)
        if planned.id in links.superseded:
            state = "superseded"
        elif state == "superseded":
            state = "retired"
            self.remarks.append(f"{note.path}: what superseded it is not among what is imported: retired")
        today = self.wish.today.isoformat()
        day = note.day if note.day and note.day <= today else today
        cell = NewCell(
            id=planned.id, gist=planned.said.gist, topic=planned.topic, cues=_cues(note, planned.said),
            body=planned.said.body, links=links.links.get(planned.id, ()), origin=self._origin(note), state=state,
            conf=note.conf, imp=note.imp, since=day, seen=max(day, min(note.seen, today)),
        )  # fmt: skip
        check_sound(cell)
        return render(cell)

    def _origin(self, note: Note) -> tuple[str, ...]:
        pairs = [("import", self.source.kind.name), ("path", note.path), ("line", str(note.line or ""))]
        pairs += [("item", note.item), *note.more, ("date", note.day), ("agent", self.wish.agent)]
        return tuple(origin_token(key, escaped(value)) for key, value in pairs if value)

    def _touch(self, new: Collection[str], links: Plan) -> Iterator[str]:
        """Give cells that were there the links and the state that edges to them stand for."""
        touched = []
        for cell_id, own in links.links.items():
            if cell_id in new:
                continue
            place = self.draft.place(cell_id)
            holder = self.draft.target_of(place)
            if cell_id in links.superseded:
                self.draft.edit(holder, set_field(place, "state", "superseded"))
            for link in own:
                self.draft.edit(holder, add_link(place, link))
            touched.append(cell_id)
        return iter(touched)

    def _made(self, targets: Iterable[Target]) -> Iterator[Made]:
        places = {place.cell.id: place for target in targets for place in self.draft.after(target).placed}
        for planned in self.planned:
            place = places[planned.id]
            line = place.document.lines.position(place.start)[0]
            text = place.cell.text.rstrip("\n") + "\n"
            yield Made(planned.id, planned.note, planned.said.gist, place.document.name, line, text)


class _Known:
    """What cells say, for finding a note that is there already."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._said: dict[str, dict[str, str]] = {}
        self.insights: dict[str, str] = {}
        for cell in cells:
            self.add(cell.id, Statement(cell.gist, cell.body))
            if name := insight_of(cell):
                self.insights.setdefault(name, cell.id)

    def add(self, cell_id: str, said: Statement) -> None:
        """Add what a cell says."""
        self._said.setdefault(_same(said.gist), {}).setdefault(_same(" ".join(said.body)), cell_id)

    def find(self, said: Statement) -> str:
        """Return the cell that says all of that already: the same gist, and the same body if there is one to say."""
        bodies = self._said.get(_same(said.gist), {})
        own = _same(" ".join(said.body))
        return bodies.get(own) or (next(iter(bodies.values()), "") if not own else "")

    def alike(self, said: Statement) -> str:
        """Return a cell with the same gist."""
        return next(iter(self._said.get(_same(said.gist), {}).values()), "")


def _same(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def said_by(note: Note) -> Statement:
    """Return gist and body of the cell that ``note`` becomes."""
    text = escaped(note.text)
    said = statement(text)
    if not note.title:
        return said
    title = " ".join(escaped(note.title).split())
    gist = statement(first_clause(title)).gist
    if gist == NOTHING_SAID:
        return said
    body = said.body or ((said.gist,) if said.gist not in (NOTHING_SAID, gist) else ())
    return Statement(gist, body if gist == title else (title, *body))


def _topic(parts: Iterable[str]) -> str:
    slugs = [slug(part)[:_LONGEST_TOPIC].strip("-") for part in parts]
    return "/".join([one for one in slugs if one][-_TOPIC_DEPTH:])


def _cues(note: Note, said: Statement) -> tuple[str, ...]:
    given = [cue for text in note.cues for cue in split_cues(f"{' '.join(escaped(text).split())} /")]
    cues = [cue for cue in dict.fromkeys(given) if is_cue(cue) and len(cue) <= 100][:MOST_CUES]
    if len(cues) < _ENOUGH_CUES:  # a name alone is what many cells are found by
        known = " ".join(cues).casefold()
        derived = derived_cues("\n".join([said.gist, *said.body]), said.gist)
        cues += [cue for cue in derived if cue.casefold() not in known]
    return tuple(cues)
