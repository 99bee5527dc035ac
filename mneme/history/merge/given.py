"""The numbers that merges in this clone gave to cells, so that two files merged in one step are not given the same one.

Git merges file by file, and no commit holds yet what the first file was given. A few lines in git's own folder remember
it: ``OLD DIGEST NEW PATH``. A merge that was broken off and is run again gets its numbers back. Best effort: without
the file, two files of one merge may get one number, which lint reports.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from mneme.errors import EditError
from mneme.format.digest import anonymous_digest
from mneme.format.model import Cell
from mneme.history.merge.identity import Clash
from mneme.text.lock import held
from mneme.text.write import replace_file

NAME = "mneme-renumbered"
_MOST = 1000


class GivenNumbers:
    """The lines of one clone, seen from the file ``path`` (from the top); ``owns`` tells its workspace's files."""

    def __init__(self, git_folder: Path, path: str, owns: Callable[[str], bool]) -> None:
        self._file = git_folder / NAME
        self.path = path
        self._lines = self._read()
        self.all = {new for _, _, new, where in self._lines if owns(where)}
        """Every number that was given in the workspace."""

    def of(self, cell: Cell) -> str:
        """Return the ID that an earlier merge gave to ``cell`` in this file; empty when none did."""
        wanted = (cell.id, anonymous_digest(cell), self.path)
        return next((new for old, digest, new, path in reversed(self._lines) if (old, digest, path) == wanted), "")

    def remember(self, clashes: Iterable[Clash]) -> None:
        """Write down what a merge gave."""
        given = [(clash.moved.id, anonymous_digest(clash.moved), clash.new_id, self.path) for clash in clashes]
        fresh = [line for line in given if line not in self._lines]
        if not fresh:
            return
        with contextlib.suppress(OSError, EditError), held([self._file.parent]):
            lines = [*self._read(), *fresh][-_MOST:]
            replace_file(self._file, b"".join(os.fsencode(f"{' '.join(line)}\n") for line in lines))

    def _read(self) -> list[tuple[str, str, str, str]]:
        try:
            lines = os.fsdecode(self._file.read_bytes()).split("\n")
        except OSError:
            return []
        split = [line.split(" ", 3) for line in lines]
        return [(words[0], words[1], words[2], words[3]) for words in split if len(words) == 4]
