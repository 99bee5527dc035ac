"""MN013: words on a state or link line that mean nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.format.vocabulary import PAIR_KEYS, REQUIRED_FIELDS
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.visible import quote


@on_cells("MN013", "unknown-token")
def UNKNOWN_TOKEN(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A word on a state line that is no key, or a key without a value; the same for what follows the ID of a link.

    Why: it is skipped. The value that was meant is not set.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20   urgent
        cue   paging / limits

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20   imp 5
        cue   paging / limits

    Fix: none; remove it, or write the key that belongs to it.
    """
    for cell, (_, start, end, nearest) in batch.odd.get("unknown-token", ()):
        word = cell.text[start:end]
        if word != nearest:
            hint = f"did you mean {nearest}?" if nearest else f"the keys of this line: {', '.join(PAIR_KEYS)}"
            yield Hit(cell, start, end, f"{quote(word, 40)} means nothing on a state line", hint)
        elif word not in PAIR_KEYS:
            hint = "behind the ID of a link stand pairs of key and value"
            yield Hit(cell, start, end, f"{quote(word, 40)} on a link has no value", hint)
        elif word not in REQUIRED_FIELDS or cell.field(word) is not None:  # else missing-field speaks of it
            yield Hit(cell, start, end, f"{word} has no value", "the value is the next word on the line")
