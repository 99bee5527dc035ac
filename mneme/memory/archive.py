"""Moving the past out of the way: superseded and retired cells go, byte for byte, to ``archive/YYYY.mneme``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mneme.errors import EditError, UsageError
from mneme.format.dates import parse_date
from mneme.format.edits import end_of_content, is_blank, newline_of
from mneme.format.model import Document, Placed
from mneme.format.parser import parse
from mneme.memory.draft import Draft, Target, change
from mneme.memory.new_cell import line_of
from mneme.workspace import ARCHIVE, Workspace

PAST_STATES = frozenset({"superseded", "retired"})
"""States that nothing follows: such a cell is history."""

_HEAD = "# Superseded and retired cells that were last seen in {year}, moved here by mneme archive.\n"
_OURS = re.compile(r"#[ \t]*mneme:(?![ \t]*ignore-file)")
"""Comments that speak about the cell below them, and go where it goes."""


class Moved(NamedTuple):
    """A cell with the file it was in, and the one it is in now; ``line`` is that of its header before."""

    id: str
    file: str
    line: int
    to: str
    state: str
    seen: str


class Archived(NamedTuple):
    """What was moved, or would be; and the IDs of cells that stay, since their date cannot be read."""

    moved: list[Moved]
    undated: list[str]


class _Block(NamedTuple):
    """A cell to be moved: ``document.text[start:end]`` is what goes, up to ``after`` is what goes with it."""

    place: Placed
    start: int
    end: int
    after: int

    @property
    def text(self) -> str:
        return self.place.document.text[self.start : self.end]


def archive(
    workspace: Workspace, *, before: date | None = None, dry_run: bool = False,
    ignored: Callable[[Path], bool] = lambda _: False,
) -> Archived:  # fmt: skip
    """Move the shared superseded and retired cells into the archive, all files in one step.

    Args:
        workspace: whose cells.
        before: only cells last seen before this day.
        dry_run: write nothing.
        ignored: whether git ignores a file.

    Raises:
        UsageError: the archive's files would not be part of the workspace.
        MnemeError: a file cannot be read or written; then nothing was.
    """
    if dry_run:
        return _plan(Draft.read(workspace), before, ignored)
    return change(workspace, lambda draft: _plan(draft, before, ignored))


def _plan(draft: Draft, before: date | None, ignored: Callable[[Path], bool]) -> Archived:
    draft.require_all_read()
    workspace = draft.workspace
    moved: list[Moved] = []
    undated: list[str] = []
    arriving: dict[Path, list[_Block]] = {}
    for target in list(draft.targets):
        if target.personal or workspace.is_archive(target.path):
            continue
        blocks = []
        for place in target.document.placed:
            cell = place.cell
            if cell.status.state not in PAST_STATES or any(odd.name == "conflict-marker" for odd in cell.oddities):
                continue
            seen = parse_date(cell.status.seen)
            if seen is None:
                undated.append(cell.id)
            elif before is None or seen < before:
                path = workspace.root / ARCHIVE / f"{seen.year:04d}.mneme"
                block = _block(place)
                blocks.append(block)
                arriving.setdefault(path, []).append(block)
                moved.append(
                    Moved(
                        cell.id, place.document.name, line_of(place), workspace.display(path), cell.status.state,
                        cell.status.seen,
                    )
                )  # fmt: skip
        if blocks:
            draft.rewrite(target, parse(_without(target.document, blocks), name=target.document.name))
    for path, blocks in arriving.items():
        if not workspace.includes(path) or ignored(path):
            raise UsageError(
                f"{workspace.display(path)} would not be part of this memory: it is excluded, or ignored by git",
                "include archive/ in the configuration, and take it out of .gitignore",
            )
        target = draft.target(path)
        draft.rewrite(target, parse(_with(target, path, blocks), name=target.document.name))
    _check(draft)
    return Archived(moved, undated)


def _block(place: Placed) -> _Block:
    """Return what goes: the cell to its last line that says something, and the comments of ours right above it."""
    text = place.document.text
    start = place.start
    floor = place.document.preamble_start
    while start > floor:
        line = text.rfind("\n", 0, start - 1) + 1
        line = max(line, floor)
        if not _OURS.match(text, line):
            break
        start = line
    end = place.start + end_of_content(place.cell)
    after = end
    while after < len(text):
        newline = text.find("\n", after)
        stop = len(text) if newline < 0 else newline + 1
        if not is_blank(text[after:stop]):
            break
        after = stop
    return _Block(place, start, end, after)


def _without(document: Document, blocks: Iterable[_Block]) -> str:
    text = document.text
    kept = []
    at = 0
    for block in blocks:
        kept.append(text[at : block.start])
        at = block.after
    rest = text[at:]
    head = "".join(kept)
    if not rest:  # the last cell went: so do the blank lines before it
        while head.endswith("\n") and is_blank(head[head.rfind("\n", 0, len(head) - 1) + 1 :]):
            head = head[: head.rfind("\n", 0, len(head) - 1) + 1]
    return head + rest


def _with(target: Target, path: Path, blocks: Iterable[_Block]) -> str:
    text = target.document.text if target.source else _HEAD.format(year=path.stem)
    for block in blocks:
        newline = newline_of(text)
        if text and not text.endswith("\n"):
            text += newline
        text += newline + block.text
    return text if text.endswith("\n") else text + newline_of(text)


def _check(draft: Draft) -> None:
    """Refuse to write unless every cell is still there, as it was."""
    before = Counter(_cells(target.document for target in draft.targets))
    after = Counter(_cells(draft.after(target) for target in draft.targets))
    if before != after:
        lost = next(iter((before - after) or (after - before)))
        raise EditError(
            f"moving would change the cell {lost.split()[1]}; nothing was written", "please report this with its text"
        )


def _cells(documents: Iterable[Document]) -> Iterable[str]:
    for document in documents:
        for cell in document.cells:
            yield cell.text[: end_of_content(cell)].removesuffix("\n").removesuffix("\r")
