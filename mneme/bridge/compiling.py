"""The compile as a command: text read and checked, the store opened, brought up to date, and what happened reported."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mneme.bridge.bound import ROOT, BoundStore
from mneme.bridge.compile import ContentMove, Delta, Progress, against, apply, compare, sound
from mneme.bridge.mapping import fingerprint
from mneme.bridge.reading import existing
from mneme.bridge.structure import structural
from mneme.bridge.text import Text
from mneme.errors import ExitCode, MnemeError, UsageError
from mneme.graph.places import DEFAULT, FOLDER, Places
from mneme.graph.store import (
    NoSuchStore,
    Reader,
    Store,
    StoreCorrupt,
    damaged,
    memory_store,
    open_store,
    read,
    set_aside,
    tidy,
)
from mneme.workspace import git_top

if TYPE_CHECKING:
    from mneme.lint.engine import Report


class ContentRefused(MnemeError):
    """Cells whose content is not what was compiled, outside of git: nobody else would notice."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, moves: Collection[ContentMove]) -> None:
        names = ", ".join(move.id for move in moves)
        super().__init__(
            f"the content of {names} was edited, and content never changes; nothing was compiled",
            "write a new cell that supersedes it (mneme supersede), or say that it is right: "
            + " ".join(f"--accept-content {move.id}" for move in moves),
        )
        self.moves = tuple(moves)


class Outcome(NamedTuple):
    """What a compile did, or would do: ``delta`` against the store before, how many cells and edges it holds.

    ``report`` holds the findings for which nothing was compiled; ``moves`` are changes of content that went in.
    ``set_aside`` is where a file that was no store any more was moved to.
    """

    bound: BoundStore
    delta: Delta
    cells: int = 0
    edges: int = 0
    report: Report | None = None
    moves: tuple[ContentMove, ...] = ()
    set_aside: Path | None = None
    remarks: tuple[str, ...] = ()

    @property
    def unreadable(self) -> bool:
        """Whether a file could not be read at all."""
        return self.report is not None and bool(self.report.unreadable)


NOTHING = Delta((), (), (), (), ())


def compile_store(
    bound: BoundStore,
    *,
    today: date,
    now: datetime,
    check: bool = False,
    rebuild: bool = False,
    accept: Collection[str] = (),
    progress: Progress | None = None,
    after: Callable[[Store], None] | None = None,
) -> Outcome:
    """Bring a store up to date with its text; ``check``: only say what there is to do.

    ``rebuild`` works everything out anew, rows of other programs kept. ``accept`` are IDs of cells whose content may
    have changed. ``after`` is called in the same transaction.

    Raises:
        ContentRefused: outside of git the content of a cell was edited.
        UsageError: the store has no text, or belongs to another workspace.
        StoreError: the store cannot be opened, read or written.
    """
    moved = () if check else _moved(bound)
    text, known, plain = _sources(bound, rebuild=rebuild)
    if known is False and not rebuild and after is None:
        if not check:
            tidy(bound.path)
        return Outcome(bound, NOTHING)
    report = None if plain else structural(text.documents, text.unreadable, today)
    if report is not None:
        return Outcome(bound, NOTHING, report=report)
    if check:
        delta = _compared(bound, text)
        return Outcome(bound, delta, len(text.members), moves=delta.moves)
    if bound.name:
        keep_out_of_git(bound)
    set_aside = _set_aside(bound.path) if rebuild else None
    with open_store(bound.path, now=now.strftime("%Y-%m-%dT%H:%M:%SZ")) as store:
        with store.transaction():
            compiled = store if store.meta(ROOT) else None  # one that was made just now knows of no files
            fresh = Text.read(bound.workspace, _wanted(bound, compiled), root=text.root)
            if fresh.digests != text.digests:  # somebody wrote since, and may have compiled that already
                text, report = fresh, structural(fresh.documents, fresh.unreadable, today)
                if report is not None:
                    return Outcome(bound, NOTHING, report=report)
            members, stood = (text.members, None) if rebuild else against(store, text)
            delta = compare(store, members, bound.workspace.config, stood)
            if rebuild:
                delta = delta._replace(everything=True)
            _refuse(text, delta.moves, accept)
            apply(
                store, members, delta, bound.workspace.config, now=now, files=text.digests, progress=progress
            )  # fmt: skip
            store.set_meta(ROOT, str(text.root))
            if after is not None:
                after(store)
        return Outcome(
            bound, delta, len(members), store.totals()["edges"], None, delta.moves, set_aside,
            (*moved, *store.remarks),
        )  # fmt: skip


def refuse_without_text(bound: BoundStore, reader: Reader | None) -> None:
    """Refuse a store that is not compiled from this workspace's text; ``reader`` is the store as it is, if it is.

    Raises:
        UsageError: it has no text, or belongs to another workspace.
    """
    if reader is None:
        if not bound.has_text(None):
            raise UsageError(f"there is no store {bound.name}", "mneme store list names those there are")
        return
    if elsewhere := bound.belongs_elsewhere(reader):
        raise UsageError(
            f"{bound.path} was compiled from another workspace: {elsewhere}",
            "give this one a store of its own: --store NAME, or --data-dir",
        )
    if not bound.has_text(reader):
        raise UsageError(
            f"the store {bound.name or bound.path} has no text: another program's is read, not compiled",
            "mneme from-store turns it into cells",
        )


def _sources(bound: BoundStore, *, rebuild: bool) -> tuple[Text, bool | None, bool]:
    """Return the text, whether the store is behind it (None: not known), and whether it plainly can be compiled."""

    def look(reader: Reader) -> tuple[Text, bool | None, bool]:
        refuse_without_text(bound, reader)
        text = Text.read(bound.workspace, _wanted(bound, reader), root=bound.root(reader))
        same = text.digests == reader.files() and reader.meta("mapping") == fingerprint(bound.workspace.config)
        behind = not same or bool(reader.touched()) or reader.meta(ROOT) != str(text.root)
        return text, behind, not rebuild and sound(reader, text)

    try:
        return read(bound.path, look)
    except NoSuchStore:
        refuse_without_text(bound, None)
    except StoreCorrupt:
        if not rebuild:
            raise
    return Text.read(bound.workspace, _wanted(bound, None)), None, False


def _moved(bound: BoundStore) -> tuple[str, ...]:
    """Move a store of the time before there were several to where the default one lies; say so."""
    if bound.name != DEFAULT:
        return ()
    new = Places(bound.path.parents[2]).move_legacy()
    return () if new is None else (f"the store of before there were several was moved: {new}",)


def _wanted(bound: BoundStore, reader: Reader | None) -> list[Path]:
    files = bound.files(reader)
    return files if bound.given is not None else existing(files)


def _compared(bound: BoundStore, text: Text) -> Delta:
    config = bound.workspace.config
    try:
        return read(bound.path, lambda reader: compare(reader, text.members, config))
    except NoSuchStore:
        with memory_store() as empty:
            return compare(empty, text.members, config)


def _refuse(text: Text, moves: Collection[ContentMove], accept: Collection[str]) -> None:
    """Refuse edited content where git does not keep the versions."""
    inside: dict[str, bool] = {}
    refused = []
    for move in moves:
        if move.path not in inside:
            inside[move.path] = git_top((text.root / move.path).parent) is not None
        if not inside[move.path] and move.id not in accept:
            refused.append(move)
    if refused:
        raise ContentRefused(refused)


def keep_out_of_git(bound: BoundStore) -> None:
    """Give the folder of the stores beside a workspace a ``.gitignore`` of its own, unless it has one."""
    base = bound.path.parents[2]
    if base.name != FOLDER:
        return
    path = base / ".gitignore"
    with contextlib.suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            half = path.with_name(".gitignore.new")  # a process that dies leaves no empty one, which would hide nothing
            half.write_text("# Derived from the memory files; made by mneme compile.\n*\n", encoding="utf-8")
            half.replace(path)


def _set_aside(path: Path) -> Path | None:
    """Move a file that is no store any more out of the way; return where it is, None when the store is sound."""
    try:
        return set_aside(path) if damaged(path) else None
    except NoSuchStore:
        return None
