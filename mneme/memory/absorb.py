"""What somebody else did to hot memory comes back as cells: entries added, replaced, gone; text written by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mneme.bridge.hot.records import NORMAL, TARGETS, Record, importance_of
from mneme.bridge.projection.hand import part
from mneme.bridge.projection.packing import is_note
from mneme.config import Config
from mneme.format.entry import ITEM_LIMIT, MARK, Entry, entries, inert, is_hot, normalise, read_line, target_of
from mneme.format.model import Cell
from mneme.format.vocabulary import WORKING_STATES
from mneme.memory.hot_files import Cells, Files, Noted
from mneme.memory.projection import NAMES
from mneme.text.visible import visible

ADDED, REPLACED, VANISHED, WEIGHED, RESTORED, ASIDE = "added", "replaced", "vanished", "weighed", "restored", "aside"
JSON_NAME = "memories.json"
_HELD = ("proposed", *WORKING_STATES)
_REFERENCES = (("&sect;", MARK), ("&#64;", "@"), ("&lt;", "<"), ("&gt;", ">"))


class Change(NamedTuple):
    """One thing that somebody did, and what it means for the cells.

    ``kind``: ``added`` a new cell; ``replaced`` a new cell supersedes ``id``; ``vanished`` ``id`` gets ``hot no``;
    ``weighed`` ``id`` gets another importance; ``restored`` ``id`` is hot again; ``aside`` both sides changed ``id``:
    the text wins, and what was written is kept as a proposal.
    """

    kind: str
    target: str
    content: str
    source: str
    id: str = ""
    importance: str = NORMAL
    new_id: str = ""


@dataclass
class View:
    """The cells, as entries."""

    cells: Cells
    config: Config
    by_id: dict[str, Cell] = field(init=False)
    hot: dict[str, dict[str, Entry]] = field(init=False)
    """Entries by text, for each target."""
    by_gist: dict[tuple[str, str], Cell] = field(init=False)
    gists: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.by_id = {cell.id: cell for cell, _ in self.cells}
        found = {target: entries(self.cells, self.config, target) for target in TARGETS}
        self.hot = {target: {entry.text: entry for entry in found[target]} for target in TARGETS}
        self.by_gist = {}
        for cell, _ in self.cells:
            if cell.status.state in _HELD:
                key = target_of(cell.id, self.config), inert(cell.gist)
                if key not in self.by_gist or is_hot(cell):
                    self.by_gist[key] = cell
        self.gists = {inert(cell.gist) for cell, _ in self.cells}


def compare(files: Files, view: View) -> list[Change]:
    """Return what somebody did since the files were written, each cell at most once."""
    found = _Comparison(files, view)
    found.records()
    for target in TARGETS:
        found.paragraphs(target)
    return found.changes


class _Comparison:
    def __init__(self, files: Files, view: View) -> None:
        self.files = files
        self.view = view
        ledger = files.ledger
        self.base = {(one.record.target, one.record.content): one for one in (*ledger.written, *(ledger.coming or ()))}
        sure = {(one.record.target, one.record.content) for one in ledger.written}
        if ledger.coming is not None:
            sure &= {(one.record.target, one.record.content) for one in ledger.coming}
        self.sure = sure
        self.changes: list[Change] = []
        self.handled: set[tuple[str, str]] = set()
        self.touched: set[str] = set()
        self.coming: set[tuple[str, str]] = set()
        """What new cells will say."""

    def records(self) -> None:
        """Compare ``memories.json``."""
        records = self.files.records
        present = {(record.target, record.content) for record in records}
        gone = {
            key: one for key, one in self.base.items()
            if key in self.sure and key not in present and one.record.content in self.view.hot[one.record.target]
        } if self.files.has_records else {}  # fmt: skip
        strangers: list[Record] = []
        for record in records:
            key = record.target, record.content
            if record.content in self.view.hot[record.target]:
                self._weigh(record)
            elif key not in self.base:
                strangers.append(record)
        named = [record for record in strangers if self._names_a_cell(record.content, record.target)]
        for record in named:
            self._named(record.content, record.target, JSON_NAME, record.importance)
        for record in strangers:
            if record in named:
                continue
            old = self._replaced(record, [one for one in gone.values() if one.id not in self.touched])
            if old and not self._is_said(record.target, record.content):
                self.handled.add((record.target, record.content))
                self._change(Change(REPLACED, record.target, record.content, JSON_NAME, old, record.importance))
            else:
                self._new(record.content, record.target, JSON_NAME, record.importance)
        for one in gone.values():
            self._change(Change(VANISHED, one.record.target, one.record.content, JSON_NAME, one.id))

    def _replaced(self, record: Record, gone: Sequence[Noted]) -> str:
        """Return the ID of the entry that ``record`` took the place of: it has its time of creation, later changed."""
        same = [
            one for one in self.base.values()
            if one in gone and one.record.created_at == record.created_at and one.record.target == record.target
        ]  # fmt: skip
        if len(same) > 1:
            mine = [other for other in self.files.records if other.target == record.target]
            theirs = [one.record.content for one in self.files.ledger.written if one.record.target == record.target]
            at = mine.index(record)
            same = [one for one in same if at < len(theirs) and theirs[at] == one.record.content]
        if len(same) != 1 or record.updated_at == same[0].record.updated_at:
            return ""
        return same[0].id

    def _weigh(self, record: Record) -> None:
        noted = self.base.get((record.target, record.content))
        entry = self.view.hot[record.target][record.content]
        if noted is None or record.importance in (noted.record.importance, importance_of(entry.importance)):
            return
        changed_here = importance_of(entry.importance) != noted.record.importance
        if changed_here and record.updated_at[:10] < entry.seen.isoformat():
            return  # both sides: the newer counts
        self._change(Change(WEIGHED, record.target, record.content, JSON_NAME, entry.id, record.importance))

    def paragraphs(self, target: str) -> None:
        """Compare USER.md or MEMORY.md: what stands there besides entries of ours."""
        text = self.files.text(target)
        parted = part(text, lambda line: self._is_ours(line, target))
        for paragraph in _paragraphs(parted.hand):
            content = normalise(paragraph)
            if (target, content) in self.handled or self._is_ours(content, target):
                continue
            if self._names_a_cell(content, target):
                self._named(content, target, NAMES[target], NORMAL)
            else:
                self._new(content, target, NAMES[target], NORMAL)

    def _is_ours(self, line: str, target: str) -> bool:
        if line in self.view.hot[target] or is_note(line) or (target, line) in self.base:
            return True
        said = read_line(line)
        return said is not None and said.id in self.view.by_id and said.gist in self.view.gists

    def _names_a_cell(self, content: str, target: str) -> bool:
        said = read_line(content)
        return said is not None and said.id in self.view.by_id and target_of(said.id, self.view.config) == target

    def _named(self, content: str, target: str, source: str, importance: str) -> None:
        """Somebody wrote ``[ID] text``, and the cell says something else."""
        said = read_line(content)
        assert said is not None
        self.handled.add((target, content))
        cell = self.view.by_id[said.id]
        if not normalise(said.gist) or said.gist == inert(cell.gist):
            return
        if self._is_said(target, said.gist):
            return
        kind = REPLACED if cell.status.state in WORKING_STATES else ASIDE
        text = said.gist
        for reference, char in _REFERENCES:
            text = text.replace(reference, char)
        self._change(Change(kind, target, text, source, cell.id, importance))

    def _new(self, content: str, target: str, source: str, importance: str) -> None:
        self.handled.add((target, content))
        known = self.view.by_gist.get((target, inert(content)))
        if known is None:
            self._change(Change(ADDED, target, content, source, importance=importance))
        elif known.status.hot == "no" and known.status.state in WORKING_STATES:
            self._change(Change(RESTORED, target, content, source, known.id, importance))

    def _is_said(self, target: str, content: str) -> bool:
        """Whether a cell says that already, or will."""
        key = target, inert(content)
        return key in self.view.by_gist or key in self.coming

    def _change(self, change: Change) -> None:
        new = change.kind in (ADDED, REPLACED, ASIDE)
        key = change.target, inert(change.content)
        if new and key in self.coming:
            return
        if change.id in self.touched and change.kind == REPLACED:
            change = change._replace(kind=ASIDE)  # a second new text for one cell: kept, and settled by somebody else
        elif change.id and change.id in self.touched and change.kind != ASIDE:
            return
        if new:
            self.coming.add(key)
        if change.id:
            self.touched.add(change.id)
        self.changes.append(change)


def _paragraphs(hand: str) -> Iterator[str]:
    """Return what was written by hand, piece by piece: at separators, blank lines, and where a list item begins."""
    piece: list[str] = []
    for line in [*hand.replace("\r\n", "\n").split("\n"), ""]:
        bare = line.strip()
        begins = bare.startswith(("- ", "* ", "+ ", "# ", "## ", "### ")) or (bool(piece) and piece[-1].startswith("#"))
        if piece and (not bare or bare == MARK or begins):
            yield " ".join(piece)
            piece = []
        if bare and bare != MARK:
            piece.append(bare[2:].strip() if bare.startswith(("- ", "* ", "+ ")) else bare)
        piece = [part for part in piece if part]


def storable(content: str) -> str:
    """Return what a host wrote as a cell can hold it: no separator, no control characters, no half pairs."""
    clean = normalise(content).replace(MARK, "&sect;")
    return clean if clean.isprintable() else visible(clean)


def fits(content: str) -> bool:
    """Whether ``content`` may be one entry."""
    return len(content.encode("utf-8", "surrogatepass")) <= ITEM_LIMIT
