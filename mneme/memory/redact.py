"""Blanking what a cell says: the one change of content there is, for what must not be kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mneme.errors import EditError, UsageError
from mneme.format.digest import content_digest
from mneme.format.edits import end_of_content, newline_of
from mneme.format.model import Cell, Placed
from mneme.format.parser import parse
from mneme.history.content import content
from mneme.history.notes import REDACTED, Note, note_line
from mneme.memory.draft import Draft, change
from mneme.text.patch import Patch, apply
from mneme.text.visible import visible
from mneme.workspace import Workspace

FIELDS = ("topic", "gist", "cue", "body", "origin")
"""What can be blanked."""

_NOTE = re.compile(r"#[ \t]*mneme:[ \t]*(?:redacted|renumbered)[ \t]*\[")


class Redacted(NamedTuple):
    """What was blanked, where, and how many files of the cache were thrown away."""

    cell_id: str
    fields: tuple[str, ...]
    path: str
    line: int
    digest: str
    purged: int


def redact(
    workspace: Workspace, cell_id: str, fields: Sequence[str], reason: str, today: date, cache: Path | None
) -> Redacted:
    """Replace what a cell says by ``[redacted]``; a comment keeps the digest of what it was, the day and the reason.

    Without ``fields``, every field of content but the topic, and with them the cell's comments and the lines that no
    reader takes in. Everything that this program keeps elsewhere is thrown away: it is found again.

    Raises:
        UsageError: no such cell, a field that it has not, nothing left to blank, or a reason of several lines.
        MnemeError: it could not be written; then nothing was.
    """
    if not reason.strip() or "\n" in reason or "\r" in reason:
        raise UsageError("--reason is one line that says why", "it stays in the file: do not quote the text")

    def plan(draft: Draft) -> Redacted:
        place = draft.place(cell_id)
        target = draft.target_of(place)
        chosen = _chosen(place.cell, fields)
        digest = content_digest(place.cell)
        note = note_line(Note("redacted", chosen, digest), f"{today.isoformat()} {reason.strip()}")
        text = _blanked(place, chosen, note, whole=not fields)
        after = parse(text, name=place.document.name)
        _check(place, after.cells, chosen)
        draft.rewrite(target, after)
        line = place.document.lines.position(place.start)[0]
        return Redacted(cell_id, chosen, place.document.name, line, digest, 0)

    done = change(workspace, plan)
    return done._replace(purged=purge(cache) if cache else 0)


def _chosen(cell: Cell, fields: Sequence[str]) -> tuple[str, ...]:
    for name in fields:
        if not content(cell, name):
            has = ", ".join([other for other in FIELDS if content(cell, other)])
            raise UsageError(f"{visible(cell.id)} has no {name}", f"it has {has}" if has else "")
    wanted = [name for name in FIELDS if (not fields and name != "topic") or name in fields]
    chosen = tuple([name for name in wanted if content(cell, name) and set(content(cell, name)) != {REDACTED}])
    if not chosen:
        raise UsageError(f"nothing is left to blank in {visible(cell.id)}", "mneme show shows it")
    return chosen


def _blanked(place: Placed, chosen: Sequence[str], note: str, *, whole: bool) -> str:
    """Return the text of the file with the fields blanked: the first line of each, the others of it are gone."""
    cell, document, start = place
    text = cell.text
    patches: list[Patch] = []
    done: set[str] = set()
    spoken: set[int] = {0}
    for field in cell.fields:
        spoken.add(field.line)
        if field.name not in chosen:
            continue
        if field.name not in done or field.name == "topic":
            patches.append(Patch(field.start, field.end, REDACTED))
        else:
            patches.append(Patch(field.line, _next_line(text, field.line), ""))
        done.add(field.name)
    if whole:
        patches += _unspoken(cell, spoken)
    head = _next_line(text, 0)
    newline = newline_of(document.text, start + head)
    line = f"{note}{newline}" if text[head - 1 : head] == "\n" else f"{newline}{note}"
    patches.append(Patch(head, head, line))
    return apply(document.text, [Patch(start + one, start + two, new) for one, two, new in patches])


def _unspoken(cell: Cell, spoken: set[int]) -> list[Patch]:
    """Return patches that take away comments and unread lines inside of a cell: they may quote what is blanked."""
    found = []
    text, end = cell.text, end_of_content(cell)
    at = _next_line(text, 0)
    while at < end:
        following = _next_line(text, at)
        line = text[at:following]
        if at not in spoken and line.strip() and not _NOTE.match(line):
            found.append(Patch(at, following, ""))
        at = following
    return found


def _next_line(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def _check(place: Placed, after: Sequence[Cell], chosen: Sequence[str]) -> None:
    """Make sure that nothing else has changed."""
    cell, document, _ = place
    index = next(at for at, other in enumerate(document.cells) if other is cell)
    new = after[index] if index < len(after) else None
    rest = [other for at, other in enumerate(document.cells) if at != index]
    fine = (
        new is not None
        and [other for at, other in enumerate(after) if at != index] == rest
        and (new.id, new.status, new.links) == (cell.id, cell.status, cell.links)
        and new.since == cell.since
        and all(content(new, name) == ((REDACTED,) if name in chosen else content(cell, name)) for name in FIELDS)
    )
    if not fine:
        raise EditError(
            f"{document.name}: {visible(cell.id)} cannot be blanked by itself; nothing was written",
            "repair the cell first (mneme lint), or edit it by hand",
        )


def purge(cache: Path) -> int:
    """Throw away whatever this program keeps in its cache folder, and return how many files that were."""
    count = 0
    try:
        paths = [path for path in cache.iterdir() if path.is_file()]
    except OSError:
        return 0
    for path in paths:
        try:
            path.unlink()
        except OSError as error:
            raise EditError(f"{path} cannot be deleted: {error.strerror}", "delete it: it may quote the cell") from None
        count += 1
    return count
