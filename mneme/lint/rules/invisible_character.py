"""MN602: what the eye does not see, and a reader of bytes does."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Mark, on_texts
from mneme.text.unseen import describe, unseen_in

_NAMED = 3


def _candidates(batch: Batch) -> list[Cell]:
    if "\r" not in batch.blob and not batch.texts.with_controls():
        return batch.exotic
    found = {id(cell): cell for cell in batch.exotic}
    for cell in batch.pick([*batch.texts.with_controls(), *batch.texts.holding("\r")]):
        found[id(cell)] = cell
    return list(found.values())


@on_texts("MN602", "invisible-character", _candidates)
def INVISIBLE_CHARACTER(text: str) -> Iterator[Mark]:  # noqa: N802
    r"""A text holds an invisible or direction-turning character that its script or emoji does not need.

    Joiners inside Arabic, Persian or Indic words and inside emoji are no finding, nor are variation selectors after
    emoji and Han, marks of direction in lines that are written from right to left, or a BOM at the start of the file.

    Why: the text says something else to a program than to whoever reviews it. Instructions are smuggled that way.

    Bad:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQL\u200bite instead of JSON files
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache

    Good:
        @ DEC-0001  storage/cache
        gist  Local cache uses SQLite instead of JSON files 👩‍💻
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   cache

    Fix: none; find out where it comes from, and supersede the cell by one that is typed anew.
    """
    for start, end in unseen_in(text):
        names = list(dict.fromkeys(describe(char) for char in text[start : start + 1000][: end - start]))
        shown = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} other kinds" if len(names) > _NAMED else "")
        count = "an invisible character" if end - start == 1 else f"{end - start} invisible characters"
        yield Mark(start, end, f"{count}: {shown}", "the text may say something else than it shows: type it anew")
