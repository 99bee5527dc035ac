"""Results of cell rules, kept by cell text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mneme.format.model import Cell
from mneme.lint.rule import Fix


class CellHit(NamedTuple):
    """A cell rule's hit without the cell: offsets count from the cell's first character."""

    code: str
    start: int
    end: int
    message: str
    hint: str
    fix: Fix | None


class ResultCache:
    """What is known of cells by their text."""

    def __init__(self) -> None:
        self.results: dict[str, tuple[CellHit, ...]] = {}

    def add(self, results: Iterable[tuple[Cell, tuple[CellHit, ...]]]) -> None:
        """Remember the hits of freshly checked cells."""
        for cell, hits in results:
            self.results[cell.text] = hits
