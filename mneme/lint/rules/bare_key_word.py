"""MN015: a word in a ref or origin line that other readers take for a key."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.format.vocabulary import BLANKS
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.text.lazy import lazy

_KEY_WORDS = frozenset({"state", "conf", "since", "seen", "gist", "cue", "link"})
_WORD = lazy(f"[^{BLANKS}\r\n]+")


@on_cells("MN015", "bare-key-word")
def BARE_KEY_WORD(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """A `ref` or `origin` line holds a word like `state` or `seen` by itself.

    Why: readers that do not know these lines look for key words anywhere in them, and would set the field to the word
    that follows.

    Bad:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        ref   src/api.py state retired

    Good:
        @ DEC-0001  api/paging
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging / limits
        ref   src/api.py ./state ./retired

    Fix: none; write a path as `./state`, and origin words as `key=value`.
    """
    for cell in batch.cells:
        if (cell.origin or cell.status.refs) and not _KEY_WORDS.isdisjoint(cell.origin + cell.status.refs):
            yield from _hits(cell)


def _hits(cell: Cell) -> Iterator[Hit[Cell]]:
    for name, _, start, end in cell.fields:
        if name not in ("ref", "origin"):
            continue
        for match in _WORD.finditer(cell.text, start, end):
            word = match[0]
            if word in _KEY_WORDS:
                hint = f"write the path as ./{word}" if name == "ref" else "origin words are written as key=value"
                yield Hit(cell, *match.span(), f"the word {word} in the {name} line is a key to other readers", hint)
