"""Where links stand in a cell, and which of the known IDs a wrong one may have meant."""

from __future__ import annotations

from mneme.format import ids
from mneme.format.model import Cell, Field
from mneme.lint.rule import Corpus

_WIDEST = 6
"""Numbers are tried with leading zeros up to this many digits."""


def link_field(cell: Cell, index: int) -> Field:
    """Return the place of link number ``index``: from its relation to its last attribute."""
    return [field for field in cell.fields if field.name == "link"][index]


def relation_span(cell: Cell, index: int) -> tuple[int, int]:
    """Return start and end of the relation of link number ``index``."""
    field = link_field(cell, index)
    return field.start, field.start + len(cell.links[index].relation)


def target_span(cell: Cell, index: int) -> tuple[int, int]:
    """Return start and end of the target of link number ``index``."""
    link, text = cell.links[index], cell.text
    start = text.find(link.target)
    if text.find(link.target, start + 1) >= 0:  # only then there is a question
        start = text.index(link.target, link_field(cell, index).start + len(link.relation))
    return start, start + len(link.target)


def meant(target: str, corpus: Corpus) -> str:
    """Return the known ID that ``target`` spells differently: same number, or a look-alike; empty without one."""
    canonical = ids.canonical(target)
    prefix, _, suffix = canonical.partition("-")
    spellings = [canonical]
    if suffix.isascii() and suffix.isdigit():
        bare = suffix.lstrip("0") or "0"
        spellings += [f"{prefix}-{bare.zfill(width)}" for width in range(len(bare), _WIDEST + 1)]
    for spelling in spellings:
        if spelling in corpus.by_id:
            return spelling
        if spelling in corpus.look_alikes:
            return corpus.look_alikes[spelling]
    return ""
