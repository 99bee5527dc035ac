"""Results of cell rules, kept by cell text from one run to the next, with the parse of that text.

One file a workspace, rule set and configuration, in the person's cache folder: never in the project, so never committed
and never somebody else's. It holds checksummed segments: a torn, damaged or outdated one is not read, and what it held
is found again. Entries are good for one version of the program, one configuration and one day.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mneme.format import parser
from mneme.format.model import Cell, CellState, Link, Oddity
from mneme.lint.rule import Fix
from mneme.text.cachefile import mark, pack, program_mark, read, unpack, write
from mneme.text.patch import Patch

_MAGIC = b"mneme-cache-2\n"
_MAX_CELLS = 250_000
_KEEP_FILES = 4


class CellHit(NamedTuple):
    """A cell rule's hit without the cell: offsets count from the cell's first character."""

    code: str
    start: int
    end: int
    message: str
    hint: str
    fix: Fix | None


class ResultCache:
    """What is known of cells by their text. ``results`` holds an entry for every checked cell, empty or not."""

    def __init__(self, path: Path | None = None, today: bytes = b"") -> None:
        self.results: dict[str, tuple[CellHit, ...]] = {}
        self._path = path
        self._today = today
        self._fresh: list[tuple[Cell, tuple[CellHit, ...]]] = []
        self._usable = False

    @classmethod
    def open(cls, folder: Path, root: Path, rules: Sequence[str], today: str) -> ResultCache:
        """Read what earlier runs of ``rules`` left in ``folder`` about ``root``; the parser gets its part of it."""
        place = mark(str(root))
        cache = cls(folder / f"{place}-{mark(program_mark(), *rules)}.lint", today.encode())
        cache._load()
        return cache

    def add(self, results: Iterable[tuple[Cell, tuple[CellHit, ...]]]) -> None:
        """Remember the hits of freshly checked cells."""
        for cell, hits in results:
            self.results[cell.text] = hits
            self._fresh.append((cell, hits))

    def save(self) -> None:
        """Append what is new, or begin anew when what is kept is of another day, damaged or too much. Best effort."""
        if self._path is None or not self._fresh:
            return
        segment = pack([(_plain(cell), _plain_hits(hits)) for cell, hits in self._fresh])
        self._fresh = []
        if self._usable and len(self.results) < _MAX_CELLS:
            with contextlib.suppress(OSError), self._path.open("ab") as stream:
                stream.write(segment)
        else:
            write(self._path, _MAGIC + self._today + segment)
            self._prune(self._path)

    def _prune(self, own: Path) -> None:
        """Keep the few files of this workspace that were written last."""
        place = own.name.partition("-")[0]
        with contextlib.suppress(OSError):
            files = sorted(own.parent.glob(f"{place}-*.lint"), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in files[_KEEP_FILES:]:
                path.unlink(missing_ok=True)

    def _load(self) -> None:
        assert self._path is not None
        data = read(self._path)
        head = _MAGIC + self._today
        if not data.startswith(head):
            return
        self._usable = True
        at = len(head)
        while at < len(data):
            entries, at = unpack(data, at)
            if entries is None:  # torn or damaged: what follows cannot be found, and the next run begins anew
                self._usable = False
                break
            cells = []
            for plain, hits in entries:
                cell = _cell(plain)
                cells.append(cell)
                self.results[cell.text] = tuple([_hit(hit) for hit in hits]) if hits else ()
            parser.prime(cells)


def _plain(cell: Cell) -> tuple[Any, ...]:
    return (
        *cell[:8],
        tuple([tuple(link) for link in cell.links]),
        tuple(cell.status),
        tuple([tuple(oddity) for oddity in cell.oddities]),
    )


def _cell(plain: tuple[Any, ...]) -> Cell:
    new = tuple.__new__
    links, status, oddities = plain[8:]
    return new(
        Cell,
        (
            *plain[:8],
            tuple([new(Link, link) for link in links]) if links else (),
            new(CellState, status),
            tuple([new(Oddity, oddity) for oddity in oddities]) if oddities else (),
        ),
    )


def _plain_hits(hits: tuple[CellHit, ...]) -> tuple[Any, ...]:
    return tuple([
        (*hit[:5], hit.fix and (hit.fix.title, [tuple(patch) for patch in hit.fix.patches], *hit.fix[2:]))
        for hit in hits
    ])  # fmt: skip


def _hit(plain: tuple[Any, ...]) -> CellHit:
    code, start, end, message, hint, fix = plain
    if fix is not None:
        title, patches, safe, repairs = fix
        fix = Fix(title, tuple([Patch(*patch) for patch in patches]), safe, repairs)
    return CellHit(code, start, end, message, hint, fix)
