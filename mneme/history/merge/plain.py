"""Merge by lines, for texts that cells do not explain."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.history.merge.items import split_lines
from mneme.history.merge.lines import Hunk, Region, joined, merge_lines
from mneme.history.merge.result import Merged
from mneme.history.merge.values import Texts


def merge_plainly(texts: Texts) -> Merged:
    """Merge by lines, and leave at least one conflict: nobody knows what such a merge says."""
    base, one, two = (split_lines(text if text.endswith("\n") else f"{text}\n") for text in texts)
    start, end = _same_ends(base, one, two)
    parts = [lines[start : len(lines) - end] for lines in (base, one, two)]
    pieces = merge_lines(parts[0], parts[1], parts[2], _decide)
    if not any(isinstance(piece, Region) for piece in pieces):
        pieces = [Region(*("".join(lines) for lines in parts))]
    return Merged(tuple(joined(["".join(one[:start]), *pieces, "".join(one[len(one) - end :])])))


def _same_ends(*texts: Sequence[str]) -> tuple[int, int]:
    """Return how many lines all texts have in common at the start and at the end."""
    shortest = min(len(lines) for lines in texts)
    start = 0
    while start < shortest and len({lines[start] for lines in texts}) == 1:
        start += 1
    end = 0
    while end < shortest - start and len({lines[-1 - end] for lines in texts}) == 1:
        end += 1
    return start, end


def _decide(hunk: Hunk) -> str | None:
    if hunk.two in (hunk.one, hunk.base):
        return "".join(hunk.one)
    return "".join(hunk.two) if hunk.one == hunk.base else None
