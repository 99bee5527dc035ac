"""What a branch would merge to: its memory and that of its target, merged by cell. Pure; nothing is written.

A forge merges by lines, without a merge driver. What goes wrong only when the two meet (a number that both took, a cell
that both superseded) has to be told before they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mneme.format import ids
from mneme.format.model import Document, Placed
from mneme.format.parser import parse
from mneme.history.content import content_key
from mneme.history.merge.identity import Known
from mneme.history.merge.result import Merged
from mneme.history.merge.three_way import merge


class Taken(NamedTuple):
    """A number that both sides gave to a cell of their own since they parted: the branch's, and the target's."""

    own: Placed
    other: Placed


@dataclass
class WouldBe:
    """The shared files of a workspace in three states, and what they come to.

    ``name``: of the target. ``is_trunk``: whether it is the branch that ``mneme renumber`` asks who keeps a number.
    """

    name: str
    is_trunk: bool
    base: Sequence[Document]
    target: Sequence[Document]
    present: Sequence[Document]

    @cached_property
    def taken(self) -> list[Taken]:
        """The numbers that were taken twice, in the order of the branch's cells."""
        known = {_number(place) for document in self.base for place in document.placed}
        theirs: dict[object, Placed] = {}
        for document in self.target:
            for place in document.placed:
                theirs.setdefault(_number(place), place)
        return [
            Taken(place, other)
            for document in self.present
            for place in document.placed
            if (number := _number(place)) not in known
            and (other := theirs.get(number)) is not None
            and content_key(place.cell) != content_key(other.cell)
        ]

    @cached_property
    def merged(self) -> list[Document]:
        """The merged files, by name; where a person must decide, as the branch has it."""
        return [parse(_text(merged), name=name) for name, merged in self._merged.items()]

    @property
    def unsettled(self) -> set[str]:
        """The IDs that more than one cell has, and those that a merge would give instead."""
        given = {clash.new_id for merged in self._merged.values() for clash in merged.clashes}
        return given.union(*[(taken.own.cell.id, taken.other.cell.id) for taken in self.taken])

    @property
    def undecided(self) -> list[str]:
        """The names of the files that cannot be merged without a person."""
        return [name for name, merged in self._merged.items() if merged.conflicts]

    @cached_property
    def _merged(self) -> dict[str, Merged]:
        base, target, present = (
            {document.name: document.text for document in documents}
            for documents in (self.base, self.target, self.present)
        )
        known = Known(used=lambda: [place.cell.id for side in (self.target, self.present) for place in _placed(side)])
        names = sorted({*target, *present}, key=lambda name: name.split("/"))
        return {name: merge(base.get(name, ""), target.get(name, ""), present.get(name, ""), known) for name in names}


def _placed(documents: Sequence[Document]) -> list[Placed]:
    return [place for document in documents for place in document.placed]


def _number(place: Placed) -> object:
    return ids.number(place.cell.id) or place.cell.id


def _text(merged: Merged) -> str:
    return "".join([piece if isinstance(piece, str) else piece.two or piece.one for piece in merged.pieces])
