"""MN006: a key that is written wrongly."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.layout import KEY_GAPS
from mneme.format.model import Cell
from mneme.format.slips import GLUE, INVISIBLE, fold
from mneme.format.vocabulary import BLANKS, PAIR_KEYS
from mneme.lint.rule import Batch, Fix, Hit, Settings, on_cells
from mneme.text.patch import Patch
from mneme.text.visible import quote

_SINGLE = frozenset({"gist", *PAIR_KEYS})


@on_cells("MN006", "key-slip")
def KEY_SLIP(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A key in wrong case, with a colon, mistyped or translated: `Gist`, `gist:`, `gits`, `要点`.

    Why: keys are lower case and followed by a blank; anything else is no key, and the field is missing.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        Cue:  too many results

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        cue   too many results

    Fix: wrong case and colons are repaired; any other slip only with --unsafe-fixes.
    """
    for cell, (_, start, end, key) in batch.odd.get("key-slip", ()):
        written = cell.text[start:end].strip(BLANKS)
        message = f"{quote(written)} is not the key {key}, so nobody reads this field"
        if key in _SINGLE and cell.field(key) is not None:
            yield Hit(cell, start, end, f"{message}; the cell has another {key}", "keep one of the two")
            continue
        certain = fold(written.strip(INVISIBLE).rstrip(GLUE)) == key
        fix = Fix(f"write {key}", (_written(cell.text, start, end, key),), safe=certain, repairs=True)
        yield Hit(cell, start, end, message, "keys are lower case, with a blank behind", fix)


def _written(text: str, start: int, end: int, key: str) -> Patch:
    """Return the patch that writes ``key`` for ``text[start:end]``; a line's key gets the blanks it usually has."""
    behind = end
    while text[behind : behind + 1] in (" ", "\t"):
        behind += 1
    if text[behind : behind + 1] in ("", "\r", "\n"):
        return Patch(start, end, key)
    at_line_head = not text[text.rfind("\n", 0, start) + 1 : start].strip(BLANKS + INVISIBLE)
    gap = KEY_GAPS.get(key, " ") if at_line_head else " "
    if behind - end >= len(gap):
        return Patch(start, end, key)
    return Patch(start, behind, key + gap)
