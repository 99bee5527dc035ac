"""What a merge comes to."""

from __future__ import annotations

from typing import NamedTuple

from mneme.history.merge.identity import Clash
from mneme.history.merge.lines import Piece, Region


class Labels(NamedTuple):
    """What stands behind the marks of a conflict."""

    ours: str = "ours"
    base: str = "base"
    theirs: str = "theirs"


_LABELS = Labels()


class Merged(NamedTuple):
    """The outcome: text and conflicts in order, and what a person should know of how it was decided."""

    pieces: tuple[Piece, ...]
    clashes: tuple[Clash, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def conflicts(self) -> int:
        """How many regions a person must decide."""
        return sum(isinstance(piece, Region) for piece in self.pieces)

    def text(self, labels: Labels = _LABELS, *, size: int = 7, with_base: bool = False) -> str:
        """Return the text; conflicts stand between marks of ``size`` characters, on demand with the base's version."""
        crlf = any("\r\n" in (piece if isinstance(piece, str) else "".join(piece)) for piece in self.pieces)
        end = "\r\n" if crlf else "\n"
        parts = []
        for piece in self.pieces:
            if isinstance(piece, str):
                parts.append(piece)
                continue
            old = f"{'|' * size} {labels.base}{end}{piece.base}" if with_base else ""
            parts.append(
                f"{'<' * size} {labels.ours}{end}{piece.one}{old}{'=' * size}{end}{piece.two}"
                f"{'>' * size} {labels.theirs}{end}"
            )
        return "".join(parts)
