"""What the grammar compiled to, kept from one process to the next: a command that meets no new shape needs no Lark."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import NamedTuple

from mneme.format import grammar
from mneme.text.cachefile import mark, pack, program_mark, read, unpack, write

MAX_SHAPES = 20_000
"""A memo that grew beyond this is begun anew: shapes of broken files are many and never come back."""


class Kept(NamedTuple):
    """Where a memo is kept, and how many shapes it held when it was read."""

    path: Path
    shapes: int


def load(folder: Path) -> Kept:
    """Hand the grammar what an earlier process left in ``folder``, unless this one has begun already."""
    path = folder / f"grammar-{mark(program_mark())}.memo"
    data = read(path)
    value = unpack(data)[0] if data else None
    if value is None:
        return Kept(path, 0)
    memo = grammar.Memo(*value)
    grammar.prime(memo)
    return Kept(path, len(memo.plans))


def save(kept: Kept) -> None:
    """Keep what the grammar has learnt since. Best effort."""
    if not grammar.in_use():  # a command that met no text does not compile it only to say so
        return
    memo = grammar.the_grammar().memo
    if kept.shapes < len(memo.plans) <= MAX_SHAPES:
        write(kept.path, pack(tuple(memo)))
        _prune(kept.path)


def _prune(own: Path) -> None:
    """Drop the memos of programs that are gone."""
    with contextlib.suppress(OSError):  # a folder that may not be entered
        for path in own.parent.glob("grammar-*.memo"):
            if path != own:
                path.unlink(missing_ok=True)
