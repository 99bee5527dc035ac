"""The three files of hot memory, ``memories.json`` with ``USER.md`` and ``MEMORY.md``: read, worked out, written.

The cells are the truth. A ledger notes what was written last, so that what somebody else did there can be told.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from mneme.bridge.hot.records import TARGETS, Record, dump, importance_of, load, revision, stamp
from mneme.bridge.projection.packing import fill
from mneme.errors import EditError
from mneme.format.entry import MEMORY, USER, Entry, entries, read_line, render, used_bytes
from mneme.format.model import Cell
from mneme.memory.projection import NAMES, Asked, Material
from mneme.text.create_lock import PATIENCE, created
from mneme.text.files import make_folders, refuse_unwritable, sweep
from mneme.text.private import replace_private
from mneme.workspace import Workspace, World

JSON = "memories.json"
LOCK = ".memories.lock"
Cells = Sequence[tuple[Cell, bool]]
"""Cells in the order of the text, each with: is it personal."""


class Noted(NamedTuple):
    """A record that was written, and the cell it was made of."""

    id: str
    record: Record


class Ledger(NamedTuple):
    """What was written last. ``coming``: what was to be written when the command was cut; None: none was."""

    written: tuple[Noted, ...] = ()
    coming: tuple[Noted, ...] | None = None


class Files(NamedTuple):
    """What the folder holds; None where a file is missing."""

    texts: Mapping[str, bytes | None]
    records: list[Record]
    ledger: Ledger

    @property
    def has_records(self) -> bool:
        """Whether there is a ``memories.json``."""
        return self.texts[JSON] is not None

    def text(self, target: str) -> str:
        """Return USER.md or MEMORY.md as text, empty when there is none.

        Raises:
            EditError: it is no UTF-8 text.
        """
        try:
            return (self.texts[NAMES[target]] or b"").decode("utf-8")
        except UnicodeDecodeError:
            raise EditError(
                f"{NAMES[target]} is no UTF-8 text; nothing was changed", "repair it, or delete it"
            ) from None


class Planned(NamedTuple):
    """What the folder is to hold."""

    noted: tuple[Noted, ...]
    texts: Mapping[str, str]
    left_out: Mapping[str, list[str]]
    hot: Mapping[str, list[Entry]]
    """All entries of a target, those that do not fit too."""
    personal_out: int

    @property
    def records(self) -> list[Record]:
        """The records of ``memories.json``."""
        return [noted.record for noted in self.noted]

    @property
    def revision(self) -> str:
        """The revision of the file."""
        return revision(self.records)

    def used(self, target: str) -> int:
        """Return the bytes of all entries of a target."""
        return used_bytes(entry.text for entry in self.hot[target])


class HotFolder:
    """``<base>/runtime``, and the ledger in ``<base>/state``."""

    def __init__(self, workspace: Workspace, base: Path, environ: Mapping[str, str], *, patience: float = PATIENCE):
        self.workspace = workspace
        self.base = base
        self.folder = base / "runtime"
        self.environ = environ
        self.patience = patience
        settings = workspace.config.projections
        self.limits = {USER: settings.user_limit, MEMORY: settings.memory_limit}

    @property
    def _ledger(self) -> Path:
        return self.base / "state" / "hot-memory.json"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock that hosts take, too.

        Raises:
            EditError: it cannot be had in time.
        """
        try:
            for folder in (self.folder, self._ledger.parent):
                if not folder.exists():
                    make_folders(folder)
                    folder.chmod(0o700)
        except OSError as error:
            raise EditError(f"{error.filename or self.folder}: {error.strerror}; nothing was written") from None
        with created(self.folder / LOCK, patience=self.patience):
            yield

    def read(self) -> Files:
        """Return what the folder holds.

        Raises:
            EditError: a file cannot be read, or ``memories.json`` is wrong.
        """
        texts = {name: _bytes(self.folder / name) for name in (*NAMES.values(), JSON)}
        data = texts[JSON]
        name = self.workspace.display(self.folder / JSON)
        return Files(texts, [] if data is None else load(data, name), self._read_ledger())

    def _read_ledger(self) -> Ledger:
        try:
            data = json.loads(self._ledger.read_bytes())
            written, coming = data["entries"], data["next"]
            return Ledger(_noted(written), None if coming is None else _noted(coming))
        except (OSError, ValueError, KeyError, TypeError):
            return Ledger()  # nothing is known of what was written: then nothing counts as taken away by somebody

    def plan(self, cells: Cells, files: Files, today: date, now: datetime) -> Planned:
        """Return what the folder is to hold for these cells; records that stay keep their times."""
        by_id = {cell.id: cell for cell, _ in cells}
        noted: list[Noted] = []
        texts: dict[str, str] = {}
        left_out: dict[str, list[str]] = {}
        found = {target: entries(cells, self.workspace.config, target) for target in TARGETS}
        personal = sum(entry.personal for target in TARGETS for entry in found[target])
        if personal and not self._private():
            found = {target: [entry for entry in found[target] if not entry.personal] for target in TARGETS}
        else:
            personal = 0
        before = _Before(files.records)
        for target in TARGETS:
            filled = fill(found[target], self.limits[target])
            texts[NAMES[target]] = render(filled.texts)
            left_out[target] = [entry.id for entry in filled.left_out]
            noted += [
                Noted(entry.id, before.record(entry, by_id[entry.id], target, today, now)) for entry in filled.kept
            ]
        texts[JSON] = dump([one.record for one in noted])
        return Planned(tuple(noted), texts, left_out, found, personal)

    def _private(self) -> bool:
        material = Material(self.workspace, World([], []), Asked(), self.environ)
        return all(material.is_private(self.folder / name) for name in (*NAMES.values(), JSON))

    def behind(self, files: Files, planned: Planned) -> list[str]:
        """Return the files that are not what they are to be, in the order of writing."""
        return [name for name, text in planned.texts.items() if files.texts[name] != text.encode("utf-8")]

    def write(self, files: Files, planned: Planned) -> list[str]:
        """Write what is behind: USER.md, MEMORY.md, ``memories.json`` last. Returns their names.

        Raises:
            Moved: somebody wrote there since it was read.
            EditError: a file cannot be written.
        """
        behind = self.behind(files, planned)
        settled = Ledger(planned.noted)
        if not behind and files.ledger == settled:
            return []
        changes = {self.folder / name: planned.texts[name].encode("utf-8") for name in behind}
        try:
            sweep([self.folder, self._ledger.parent], (*NAMES.values(), JSON, self._ledger.name))
            for path in changes:
                refuse_unwritable(path)
            if behind:
                self._note(Ledger(files.ledger.written, planned.noted))
            if any(_bytes(self.folder / name) != data for name, data in files.texts.items()):
                raise Moved
            replace_private(changes)
            self._note(settled)
        except OSError as error:
            raise EditError(f"{error.filename or self.folder}: {error.strerror}") from None
        return behind

    def _note(self, ledger: Ledger) -> None:
        data = {
            "version": 1,
            "entries": _data(ledger.written),
            "next": None if ledger.coming is None else _data(ledger.coming),
        }
        replace_private({self._ledger: (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()})


class Moved(Exception):
    """Somebody wrote to the folder while it was being brought up to date."""


class _Before:
    """The records that stood there: their times go on."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._by_text = {(record.target, record.content): record for record in records}
        named = ((read_line(record.content), record) for record in records)
        self._by_id = {line.id: record for line, record in named if line is not None}

    def record(self, entry: Entry, cell: Cell, target: str, today: date, now: datetime) -> Record:
        importance = importance_of(entry.importance)
        same = self._by_text.get((target, entry.text))
        if same is not None:
            updated = same.updated_at if same.importance == importance else stamp(now)
            return same._replace(importance=importance, updated_at=updated)
        older = [cell.id, *(link.target for link in cell.links if link.relation == "supersedes")]
        for known in older:
            if known in self._by_id:
                return Record(entry.text, self._by_id[known].created_at, stamp(now), target, importance)
        if cell.since == today.isoformat():
            return Record(entry.text, stamp(now), stamp(now), target, importance)
        day = f"{cell.since}T00:00:00.000Z"
        return Record(entry.text, day, day, target, importance)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EditError(f"{path}: {error.strerror}; nothing was changed") from None


def _data(noted: Sequence[Noted]) -> list[dict[str, object]]:
    return [{"id": one.id, **one.record.data()} for one in noted]


def _noted(data: Sequence[Mapping[str, object]]) -> tuple[Noted, ...]:
    found = []
    for one in data:
        texts = [str(one[name]) for name in ("content", "created_at", "updated_at", "target", "importance")]
        branches = one.get("branches")
        known = tuple(map(str, branches)) if isinstance(branches, list) else None
        found.append(Noted(str(one["id"]), Record(texts[0], texts[1], texts[2], texts[3], texts[4], known)))
    return tuple(found)
