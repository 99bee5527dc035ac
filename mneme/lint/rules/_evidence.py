"""What the rules about evidence share: which doubts are theirs, and where a cell names what it leans on."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.doubt import Doubt, Kind
from mneme.lint.rule import Corpus, Hit


def doubts(corpus: Corpus, *kinds: Kind) -> Iterator[Doubt]:
    """Yield the doubts of these kinds."""
    return (doubt for doubt in corpus.evidence.doubts if doubt.kind in kinds)


def hit(doubt: Doubt, hint: str) -> Hit[Placed]:
    """Return the finding for a doubt, where the cell names the path first below its head."""
    text = doubt.place.cell.text
    start = text.find(doubt.reference.text, text.find("\n") + 1)
    span = (start, start + len(doubt.reference.text)) if start >= 0 else doubt.place.cell.span("gist")
    return Hit(doubt.place, *span, f"{doubt.place.cell.id}: {doubt.words}", hint)
